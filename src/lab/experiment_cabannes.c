#include "hertzian/lab/experiment.h"
#include "obstacle.h"

#include <math.h>
#include <stdio.h>

/*
   A string plucked at its middle above an obstacle, ideal and lossless: two motions known in closed form. Cabannes' units: lengths over L,
   times over L/c, displacements over the pluck, x from the middle.
*/
enum { HEIGHT, RATE, MODES, PITCH, FIRST, TENTH, TIME, EXACT, BY_MODES, ON_GRID, COLUMNS };
enum { HEIGHTS = 3, REFINED = 4, PERIODS = 10, POINTS = 120, STEP = 100, DRAWN = 2, DRAW_EVERY = 8 };
static const double pi = 3.14159265358979323846;
static const double length = 1.0, tension = 40.0, density = 1e-3, pluck = 1e-3; // [m], [N], [kg/m], [m]
static const double speed = 200.0, impedance = 0.2;                             // of waves [m/s], of the string [N s/m]
static const double heights[HEIGHTS] = {0.0, 0.25, 0.5};
static const double first_rate = 48000.0;  // [Hz] doubled three times; with modes from 96 kHz on
static const double point_stiffness = 2e4; // at that rate, and in proportion to it [N/m]
static const double heard_at = 0.25;       // of the length, from an end
static const double flat_stiffness = 1e6;  // per metre [N/m^2]
static const double flat_rate = 192000.0;  // [Hz]
static const double flat_end = 1e-3;       // the flat obstacle ends before the supports [m]

/** K(y) of Cabannes' (1). */
static double square(double y) {
  const double part = fabs(y) - floor(fabs(y)) - 0.5;
  return part * part;
}

/** (5) to (7) for a triangle, for which his f is 0, X = x and T = t. */
static double cabannes(double x, double t, double h) {
  const double lambda = 4.0 * x < 1.0 + h ? h : 3.0;
  const double k1 = square(2.0 * (x + t) / (3.0 - h)) + square(2.0 * (x - t) / (3.0 - h));
  const double k2 = square((2.0 * (x + t) + 1.0 - lambda) / (3.0 - h)) + square((2.0 * (x - t) + 1.0 - lambda) / (3.0 - h));
  return (1.0 + h) / (3.0 - h) * (1.0 - 2.0 * x) + 0.5 * (3.0 - h) * (k1 - k2);
}

typedef struct {
  double h;      // of the point; NaN: a flat obstacle on the line of rest, all along
  double period; // [s]
} motion;

/** Displacement at `heard_at`. */
static double exact(const motion* m, double time) {
  const double t = fmod(time, m->period) * speed / length;
  if (!isnan(m->h)) {
    return cabannes(0.5 - heard_at, t, m->h);
  }
  const double free = t < heard_at || t > 1.0 - heard_at ? 2.0 * heard_at : fabs(2.0 * t - 1.0);
  return free; // of the free string, which is all above or all below: it comes back as it went
}

typedef struct {
  double pitch;        // against the exact one [cent]
  double first, tenth; // rms over that period, of the pluck
} outcome;

/** Follow it through the exact one's periods; how the phase of its first partial moves is its pitch. */
static htz_status follow(const motion* m, const obstacle_method* how, double stiffness, outcome* out, double* drawn,
                         const char** why) {
  const bool point = !isnan(m->h);
  const obstacle_case what = {.length = length,
                              .tension = tension,
                              .density = density,
                              .from = point ? 0.5 * length : flat_end,
                              .to = point ? 0.5 * length : length - flat_end,
                              .height = point ? m->h * pluck : 0.0,
                              .apex = 0.5 * length,
                              .stiffness = stiffness,
                              .exponent = 1.0,
                              .pluck = pluck,
                              .pluck_at = 0.5 * length,
                              .raster = 0.25 * length};
  const long period = lrint(m->period * how->rate_hz);
  double phase[2] = {0.0, 0.0}, off[PERIODS];
  obstacle_string s;
  const htz_status st = htz_obstacle_open(&what, how, 0, &s, why);
  for (int p = 0; p < PERIODS && !st; ++p) {
    double re = 0.0, im = 0.0, sum = 0.0;
    for (long i = 0; i < period; ++i) {
      const long now = p * period + i;
      const double u = htz_obstacle_displacement(&s, heard_at * length) / pluck;
      const double apart = u - exact(m, (double)now / how->rate_hz), angle = 2.0 * pi * (double)i / (double)period;
      sum += apart * apart;
      re += u * cos(angle);
      im -= u * sin(angle);
      if (drawn && now < DRAWN * period) {
        drawn[now] = u;
      }
      htz_obstacle_step(&s);
    }
    off[p] = sqrt(sum / (double)period);
    phase[p > 0] = atan2(im, re);
  }
  *out = (outcome){1200.0 * log2(1.0 + remainder(phase[1] - phase[0], 2.0 * pi) / (2.0 * pi * (PERIODS - 1))), off[0],
                   off[PERIODS - 1]};
  htz_obstacle_close(&s);
  return st;
}

static void judge(htz_lab_report* report, const char* method, double h, const outcome* o, double late, double period) {
  char text[96];
  const double ratio = 4.0 / (3.0 - h); // of the periods 2L/c and (3 - h)/2 L/c
  snprintf(text, sizeof text, "%s, h = %g: pitch over that of the free string", method, h);
  htz_lab_find_out(report, &(htz_lab_finding){text, "", ratio, ratio * exp2(o->pitch / 1200.0), ratio * late / period, NULL});
  snprintf(text, sizeof text, "%s, h = %g: off (7) in the tenth period, rms", method, h);
  // It moves by 2 pluck in L/c at most, and is late by so much more every period.
  htz_lab_find_out(report,
                   &(htz_lab_finding){text, "of the pluck", 0.0, o->tenth, 2.0 * PERIODS * late * speed / length, NULL});
}

/** Of two grids, the error of the first order gone: what is left is of the second. */
static void judge_limit(htz_lab_report* report, double h, double coarse, double fine, double late, double period) {
  char text[96];
  const double ratio = 4.0 / (3.0 - h);
  snprintf(text, sizeof text, "grids of 192 and 384 kHz extrapolated, h = %g: the same", h);
  htz_lab_find_out(report,
                   &(htz_lab_finding){text, "", ratio, ratio * exp2((2.0 * fine - coarse) / 1200.0),
                                      ratio * (late / period) * (late / period), "second order in the obstacle's softness"});
}

/** What a refinement does, and the finest of each against the closed form. */
static htz_status point(htz_lab_report* report, double h, double* drawn[2], double* drawn_rate, const char** why) {
  const motion m = {h, 0.5 * (3.0 - h) * length / speed};
  double rate = first_rate, coarser = 0.0;
  for (size_t i = 0; i < REFINED; ++i, rate *= 2.0) {
    const double stiffness = point_stiffness * rate / first_rate, soft = 2.0 * 2.0 * impedance / stiffness;
    for (int grid = 0; grid < 2; ++grid) {
      const size_t modes = grid ? 0 : (size_t)lrint(0.5 * STEP * rate / first_rate);
      const obstacle_method how = {.rate_hz = rate, .modes = modes, .points = 1};
      const bool last = i + 1 == REFINED;
      outcome o;
      const htz_status st = follow(&m, &how, stiffness, &o, last ? drawn[grid] : NULL, why);
      if (st) {
        return st;
      }
      double row[COLUMNS] = {[HEIGHT] = h,      [RATE] = rate,     [MODES] = grid ? (double)NAN : (double)modes,
                             [PITCH] = o.pitch, [FIRST] = o.first, [TENTH] = o.tenth};
      for (int c = TIME; c < COLUMNS; ++c) {
        row[c] = (double)NAN;
      }
      htz_lab_row(report, grid ? "grid" : "modes", row);
      if (last) {
        // Touch and release are each late by the time in which so soft an obstacle gives way, and unsharp by half a period of the last mode.
        const double unsharp = grid ? 0.0 : 2.0 * length / speed / (double)modes;
        judge(report, grid ? "grid, 384 kHz" : "400 modes, 384 kHz", h, &o, soft + unsharp, m.period);
        *drawn_rate = rate;
      }
      if (last && grid) {
        judge_limit(report, h, coarser, o.pitch, 2.0 * soft, m.period);
      }
      coarser = grid ? o.pitch : coarser;
    }
  }
  return HTZ_OK;
}

static void draw(htz_lab_report* report, double h, double rate, double* const drawn[2]) {
  const motion m = {h, 0.5 * (3.0 - h) * length / speed};
  char series[32];
  snprintf(series, sizeof series, "h %g", h);
  for (long i = 0; i < lrint(DRAWN * m.period * rate); i += DRAW_EVERY) {
    double row[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) {
      row[c] = (double)NAN;
    }
    const double time = (double)i / rate;
    row[TIME] = time * speed / length;
    row[EXACT] = exact(&m, time);
    row[BY_MODES] = drawn[0][i];
    row[ON_GRID] = drawn[1][i];
    htz_lab_row(report, series, row);
  }
}

/** All of it comes down at once and springs back: half the free period, and half a period of the string on the obstacle's springs. */
static htz_status flat(htz_lab_report* report, const char** why) {
  const double touch = pi * sqrt(density / flat_stiffness), period = length / speed;
  const motion m = {(double)NAN, period};
  // At either end c touch of the string do otherwise: that share of it may be off by the whole contact time.
  const double allowed = 1200.0 * log2(1.0 + 2.0 * touch * speed / length * touch / period);
  for (int grid = 0; grid < 2; ++grid) {
    const obstacle_method how = {.rate_hz = flat_rate, .modes = grid ? 0 : POINTS / 2, .points = POINTS};
    outcome o;
    const htz_status st = follow(&m, &how, flat_stiffness, &o, NULL, why);
    if (st) {
      return st;
    }
    htz_lab_find_out(report, &(htz_lab_finding){grid ? "flat obstacle, grid: pitch over twice the free one"
                                                     : "flat obstacle, 60 modes, 120 points: pitch over twice the free one",
                                                "cent", -1200.0 * log2(1.0 + touch / period), o.pitch, allowed,
                                                "closed form: period L/c + pi sqrt(rho/K)"});
  }
  return HTZ_OK;
}

static htz_status run(htz_lab_report* report, const char** why) {
  enum { ROOM = 8192 };
  static const double drawn_h = 0.5;
  htz_arena memory;
  double* drawn[2];
  htz_arena_measure(&memory);
  drawn[0] = htz_arena_alloc(&memory, ROOM, sizeof *drawn[0]);
  drawn[1] = htz_arena_alloc(&memory, ROOM, sizeof *drawn[1]);
  htz_status st = drawn[0] && drawn[1] ? HTZ_OK : HTZ_NO_MEMORY;
  double rate = 0.0;
  for (size_t i = 0; i < HEIGHTS && !st; ++i) {
    st = point(report, heights[i], drawn, &rate, why);
    if (!st && heights[i] == drawn_h) {
      draw(report, drawn_h, rate, drawn);
    }
    htz_lab_progress(report, (double)(i + 1) / (HEIGHTS + 1.0));
  }
  st = st ? st : flat(report, why);
  htz_arena_free(&memory);
  return st;
}

const htz_lab_experiment htz_experiment_cabannes_point = {
    .name = "cabannes-point",
    .paper =
        "Cabannes, Formulas for Vibrating Strings with Obstacles (2001), henri.cabannes.free.fr/strings.html, eqs. (1)-(7)",
    .title = "A string plucked over a point obstacle: its motion in closed form, by modes and on a grid",
    .about =
        "Ideal, lossless, 1 m, 100 Hz, plucked at its middle, a point obstacle there at h times the pluck: its pitch is "
        "4/(3 - h) times\n"
        "the free one, and (7) is its motion. Grids and modes (a mode per 480 Hz of sample rate) are refined together with "
        "the\n"
        "obstacle, a linear spring of 20 kN/m at 48 kHz. Allowed: touch and release each late by 2Z/K, the time in which it "
        "gives\n"
        "way, and of modes unsharp by half a period of the last. And over a flat obstacle on the line of rest, 1 MN/m^2.",
    .n_columns = COLUMNS,
    .columns = {[HEIGHT] = {"h", ""},
                [RATE] = {"rate", "Hz"},
                [MODES] = {"modes", ""},
                [PITCH] = {"pitch_error", "cent"},
                [FIRST] = {"first_period_error", ""},
                [TENTH] = {"tenth_period_error", ""},
                [TIME] = {"time", ""},
                [EXACT] = {"exact", ""},
                [BY_MODES] = {"by_modes", ""},
                [ON_GRID] = {"on_grid", ""}},
    .plot = {.x_label = "time [L/c]",
             .y_label = "displacement at a quarter of the length [of the pluck]",
             .n_curves = 3,
             .curves = {{TIME, EXACT, "(7), h = 0.5", false},
                        {TIME, BY_MODES, "400 modes", false},
                        {TIME, ON_GRID, "grid", false}},
             .only = "h 0.5"},
    .beside = {.x_label = "sample rate [Hz]",
               .y_label = "off (7) in the tenth period, rms [of the pluck]",
               .log_x = true,
               .log_y = true,
               .n_curves = 1,
               .curves = {{RATE, TENTH, "grid", true}},
               .only = "grid"},
    .third = {.x_label = "sample rate [Hz]",
              .y_label = "off (7) in the tenth period, rms [of the pluck]",
              .log_x = true,
              .log_y = true,
              .n_curves = 1,
              .curves = {{RATE, TENTH, "modes", true}},
              .only = "modes"},
    .run = run};

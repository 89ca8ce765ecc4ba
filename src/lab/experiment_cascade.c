
#include "hertzian/dsp/kernels.h"
#include "hertzian/lab/experiment.h"
#include "hertzian/model/bodies.h"
#include "hertzian/model/disc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double rate_hz = 48000.0;
static const double stroke_s = 1e-3;

enum { TIME = 0, CENTROID, ENERGY, COLUMNS };
enum { QUANTA = 225, EVERY = 5, SIZES = 3, STROKES = 2 }; // 0.3 s
static const size_t sizes[SIZES] = {80, 150, 300};
static const double impulses[STROKES] = {0.005, 0.3}; // [N s]
static const char* const names[SIZES][STROKES] = {
    {"80, soft", "80, hard"}, {"150, soft", "150, hard"}, {"300, soft", "300, hard"}};

static const htz_disc_desc crash = {.radius = 0.2,
                                    .thickness = 1e-3,
                                    .density = 8700.0,
                                    .young = 1e11,
                                    .poisson = 0.33,
                                    .rise = 0.0,
                                    .loss = {.t60_hz = {30.0, 5000.0}, .t60_s = {20.0, 1.0}}};

/** Mean frequency of the modes, each with its linear energy [Hz]. */
static double centroid(htz_modal* body) {
  double sum = 0.0, moment = 0.0;
  for (size_t k = HTZ_DISC_RIGID_MODES; k < htz_modal_count(body); ++k) {
    const double w = htz_modal_omega(body)[k], q = htz_modal_q(body)[k], v = htz_modal_v(body)[k];
    const double here = htz_modal_mass(body)[k] * (v * v + w * w * q * q);
    sum += here;
    moment += w / (2.0 * pi) * here;
  }
  return moment / sum;
}

/** One stroke at the rim. @param ends centroid after the stroke and 0.2 s later */
static htz_status strike(htz_lab_report* report, const htz_disc_shapes* shapes, size_t size, size_t stroke, htz_arena* arena,
                         double ends[2]) {
  htz_modes modes;
  htz_modal* body = NULL;
  htz_status st = htz_modes_disc(shapes, &crash, 0.5 * rate_hz, shapes->n, arena, &modes);
  st = st ? st : htz_modal_new(&modes, 1, 0, rate_hz, htz_kernels_select(), arena, &body);
  if (st) {
    return st;
  }
  htz_modal_place_xy(body, 0, 0.975, 0.5);
  const size_t last = (size_t)(stroke_s * rate_hz);
  for (size_t q = 0; q < QUANTA; ++q) {
    float force[HTZ_QUANTUM];
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const size_t at = q * HTZ_QUANTUM + i;
      const double share = ((double)at + 0.5) / (double)last;
      force[i] = at < last ? (float)(impulses[stroke] * 0.5 * pi / stroke_s * sin(pi * share)) : 0.0f;
    }
    htz_modal_drive(body, 0, force, HTZ_QUANTUM, NULL);
    const double hz = centroid(body);
    ends[0] = q == 2 ? hz : ends[0];
    ends[1] = q == 150 ? hz : ends[1];
    if (q % EVERY == 2) {
      const double row[COLUMNS] = {(double)(q + 1) * HTZ_QUANTUM / rate_hz, hz,
                                   htz_modal_body(body)->cls->energy(htz_modal_body(body))};
      htz_lab_row(report, names[size][stroke], row);
    }
  }
  return HTZ_OK;
}

/** The cubic coefficients of single modes: 4 V(1) = 12 (1 - nu^2) Gamma. */
static void coefficients(htz_lab_report* report, const htz_bending* b, htz_arena* arena) {
  static const struct {
    size_t mode;
    double gamma;
    const char* name;
  } modes[] = {{0, 1.90, "Gamma of mode (2, 0)"}, {2, 8.57, "Gamma of mode (0, 1)"}, {3, 16.9, "Gamma of mode (3, 0)"}};
  float* room = htz_arena_alloc(arena, htz_bending_room(b), sizeof *room);
  double* x = htz_arena_alloc(arena, b->n, sizeof *x);
  for (size_t i = 0; room && x && i < sizeof modes / sizeof modes[0]; ++i) {
    const htz_bending_scratch scratch = htz_bending_lay(b, room);
    memset(x, 0, b->n * sizeof *x);
    x[modes[i].mode] = 1.0;
    const double v = htz_bending_look(b, htz_kernels_select(), &scratch, x, NULL);
    htz_lab_find_out(report,
                     &(htz_lab_finding){modes[i].name, "", modes[i].gamma, v / (3.0 * (1.0 - crash.poisson * crash.poisson)),
                                        0.02 * modes[i].gamma, "Touze, Thomas, Chaigne 2002"});
  }
}

static htz_status run(htz_lab_report* report, const char** why) {
  (void)why;
  htz_status st = HTZ_OK;
  for (size_t size = 0; size < SIZES && !st; ++size) {
    htz_arena arena;
    htz_disc_shapes shapes;
    htz_arena_measure(&arena);
    st = htz_disc_shapes_find(crash.poisson, crash.rise, sizes[size] + HTZ_DISC_RIGID_MODES, sizes[size], 0, &arena, &shapes);
    for (size_t stroke = 0; stroke < STROKES && !st; ++stroke) {
      double ends[2] = {0.0, 0.0};
      char text[96];
      st = strike(report, &shapes, size, stroke, &arena, ends);
      snprintf(text, sizeof text, "%s: centroid after 0.2 s over that after 4 ms", names[size][stroke]);
      htz_lab_find_out(report, &(htz_lab_finding){text, "", (double)NAN, ends[1] / ends[0], (double)NAN, NULL});
      htz_lab_progress(report, (double)(size * STROKES + stroke + 1) / (SIZES * STROKES));
    }
    if (!st && size == 1) {
      coefficients(report, shapes.bending, &arena);
    }
    htz_arena_free(&arena);
  }
  return st;
}

const htz_lab_experiment htz_experiment_crash_cascade = {
    .name = "crash-cascade",
    .paper = "Touze, Thomas, Chaigne, Asymmetric non-linear forced vibrations of free-edge circular plates, part 1, Journal of "
             "Sound and "
             "Vibration 258 (2002)",
    .title = "A disc that is struck hard hands its energy up to higher modes",
    .about = "Bronze, 40 cm, 1 mm, flat, decay times 20 s at 30 Hz and 1 s at 5 kHz; a half sine of 1 ms at the rim, 0.005 and "
             "0.3 N s; 80, 150 and "
             "300\n"
             "coupled modes and no others. The centroid is the mean frequency of the modes, each with its energy. Gamma: cubic "
             "coefficients\n"
             "of single modes, w in h^2/a.",
    .n_columns = COLUMNS,
    .columns = {[TIME] = {"time", "s"}, [CENTROID] = {"centroid", "Hz"}, [ENERGY] = {"energy", "J"}},
    .plot = {.x_label = "time [s]", .y_label = "centroid [Hz]", .n_curves = 1, .curves = {{TIME, CENTROID, NULL, false}}},
    .beside =
        {.x_label = "time [s]", .y_label = "energy [J]", .log_y = true, .n_curves = 1, .curves = {{TIME, ENERGY, NULL, false}}},
    .slow = true,
    .run = run};

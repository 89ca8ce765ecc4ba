#include "hertzian/lab/experiment.h"
#include "hertzian/model/bodies.h"

#include <math.h>
#include <stdio.h>

enum { AMPLITUDE, GLIDE, THEORY, TIME, PITCH, EXPECTED, COLUMNS };
enum { RATES = 3, STEPS = 16, PARTIALS = 40, WINDOWS = 30, PERIODS = 32, JUDGED = 4 };
static const double pi = 3.14159265358979323846;
static const double length = 0.65, tension = 70.0, line = 3.85e-4; // [m], [N], [kg/m]
static const double stretch = 9.8e3;                               // EA: steel, 0.25 mm [N]
static const double sigma = 1.5;                                   // of the plucked one [1/s]
static const double most = 30e-3;                                  // amplitude [m]
static const double height = 3e-3, at = 0.28;                      // of the pluck [m], of the length
static const double rates[RATES] = {8000.0, 48000.0, 192000.0};    // [Hz]
static const char* const series[RATES] = {"8 kHz", "48 kHz", "192 kHz"};
static const double within = 0.02; // of the glide

typedef struct {
  htz_arena memory;
  htz_modes modes;
  htz_modal* modal;
  htz_body* body;
  double rate;
} string;

static htz_status make(string* s, double rate, size_t partials, double loss) {
  const htz_string_desc desc = {
      .length = length, .tension = tension, .lin_density = line, .stretch = stretch, .loss = {.loss0 = loss}};
  s->rate = rate;
  htz_status st = htz_modes_string(&desc, 20000.0, partials, &s->memory, &s->modes);
  st = st ? st : htz_modal_new(&s->modes, 1, 0, rate, htz_kernels_select(), &s->memory, &s->modal);
  s->body = st ? NULL : htz_modal_body(s->modal);
  return st;
}

static double open_hz(void) {
  return sqrt(tension / line) / (2.0 * length);
}

static double in_cents(double ratio) {
  return 1200.0 * log2(ratio);
}

/** K(m), the complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double elliptic(double m) {
  double a = 1.0, g = sqrt(1.0 - m);
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + g);
    g = sqrt(a * g);
    a = mean;
  }
  return 0.5 * pi / a;
}

/** Of q'' + w^2 q + b q^3 = 0 from rest at `amplitude`, b = EA pi^4/(4 mu L^4) [cent above w]. */
static double duffing(double amplitude) {
  const double w = 2.0 * pi * open_hz();
  const double b = stretch * pow(pi, 4.0) / (4.0 * line * pow(length, 4.0)) * amplitude * amplitude;
  return in_cents(sqrt(w * w + b) / (4.0 * elliptic(0.5 * b / (w * w + b))) / open_hz());
}

/** Mean frequency of the first mode over `samples`, from how far its phase turns. */
static double mean_hz(string* s, long samples) {
  const double w = 2.0 * pi * open_hz();
  double turned = 0.0, last = 0.0;
  for (long i = 0; i <= samples; ++i) {
    const double phase = atan2(-htz_modal_v(s->modal)[0] / w, htz_modal_q(s->modal)[0]);
    turned += i ? remainder(phase - last, 2.0 * pi) : 0.0;
    last = phase;
    if (i < samples) {
      s->body->cls->commit(s->body, 0, 0, NULL, NULL);
    }
  }
  return turned * s->rate / (2.0 * pi * (double)samples);
}

/** One mode from rest at `amplitude`: its glide [cent] and how far its energy went, relative. */
static htz_status swing(double rate, double amplitude, double* glide, double* drift) {
  string s = {.rate = 0.0};
  htz_arena_measure(&s.memory);
  const htz_status st = make(&s, rate, 1, 0.0);
  if (!st) {
    htz_modal_q(s.modal)[0] = amplitude;
    htz_modal_is_linear(s.modal); // takes the force up
    const double before = s.body->cls->energy(s.body);
    // Whole periods, as the phase of an oscillator that is not linear turns unevenly within one.
    const double period = rate / (open_hz() * exp2(duffing(amplitude) / 1200.0));
    *glide = in_cents(mean_hz(&s, lrint(200.0 * period)) / open_hz());
    *drift = fabs(s.body->cls->energy(s.body) / before - 1.0);
  }
  htz_arena_free(&s.memory);
  return st;
}

static htz_status backbone(htz_lab_report* report, unsigned which) {
  static const int judged[JUDGED] = {1, 4, 8, 16}; // sixteenths of the largest amplitude
  double glide = 0.0, drift = 0.0, worst = 0.0;
  for (int i = 1; i <= STEPS; ++i) {
    const double amplitude = most * i / STEPS;
    const htz_status st = swing(rates[which], amplitude, &glide, &drift);
    if (st) {
      return st;
    }
    double row[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) {
      row[c] = (double)NAN;
    }
    row[AMPLITUDE] = amplitude;
    row[GLIDE] = glide;
    row[THEORY] = duffing(amplitude);
    htz_lab_row(report, series[which], row);
    worst = drift > worst ? drift : worst;
    for (int j = 0; j < JUDGED; ++j) {
      if (judged[j] == i) {
        char text[96];
        snprintf(text, sizeof text, "%s: glide of one mode at %.3g mm", series[which], 1e3 * amplitude);
        htz_lab_find_out(report, &(htz_lab_finding){text, "cent", row[THEORY], glide, within * row[THEORY],
                                                    "Duffing's oscillator, by its elliptic integral"});
      }
    }
  }
  char text[96];
  snprintf(text, sizeof text, "%s: energy lost or won over 200 periods, relative", series[which]);
  htz_lab_find_out(report, &(htz_lab_finding){text, "", 0.0, worst, 1e-10, NULL});
  return HTZ_OK;
}

/** A plucked string of 40 partials that decays: the first one's glide in windows of 0.1 s. */
static htz_status decay(htz_lab_report* report) {
  string s = {.rate = 0.0};
  htz_arena_measure(&s.memory);
  const htz_status st = make(&s, 48000.0, PARTIALS, sigma);
  double sum = 0.0;
  for (size_t k = 0; k < PARTIALS && !st; ++k) {
    const double n = (double)(k + 1);
    const double a = 2.0 * height * sin(n * pi * at) / (n * n * pi * pi * at * (1.0 - at));
    htz_modal_q(s.modal)[k] = a;
    // Half of the square is its mean; of what a mode makes itself half as much again counts.
    sum += s.modes.bend[k] * a * a * (k == 0 ? 0.75 : 0.5);
  }
  if (!st) {
    htz_modal_is_linear(s.modal);
    const double first = 600.0 / log(2.0) * stretch * sum / (2.0 * length * tension);
    const double window = PERIODS / open_hz(); // whole ones, as within one the phase of a mode that decays turns unevenly
    for (int i = 0; i < WINDOWS; ++i) {
      const double from = window * i, to = from + window;
      double row[COLUMNS];
      for (int c = 0; c < COLUMNS; ++c) {
        row[c] = (double)NAN;
      }
      row[TIME] = from + 0.5 * window;
      row[PITCH] = in_cents(mean_hz(&s, lrint(window * s.rate)) / open_hz());
      row[EXPECTED] = first * (exp(-2.0 * sigma * from) - exp(-2.0 * sigma * to)) / (2.0 * sigma * window);
      htz_lab_row(report, "plucked", row);
      if (i % 5 == 0 && i < 15) {
        char text[96];
        snprintf(text, sizeof text, "plucked, 3 mm, 40 partials, 48 kHz: glide after %.2f s", row[TIME]);
        htz_lab_find_out(report, &(htz_lab_finding){text, "cent", row[EXPECTED], row[PITCH], within * row[EXPECTED] + 1e-3,
                                                    "to first order; exp(-2 sigma t)"});
      }
    }
  }
  htz_arena_free(&s.memory);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  (void)why;
  htz_status st = HTZ_OK;
  for (unsigned i = 0; i < RATES && !st; ++i) {
    st = backbone(report, i);
    htz_lab_progress(report, (i + 1.0) / (RATES + 1.0));
  }
  return st ? st : decay(report);
}

const htz_lab_experiment htz_experiment_kirchhoff_carrier = {
    .name = "kirchhoff-carrier",
    .paper =
        "Kirchhoff, Vorlesungen ueber Mechanik (1876), lecture 29; Carrier, On the non-linear vibration problem of the elastic "
        "string, Quarterly of Applied Mathematics 3 (1945)",
    .title = "A string whose tension grows with its stretching goes sharp with amplitude",
    .about = "Steel, 0.25 mm, 0.65 m, 70 N, EA 9.8 kN. One mode from rest at up to 30 mm, 8, 48 and 192 kHz, over 200 periods, "
             "against "
             "the\n"
             "closed form of Duffing's oscillator; and a string of 40 partials plucked 3 mm at 0.28 of its length, decay rate "
             "1.5 1/s, in\n"
             "windows of 32 periods against the first order in the rise of tension.",
    .n_columns = COLUMNS,
    .columns = {[AMPLITUDE] = {"amplitude", "m"},
                [GLIDE] = {"glide", "cent"},
                [THEORY] = {"theory", "cent"},
                [TIME] = {"time", "s"},
                [PITCH] = {"pitch", "cent"},
                [EXPECTED] = {"expected", "cent"}},
    .plot = {.x_label = "amplitude [m]",
             .y_label = "pitch above that of small amplitudes [cent]",
             .n_curves = 2,
             .curves = {{AMPLITUDE, GLIDE, "glide", true}, {AMPLITUDE, THEORY, "closed form", false}}},
    .beside = {.x_label = "time [s]",
               .y_label = "pitch of the first partial [cent]",
               .n_curves = 2,
               .only = "plucked",
               .curves = {{TIME, PITCH, "plucked", true}, {TIME, EXPECTED, "first order", false}}},
    .slow = true,
    .run = run};

#include "try_draw.h"

#include "picture.h"
#include "plot.h"
#include "show_instrument.h"

#include "hertzian/dsp/fft.h"

#include <math.h>
#include <stdlib.h>

enum { PARTIALS = 6, WINDOW = 2048, HOP = 480, BINS = 256, TITLE = 256 };

static const double pi = 3.14159265358979323846;
static const double top_hz = 16000.0, floor_db = -100.0;
static const double envelope_s = 0.05, step_s = 0.02; // of a partial's level
static const double begins_s = 0.1;                   // where the theory's line meets what was measured: past the stroke
static const double nepers_60_db = 6.907755278982137; // 3 ln 10

typedef struct {
  double hz, t60_s; // of the body alone; 0, 0: not known
} partial;

typedef struct {
  char title[TITLE];
  double rate_hz;
  const float* x; // [frames][2]
  size_t frames;
  size_t n;
  partial partials[PARTIALS];
  htz_fft fft;
  double* z;     // [WINDOW][2]
  double* power; // [WINDOW / 2 + 1]
} drawing;

static double mono(const drawing* d, size_t i) {
  return i < d->frames ? 0.5 * ((double)d->x[2 * i] + (double)d->x[2 * i + 1]) : 0.0;
}

static double decibels_of_power(double power) {
  return fmax(10.0 * log10(power), floor_db);
}

/** Window over which a level at `hz` is taken: none is shorter than its own periods [s]. */
static double window_s(double hz) {
  return fmax(envelope_s, 6.0 / hz);
}

/** Level of what sounds at `hz` from frame `from` on, under a Hann window [dB]. */
static double level_at(const drawing* d, double hz, size_t from) {
  const size_t count = (size_t)(window_s(hz) * d->rate_hz);
  double re = 0.0, im = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double w = (1.0 - cos(2.0 * pi * (double)i / (double)count)) / (double)count;
    const double angle = 2.0 * pi * hz * (double)i / d->rate_hz;
    re += w * mono(d, from + i) * 2.0 * cos(angle);
    im += w * mono(d, from + i) * 2.0 * sin(angle);
  }
  return decibels_of_power(re * re + im * im);
}

static void spectrogram(FILE* out, drawing* d) {
  const double bin_hz = d->rate_hz / WINDOW, most_hz = fmin(top_hz, 0.5 * d->rate_hz);
  fputs("$s << EOD\n", out);
  for (size_t at = 0; at + WINDOW <= d->frames; at += HOP) {
    double x[WINDOW];
    for (size_t i = 0; i < WINDOW; ++i) {
      x[i] = mono(d, at + i);
    }
    htz_fft_power(&d->fft, x, d->z, d->power);
    for (size_t b = 0; b < BINS; ++b) { // the strongest of what falls into each
      const double from = (double)b / BINS * most_hz / bin_hz, to = (double)(b + 1) / BINS * most_hz / bin_hz;
      double most = 0.0;
      for (size_t k = (size_t)from; k <= (size_t)to && k <= WINDOW / 2; ++k) {
        most = fmax(most, d->power[k]);
      }
      htz_plot_number(out, decibels_of_power(most));
    }
    fputc('\n', out);
  }
  fputs("EOD\n", out);
  fprintf(out,
          "set title 'spectrogram [dB]'\nset xlabel 's'\nset ylabel 'Hz'\nset xrange [0:%.9g]\nset yrange [0:%.9g]\n"
          "set cbrange [-100:-20]\nunset key\n"
          "plot $s matrix using ($2*%.9g):($1*%.9g):3 with image\n",
          (double)d->frames / d->rate_hz, most_hz, HOP / d->rate_hz, most_hz / BINS);
}

static void decays(FILE* out, const drawing* d) {
  const double seconds = (double)d->frames / d->rate_hz;
  for (size_t p = 0; p < d->n; ++p) {
    fprintf(out, "$p%zu << EOD\n", p);
    for (double t = 0.0; t + window_s(d->partials[p].hz) < seconds; t += step_s) {
      htz_plot_number(out, t);
      htz_plot_number(out, level_at(d, d->partials[p].hz, (size_t)(t * d->rate_hz)));
      fputc('\n', out);
    }
    fputs("EOD\n", out);
  }
  fprintf(out,
          "set title 'partials, and what the struck body does alone (dashed)'\nset ylabel 'dB'\nset xrange [0:%.9g]\n"
          "set yrange [-100:0]\nset key right top\n",
          seconds);
  for (size_t p = 0; p < d->n; ++p) {
    const partial* a = &d->partials[p];
    const double at = level_at(d, a->hz, (size_t)(begins_s * d->rate_hz));
    fprintf(
        out,
        "%s $p%zu using 1:2 with lines linecolor %zu title '%.0f Hz', %.9g-60*(x-%.9g)/%.9g dashtype 2 linecolor %zu notitle",
        p ? "," : "plot", p, p + 1, a->hz, at, begins_s, a->t60_s, p + 1);
  }
  fputs(d->n ? "\n" : "plot -200 notitle\n", out);
}

static void write_script(FILE* out, const char* path, const void* what) {
  drawing d = *(const drawing*)what;
  htz_plot_begin_wide(out, path);
  fputs("set multiplot layout 1,2 title ", out);
  htz_plot_text(out, d.title);
  fputc('\n', out);
  spectrogram(out, &d);
  decays(out, &d);
  fputs("unset multiplot\n", out);
}

static void write_numbers(FILE* out, const void* what) {
  const drawing* d = what;
  fputs("partial_hz,time_s,level_db,alone_db\n", out);
  for (size_t p = 0; p < d->n; ++p) {
    const partial* a = &d->partials[p];
    const double at = level_at(d, a->hz, (size_t)(begins_s * d->rate_hz));
    for (double t = 0.0; t + window_s(a->hz) < (double)d->frames / d->rate_hz; t += step_s) {
      fprintf(out, "%.6g,%.6g,%.5g,%.5g\n", a->hz, t, level_at(d, a->hz, (size_t)(t * d->rate_hz)),
              at - 60.0 * (t - begins_s) / a->t60_s);
    }
  }
}

/** The first modes of the body that is struck, where it has modes. */
static void find_partials(drawing* d, const htz_spec* spec, int key) {
  const htz_spec* object = htz_spec_object(spec, key);
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  htz_arena_measure(&arena);
  if (object && !object->grid && htz_spec_modes(&object->bodies[0], key, &arena, &modes, &why) == HTZ_OK) {
    for (size_t k = 0; k < modes.n && d->n < PARTIALS; ++k) {
      const double hz = modes.omega[k] / (2.0 * pi);
      if (modes.audible[k] && modes.sigma[k] > 0.0 && hz > 0.0 && hz < 0.5 * d->rate_hz) {
        d->partials[d->n++] = (partial){hz, nepers_60_db / modes.sigma[k]};
      }
    }
  }
  htz_arena_free(&arena);
}

int htz_try_draw(const htz_options* options, const htz_spec* spec, int key, int velocity, double rate_hz, const float* samples,
                 size_t frames) {
  drawing* d = calloc(1, sizeof *d);
  htz_arena arena;
  char name[HTZ_KEY_NAME];
  int code = HTZ_EXIT_INTERNAL;
  htz_arena_measure(&arena);
  if (d) {
    d->z = htz_arena_alloc(&arena, WINDOW, 2 * sizeof *d->z);
    d->power = htz_arena_alloc(&arena, WINDOW / 2 + 1, sizeof *d->power);
  }
  if (d && d->z && d->power && htz_fft_init(&d->fft, WINDOW, &arena) == HTZ_OK) {
    d->rate_hz = rate_hz;
    d->x = samples;
    d->frames = frames;
    snprintf(d->title, sizeof d->title, "%s, %s (key %d), velocity %d", spec->id, htz_key_name(key, name), key, velocity);
    find_partials(d, spec, key);
    const htz_picture picture = {.script = write_script, .numbers = write_numbers, .what = d};
    code = htz_picture_draw(options, &picture);
  } else {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
  }
  htz_arena_free(&arena);
  free(d);
  return code;
}

#include "partials.h"

#include "hertzian/dsp/fft.h"
#include "hertzian/lab/note.h"

#include <math.h>
#include <stdlib.h>

static const double onset_s = 0.08, top_hz = 20000.0;
static const double settled_s = 0.05, pitch_s = 2.0; // where the pitch is taken: past the stroke, and as long as there is
static const double reach = 1.0594630943592953;      // a semitone
static const double least_level = 1e-3;              // of a first partial beside the strongest
static const double hop_s = 0.02, fallen_db = 40.0;
static const double sustained_db = 1.0; // a second: what falls more slowly is held up
static const double db_60 = 60.0;

static double mono(const float* x, size_t i) {
  return 0.5 * ((double)x[2 * i] + (double)x[2 * i + 1]);
}

static size_t power_of_two(size_t least) {
  size_t n = 2;
  while (n < least) {
    n *= 2;
  }
  return n;
}

/** Power of `count` frames from `from`, under a Hann window; `padded` times as many points. @return bins, 0 without memory */
static size_t power_of(const float* x, size_t from, size_t count, size_t points, double** power) {
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_fft fft;
  double* z = htz_arena_alloc(&arena, points, 2 * sizeof *z);
  *power = malloc((points / 2 + 1) * sizeof **power);
  const bool ok = z && *power && htz_fft_init(&fft, points, &arena) == HTZ_OK;
  if (ok) {
    for (size_t i = 0; i < count; ++i) {
      z[2 * i] = mono(x, from + i) * 0.5 * (1.0 - cos(2.0 * 3.14159265358979323846 * (double)i / (double)count));
    }
    htz_fft_forward(&fft, z);
    for (size_t k = 0; k <= points / 2; ++k) {
      (*power)[k] = z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1];
    }
  }
  htz_arena_free(&arena);
  return ok ? points / 2 + 1 : 0;
}

static htz_status centroid(const float* x, size_t frames, double rate_hz, size_t onset, double* hz) {
  const size_t wanted = (size_t)(onset_s * rate_hz), count = frames - onset < wanted ? frames - onset : wanted;
  const size_t points = 2 * power_of_two(wanted);
  double* power;
  const size_t bins = power_of(x, onset, count, points, &power);
  double sum = 0.0, moment = 0.0;
  for (size_t k = 0; k < bins; ++k) {
    const double at = (double)k * rate_hz / (double)points;
    sum += at <= top_hz ? power[k] : 0.0;
    moment += at <= top_hz ? at * power[k] : 0.0;
  }
  free(power);
  *hz = sum > 0.0 ? moment / sum : NAN;
  return bins ? HTZ_OK : HTZ_NO_MEMORY;
}

/** The strongest bin within a semitone of what is expected, unless it is only the flank of something beyond, or next to nothing. */
static double coarse_pitch(const double* power, size_t bins, double bin_hz, double expected_hz) {
  double strongest = 0.0;
  size_t best = 0;
  for (size_t k = 1; k + 1 < bins; ++k) {
    const double hz = (double)k * bin_hz;
    strongest = fmax(strongest, power[k]);
    if (hz > expected_hz / reach && hz < expected_hz * reach && (best == 0 || power[k] > power[best])) {
      best = k;
    }
  }
  const bool found = best > 0 && power[best] >= power[best - 1] && power[best] >= power[best + 1] &&
                     power[best] > least_level * least_level * strongest;
  return found ? (double)best * bin_hz : NAN;
}

static htz_status pitch(const float* x, size_t frames, double rate_hz, size_t onset, double expected_hz, double* hz) {
  const size_t skip = onset + (size_t)(settled_s * rate_hz), most = (size_t)(pitch_s * rate_hz);
  const size_t count = skip >= frames ? 0 : frames - skip < most ? frames - skip : most;
  *hz = NAN;
  if (count < 2) {
    return HTZ_OK;
  }
  const size_t points = 2 * power_of_two(count);
  double* power;
  const size_t bins = power_of(x, skip, count, points, &power);
  const double coarse = bins ? coarse_pitch(power, bins, rate_hz / (double)points, expected_hz) : NAN;
  free(power);
  double* windowed = malloc(count * sizeof *windowed);
  if (!bins || !windowed) {
    free(windowed);
    return HTZ_NO_MEMORY;
  }
  if (isfinite(coarse)) {
    for (size_t i = 0; i < count; ++i) {
      windowed[i] = mono(x, skip + i);
    }
    htz_partials_window(count, windowed);
    *hz = htz_partials_find(count, windowed, rate_hz, coarse, rate_hz / (double)count, NULL);
  }
  free(windowed);
  return HTZ_OK;
}

/** By a straight line through the levels of pieces, from the loudest to the first that is 40 dB below it. */
static double decay(const float* x, size_t frames, double rate_hz) {
  const size_t hop = (size_t)(hop_s * rate_hz), pieces = hop ? frames / hop : 0;
  double loudest = -HUGE_VAL, n = 0.0, t = 0.0, tt = 0.0, l = 0.0, tl = 0.0;
  for (size_t p = 0; p < pieces; ++p) {
    double energy = 0.0;
    for (size_t i = p * hop; i < (p + 1) * hop; ++i) {
      energy += (double)x[2 * i] * (double)x[2 * i] + (double)x[2 * i + 1] * (double)x[2 * i + 1];
    }
    const double level = 10.0 * log10(energy), time = (double)p * hop_s;
    if (level > loudest) { // the line begins anew at the loudest
      loudest = level;
      n = t = tt = l = tl = 0.0;
    }
    if (level < loudest - fallen_db || !isfinite(level)) {
      break;
    }
    n += 1.0;
    t += time;
    tt += time * time;
    l += level;
    tl += time * level;
  }
  const double slope = (n * tl - t * l) / (n * tt - t * t);
  return n > 2.0 && slope < -sustained_db ? -db_60 / slope : NAN;
}

htz_status htz_lab_note_measure(const float* x, size_t frames, double rate_hz, double expected_hz, htz_lab_note* out) {
  size_t onset = 0;
  *out = (htz_lab_note){0.0, NAN, NAN, NAN};
  while (onset < frames && x[2 * onset] == 0.0f && x[2 * onset + 1] == 0.0f) {
    ++onset;
  }
  if (onset == frames) {
    return HTZ_OK;
  }
  for (size_t i = 0; i < 2 * frames; ++i) {
    out->peak = fmax(out->peak, fabs((double)x[i]));
  }
  out->t60_s = decay(x, frames, rate_hz);
  const htz_status st = centroid(x, frames, rate_hz, onset, &out->centroid_hz);
  return st ? st : pitch(x, frames, rate_hz, onset, expected_hz, &out->pitch_hz);
}

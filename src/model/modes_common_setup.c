#include "modes_private.h"

#include <math.h>

static const double nepers_60_db = 6.90775527898213705205; // 3 ln 10: a decay to -60 dB takes this many time constants

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

bool htz_loss_is_times(const htz_loss* loss) {
  return loss->t60_hz[0] > 0.0;
}

bool htz_loss_valid(const htz_loss* loss) {
  if (!(loss->t60_hz[0] >= 0.0))
    return false;
  if (!htz_loss_is_times(loss)) {
    return loss->loss0 >= 0.0 && isfinite(loss->loss0) && loss->loss1 >= 0.0 && isfinite(loss->loss1);
  }
  if (!positive(loss->t60_hz[0]) || !positive(loss->t60_s[0]))
    return false;
  if (loss->t60_hz[1] == 0.0)
    return true;
  return positive(loss->t60_hz[1]) && loss->t60_hz[1] > loss->t60_hz[0] && positive(loss->t60_s[1]);
}

htz_loss_law htz_loss_law_coefficients(const htz_loss* loss) {
  return (htz_loss_law){.offset = loss->loss0, .slope = loss->loss1, .low = 0.0, .high = HUGE_VAL};
}

htz_loss_law htz_loss_law_times(const htz_loss* loss, const double y[2]) {
  const double first = nepers_60_db / loss->t60_s[0];
  htz_loss_law law = {.offset = first, .slope = 0.0, .low = 0.0, .high = HUGE_VAL};
  if (loss->t60_hz[1] == 0.0)
    return law;
  law.slope = (nepers_60_db / loss->t60_s[1] - first) / (y[1] - y[0]);
  law.offset = first - law.slope * y[0];
  if (law.slope < 0.0 || law.offset < 0.0)
    law.low = y[0];
  if (law.slope < 0.0)
    law.high = y[1];
  return law;
}

double htz_loss_at(const htz_loss_law* law, double y) {
  const double limited = y < law->low ? law->low : y > law->high ? law->high : y;
  return law->offset + law->slope * limited;
}

htz_status htz_modes_lay(size_t n, size_t data_n, htz_arena* arena, htz_modes* out, double** data) {
  double* numbers = data_n ? htz_arena_alloc(arena, data_n, sizeof *numbers) : NULL;
  *out = (htz_modes){
      .n = n,
      .omega = htz_arena_alloc(arena, n, sizeof *out->omega),
      .sigma = htz_arena_alloc(arena, n, sizeof *out->sigma),
      .mass = htz_arena_alloc(arena, n, sizeof *out->mass),
      .audible = htz_arena_alloc(arena, n, sizeof *out->audible),
      .data = numbers,
      .data_n = data_n,
  };
  if (!out->omega || !out->sigma || !out->mass || !out->audible || (data_n && !numbers)) {
    *out = (htz_modes){0};
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < n; ++k)
    out->audible[k] = 1;
  if (data)
    *data = numbers;
  return HTZ_OK;
}

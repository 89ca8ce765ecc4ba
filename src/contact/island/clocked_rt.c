#include "clocked.h"

#include "hertzian/dsp/kernels.h"

#include <string.h>

static const double full_scale = 1.0; // what a strike to come may be heard as

static clocked* clocked_of(htz_island* island) {
  return (clocked*)island;
}

static const clocked* clocked_of_const(const htz_island* island) {
  return (const clocked*)island;
}

/** Let the island go on by `n` samples of its clock, heard behind what was. */
static void run(clocked* c, size_t n) {
  float* lines[HTZ_ISLAND_PICKUPS_MAX] = {NULL};
  for (uint32_t l = 0; l < c->base.n_pickups; ++l) {
    lines[l] = c->heard + l * c->room + c->reader.taps + (c->made - c->samples);
    memset(lines[l], 0, n * sizeof(float));
  }
  c->inner->cls->advance(c->inner, (uint32_t)n, lines);
  c->made += n;
}

/** The first of those that wait acts. */
static void act(clocked* c) {
  c->inner->cls->strike(c->inner, &c->strikes[0].strike);
  --c->n_waiting;
  memmove(c->strikes, c->strikes + 1, c->n_waiting * sizeof *c->strikes);
}

/** Whole quanta, but for strikes in their midst, until sample `until` is there. */
static void run_until(clocked* c, uint64_t until) {
  while (c->made < until) {
    while (c->n_waiting && c->strikes[0].due <= c->made) {
      act(c);
    }
    const uint64_t left = c->n_waiting ? c->strikes[0].due - c->made : HTZ_QUANTUM;
    run(c, left < HTZ_QUANTUM ? (size_t)left : HTZ_QUANTUM);
  }
}

static void clocked_advance(htz_island* island, uint32_t frames, float* const* lines) {
  clocked* c = clocked_of(island);
  // Both counts are whole, so that the place of a frame does not drift.
  const uint64_t until = (uint64_t)((double)(c->frames + frames) * c->ratio);
  const size_t n = (size_t)(until - c->samples), taps = c->reader.taps;
  run_until(c, until);
  for (uint32_t l = 0; l < c->base.n_pickups; ++l) {
    float* heard = c->heard + l * c->room;
    for (uint32_t i = 0; i < frames; ++i) {
      const double at = (double)(c->frames + i + 1) * c->ratio;
      const uint64_t last = (uint64_t)at;
      lines[l][i] += htz_fractional_read(&c->reader, heard + (size_t)(last - c->samples), at - (double)last);
    }
    memmove(heard, heard + n, (taps + (size_t)(c->made - until)) * sizeof(float));
  }
  c->frames += frames;
  c->samples = until;
}

/** A quantum later, since the island may be that far ahead: late always alike, to the sample of the clock. */
static void clocked_strike(htz_island* island, const htz_strike* strike) {
  clocked* c = clocked_of(island);
  if (c->n_waiting == WAITING_MAX) {
    act(c);
    ++c->early;
  }
  c->strikes[c->n_waiting++] = (waiting){*strike, c->samples + HTZ_QUANTUM};
}

static void clocked_damp(htz_island* island, double sigma) {
  htz_island* inner = clocked_of(island)->inner;
  inner->cls->damp(inner, sigma);
}

static void clocked_retune(htz_island* island, double ratio, double loss) {
  htz_island* inner = clocked_of(island)->inner;
  inner->cls->retune(inner, ratio, loss);
}

static void clocked_resonate(htz_island* island, double level) {
  htz_island* inner = clocked_of(island)->inner;
  inner->cls->resonate(inner, level);
}

/** What is still to be read out is heard as well: its greatest sample. */
static double still_to_come(const clocked* c) {
  float most = 0.0f;
  for (uint32_t l = 0; l < c->base.n_pickups; ++l) {
    const float* heard = c->heard + l * c->room;
    for (size_t i = 0; i < c->reader.taps + (size_t)(c->made - c->samples); ++i) {
      const float size = heard[i] < 0.0f ? -heard[i] : heard[i];
      most = size > most ? size : most;
    }
  }
  return (double)most + (c->n_waiting ? full_scale : 0.0);
}

static double clocked_energy(const htz_island* island, double* loudness) {
  const clocked* c = clocked_of_const(island);
  const double energy = c->inner->cls->energy(c->inner, loudness);
  *loudness += still_to_come(c);
  return energy;
}

static double clocked_level(const htz_island* island) {
  const clocked* c = clocked_of_const(island);
  double loudness;
  if (c->inner->cls->level) {
    return c->inner->cls->level(c->inner) + still_to_come(c);
  }
  clocked_energy(island, &loudness);
  return loudness;
}

static void clocked_relisten(htz_island* island) {
  htz_island* inner = clocked_of(island)->inner;
  if (inner->cls->relisten) {
    inner->cls->relisten(inner);
  }
}

static void clocked_left_over(htz_island* island, double* lines) {
  htz_island* inner = clocked_of(island)->inner;
  inner->cls->left_over(inner, lines);
}

static bool clocked_busy(const htz_island* island) {
  const clocked* c = clocked_of_const(island);
  return c->n_waiting > 0 || c->inner->cls->busy(c->inner);
}

static void clocked_reset(htz_island* island) {
  clocked* c = clocked_of(island);
  c->inner->cls->reset(c->inner);
  memset(c->heard, 0, c->base.n_pickups * c->room * sizeof(float));
  c->frames = c->samples = c->made = 0;
  c->n_waiting = 0;
}

static htz_island_counters clocked_count(const htz_island* island) {
  const clocked* c = clocked_of_const(island);
  htz_island_counters counted = c->inner->cls->count(c->inner);
  counted.bounds += c->early;
  return counted;
}

static void clocked_influence(htz_island* island, const htz_influence* influence) {
  htz_island* inner = clocked_of(island)->inner;
  if (inner->cls->influence) {
    inner->cls->influence(inner, influence);
  }
}

static bool clocked_disturbed(const htz_island* island, const htz_influence* influence) {
  const htz_island* inner = clocked_of_const(island)->inner;
  return inner->cls->disturbed && inner->cls->disturbed(inner, influence);
}

static bool clocked_retains(const htz_island* island) {
  const htz_island* inner = clocked_of_const(island)->inner;
  return inner->cls->retains && inner->cls->retains(inner);
}

static double clocked_external_work(htz_island* island) {
  htz_island* inner = clocked_of(island)->inner;
  return inner->cls->external_work ? inner->cls->external_work(inner) : 0.0;
}

const htz_island_class htz_clocked_class = {.name = "clocked",
                                            .advance = clocked_advance,
                                            .strike = clocked_strike,
                                            .damp = clocked_damp,
                                            .retune = clocked_retune,
                                            .resonate = clocked_resonate,
                                            .energy = clocked_energy,
                                            .level = clocked_level,
                                            .relisten = clocked_relisten,
                                            .left_over = clocked_left_over,
                                            .busy = clocked_busy,
                                            .reset = clocked_reset,
                                            .count = clocked_count,
                                            .influence = clocked_influence,
                                            .disturbed = clocked_disturbed,
                                            .retains = clocked_retains,
                                            .external_work = clocked_external_work};

#include "smf_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { seconds_per_hour = 3600 };

static const double greatest_rate = 1.0e7;   // [Hz] ten times any converter, and the products below stay under 2^63
static const double least_tempo = 0.01;      // speed factor
static const double greatest_tempo = 100.0;  // speed factor
static const uint64_t tempo_steps = 1000000; // resolution of the speed factor: one millionth

/* Merge two sorted neighbours, the left one first where ticks are equal. */
static void merge(const htz_smf_tempo* from, htz_smf_tempo* to, size_t left, size_t middle, size_t right) {
  size_t a = left;
  size_t b = middle;
  for (size_t i = left; i < right; ++i) {
    const bool take_left = a < middle && (b >= right || from[a].tick <= from[b].tick);
    to[i] = from[take_left ? a++ : b++];
  }
}

/* Sort stably by tick. (qsort is not stable, and may be quadratic.) `items` may be exchanged for `*spare`. */
static void sort_tempos(htz_smf_tempo** items, htz_smf_tempo** spare, size_t count) {
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t left = 0; left < count; left += 2 * width) {
      const size_t middle = count - left < width ? count : left + width;
      const size_t right = count - middle < width ? count : middle + width;
      merge(*items, *spare, left, middle, right);
    }
    htz_smf_tempo* const sorted = *spare;
    *spare = *items;
    *items = sorted;
  }
}

/*
   Give the tempos of a sequence their times and find its end. `limit` is the time [unit] at which the song must be over.

   @return false when it is not
*/
static bool time_sequence(htz_smf* smf, htz_smf_sequence* sequence, uint64_t limit) {
  htz_smf_tempo* tempos = smf->tempos + sequence->first_tempo;
  uint64_t end_tick = 0;
  for (size_t i = 0; i < sequence->tracks; ++i) {
    const uint64_t tick = smf->tracks[sequence->first_track + i].end_tick;
    end_tick = tick > end_tick ? tick : end_tick;
  }
  tempos[0].time = sequence->start;
  for (size_t i = 0; i < sequence->tempos; ++i) {
    const bool last = i + 1 == sequence->tempos;
    const uint64_t next_tick = last ? end_tick : tempos[i + 1].tick;
    const uint64_t ticks = next_tick - tempos[i].tick; // end_tick is that of the last event, tempos included
    const uint64_t fitting = (limit - tempos[i].time) / tempos[i].per_tick;
    if (ticks > fitting) {
      sequence->tempos = i + 1;
      sequence->last_tick = tempos[i].tick + fitting;
      sequence->end = tempos[i].time + fitting * tempos[i].per_tick;
      return false;
    }
    const uint64_t time = tempos[i].time + ticks * tempos[i].per_tick;
    if (last) {
      sequence->last_tick = end_tick;
      sequence->end = time;
    } else {
      tempos[i + 1].time = time;
    }
  }
  return true;
}

/* One sequence for each track of a type 2 file, otherwise one for all. Tempos stand in the order of tracks. */
static void arrange(htz_smf* smf) {
  if (smf->info.format != 2) {
    smf->sequences[0] = (htz_smf_sequence){.tracks = smf->track_count, .tempos = smf->tempo_count};
    return;
  }
  size_t tempo = 0;
  for (size_t i = 0; i < smf->track_count; ++i) {
    const size_t first = tempo++; // each track's tempos begin with the default at tick 0, and only they stand there
    while (tempo < smf->tempo_count && smf->tempos[tempo].tick > smf->tempos[tempo - 1].tick) {
      ++tempo;
    }
    smf->sequences[i] = (htz_smf_sequence){.first_track = i, .tracks = 1, .first_tempo = first, .tempos = tempo - first};
  }
}

htz_status htz_smf_build_tempos(htz_smf* smf, htz_smf_diag* diag) {
  smf->sequence_count = smf->info.format == 2 ? smf->track_count : 1;
  smf->sequences = calloc(smf->sequence_count, sizeof *smf->sequences);
  htz_smf_tempo* spare = smf->info.format == 2 ? NULL : malloc(smf->tempo_count * sizeof *spare);
  if (!smf->sequences || (!spare && smf->info.format != 2)) {
    free(spare);
    return HTZ_NO_MEMORY;
  }
  if (spare) {
    sort_tempos(&smf->tempos, &spare, smf->tempo_count);
    smf->tempo_room = smf->tempo_count;
  }
  free(spare);
  if (smf->smpte) {
    for (size_t i = 0; i < smf->tempo_count; ++i) {
      smf->tempos[i].per_tick = smf->smpte_per_tick;
    }
  }
  arrange(smf);

  const uint64_t limit = smf->info.units_per_second * HTZ_SMF_MAX_HOURS * seconds_per_hour;
  uint64_t start = 0;
  for (size_t i = 0; i < smf->sequence_count; ++i) {
    htz_smf_sequence* sequence = &smf->sequences[i];
    sequence->start = start;
    if (!time_sequence(smf, sequence, limit)) {
      htz_smf_damage(smf, diag, smf->tracks[sequence->first_track].begin, "the song goes on beyond %d hours, the rest is lost",
                     HTZ_SMF_MAX_HOURS);
      smf->sequence_count = i + 1;
    }
    start = sequence->end;
  }
  smf->info.end = start;
  return HTZ_OK;
}

double htz_smf_seconds(const htz_smf* smf, uint64_t time) {
  const uint64_t unit = smf->info.units_per_second;
  return (double)(time / unit) + (double)(time % unit) / (double)unit;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

htz_status htz_smf_clock_init(const htz_smf* smf, double rate_hz, double tempo, htz_smf_clock* clock) {
  if (!(rate_hz >= 1.0 && rate_hz <= greatest_rate) || rate_hz != floor(rate_hz)) {
    return HTZ_BAD_VALUE;
  }
  if (!(tempo >= least_tempo && tempo <= greatest_tempo)) {
    return HTZ_BAD_VALUE;
  }
  const uint64_t steps = (uint64_t)llround(tempo * (double)tempo_steps); // >= 1e4
  const uint64_t frames = (uint64_t)rate_hz * tempo_steps;               // <= 1e13
  const uint64_t units = smf->info.units_per_second * steps;             // <= 32767e6 * 1e8 < 2^62
  const uint64_t divisor = common_divisor(frames, units);
  *clock = (htz_smf_clock){.frames = frames / divisor, .units = units / divisor};
  return HTZ_OK;
}

uint64_t htz_smf_frame_of(const htz_smf_clock* clock, uint64_t time) {
  const uint64_t units = clock->units;
  const uint64_t rest = time % units;
  uint64_t quotient = 0;
  uint64_t remainder = 0;
  // rest * frames / units bit by bit, because the product may need 106 bits: `remainder` stays below `units` < 2^62.
  for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1) {
    if (bit > clock->frames) {
      continue;
    }
    quotient *= 2;
    remainder = 2 * remainder;
    if (remainder >= units) {
      remainder -= units;
      ++quotient;
    }
    if (clock->frames & bit) {
      remainder += rest;
      if (remainder >= units) {
        remainder -= units;
        ++quotient;
      }
    }
  }
  return time / units * clock->frames + quotient + (2 * remainder >= units ? 1 : 0);
}

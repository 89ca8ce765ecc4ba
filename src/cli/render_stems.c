#include "render_stems.h"

#include "take_names.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned channel;
  htz_sound_out* file;
  htz_take take;
  char path[HTZ_STEMS_PATH];
} stem;

struct htz_stems {
  size_t n;
  stem of[];
};

static bool to_file(void* user, const float* samples, size_t frames) {
  const stem* s = user;
  return htz_sound_out_write(s->file, samples, frames) == HTZ_OK;
}

void htz_stem_path(const char* output, unsigned channel, char path[HTZ_STEMS_PATH]) {
  const char* ending = htz_name_ending(output);
  snprintf(path, HTZ_STEMS_PATH, "%.*s-ch%02u%s", (int)(ending - output), output, channel + 1, ending);
}

static htz_status open_stem(const htz_job* job, const htz_take* take, stem* s, char why[HTZ_STEMS_WHY]) {
  char reason[HTZ_SOUND_WHY];
  htz_stem_path(job->output, s->channel, s->path);
  const htz_sound_desc desc = {.path = s->path,
                               .container = job->container,
                               .encoding = job->encoding,
                               .rate_hz = (unsigned)job->options->rate_hz,
                               .channels = HTZ_TAKE_CHANNELS,
                               .no_clobber = job->options->no_clobber};
  s->take = *take;
  s->take.sink = to_file;
  s->take.user = s;
  const htz_status status = htz_sound_out_open(&desc, &s->file, reason);
  if (status) {
    snprintf(why, HTZ_STEMS_WHY, "%s: %s", s->path, reason);
  }
  return status;
}

static bool plays(const htz_notes* notes, unsigned channel) {
  for (size_t i = 0; i < notes->n_of; i++) {
    if (notes->of[i].channel == channel) {
      return true;
    }
  }
  return false;
}

htz_status htz_stems_open(const htz_job* job, const htz_notes* notes, const htz_take* take, htz_stems** out,
                          char why[HTZ_STEMS_WHY]) {
  htz_stems* stems = calloc(1, sizeof *stems + HTZ_SMF_CHANNELS * sizeof stems->of[0]);
  htz_status status = stems ? HTZ_OK : HTZ_NO_MEMORY;
  *out = stems;
  snprintf(why, HTZ_STEMS_WHY, "%s", htz_status_text(status));
  for (unsigned channel = 0; channel < HTZ_SMF_CHANNELS && !status; channel++) {
    if (plays(notes, channel)) {
      stem* s = &stems->of[stems->n++];
      s->channel = channel;
      status = open_stem(job, take, s, why);
    }
  }
  return status;
}

void htz_stems_quantum(htz_stems* stems, const htz_take* leader, float (*sound)[2][HTZ_QUANTUM], float gain) {
  float both[HTZ_QUANTUM * HTZ_TAKE_CHANNELS];
  for (size_t n = 0; n < stems->n; n++) {
    float(*of)[HTZ_QUANTUM] = sound[stems->of[n].channel];
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      both[i * HTZ_TAKE_CHANNELS] = of[0][i] * gain;
      both[i * HTZ_TAKE_CHANNELS + 1] = of[1][i] * gain;
    }
    htz_take_follow(&stems->of[n].take, leader, both);
  }
}

htz_status htz_stems_commit(htz_stems* stems, uint64_t* clipped, char why[HTZ_STEMS_WHY]) {
  *clipped = 0;
  for (size_t n = 0; n < stems->n; n++) {
    stem* s = &stems->of[n];
    // All are complete before the first takes its place; a write of nothing repeats a failure.
    if (htz_sound_out_write(s->file, NULL, 0)) {
      snprintf(why, HTZ_STEMS_WHY, "%s: %s", s->path, htz_sound_out_error(s->file));
      return htz_sound_out_status(s->file);
    }
    *clipped += htz_sound_out_stats(s->file).clipped;
  }
  for (size_t n = 0; n < stems->n; n++) {
    stem* s = &stems->of[n];
    if (htz_sound_out_commit(s->file)) {
      snprintf(why, HTZ_STEMS_WHY, "%s: %s", s->path, htz_sound_out_error(s->file));
      return htz_sound_out_status(s->file);
    }
  }
  return HTZ_OK;
}

uint16_t htz_stems_channels(const htz_stems* stems) {
  uint16_t channels = 0;
  for (size_t n = 0; n < stems->n; n++) {
    channels = (uint16_t)(channels | 1u << stems->of[n].channel);
  }
  return channels;
}

void htz_stems_free(htz_stems* stems) {
  for (size_t n = 0; stems && n < stems->n; n++) {
    htz_sound_out_free(stems->of[n].file);
  }
  free(stems);
}

#include "hertzian/host/drive_file.h"

#include "hertzian/dsp/resample.h"
#include "hertzian/io/sound_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct htz_drive_file {
  htz_sound_in* in;
  htz_resampler* resampler;
  uint64_t frames;
  bool ended; // the file has been read to its end
};

static htz_status open_both(const char* path, double rate_hz, htz_drive_file* drive, char why[HTZ_DRIVE_WHY]) {
  htz_sound_in_info info;
  const uint32_t out_hz = (uint32_t)lround(rate_hz);
  htz_status st = htz_sound_in_open(path, &drive->in, &info, why);
  if (st) {
    return st;
  }
  st = htz_resampler_new(info.rate_hz, out_hz, &drive->resampler);
  if (st == HTZ_BAD_VALUE) {
    snprintf(why, HTZ_DRIVE_WHY, "its sample rate is %u Hz; %d to %d is allowed", (unsigned)info.rate_hz, HTZ_RESAMPLE_HZ_MIN,
             HTZ_RESAMPLE_HZ_MAX);
    return HTZ_BAD_INPUT;
  }
  if (st) {
    snprintf(why, HTZ_DRIVE_WHY, "%s", htz_status_text(st));
    return st;
  }
  drive->frames = htz_resampler_length(info.frames, info.rate_hz, out_hz);
  return HTZ_OK;
}

htz_status htz_drive_file_open(const char* path, double rate_hz, htz_drive_file** out, char why[HTZ_DRIVE_WHY]) {
  *out = NULL;
  htz_drive_file* drive = calloc(1, sizeof *drive);
  if (!drive) {
    snprintf(why, HTZ_DRIVE_WHY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  const htz_status st = open_both(path, rate_hz, drive, why);
  if (st) {
    htz_drive_file_free(drive);
    return st;
  }
  *out = drive;
  return HTZ_OK;
}

uint64_t htz_drive_file_frames(const htz_drive_file* drive) {
  return drive->frames;
}

bool htz_drive_file_read(htz_drive_file* drive, float* out, size_t frames) {
  size_t done = htz_resampler_take(drive->resampler, out, frames);
  while (done < frames && !drive->ended) {
    size_t room = 0;
    float* to = htz_resampler_room(drive->resampler, &room);
    const size_t got = htz_sound_in_read(drive->in, to, room);
    htz_resampler_feed(drive->resampler, got);
    if (got < room) {
      drive->ended = true;
      htz_resampler_end(drive->resampler);
    }
    done += htz_resampler_take(drive->resampler, out + done, frames - done);
  }
  memset(out + done, 0, (frames - done) * sizeof *out);
  return done > 0;
}

const char* htz_drive_file_fault(const htz_drive_file* drive) {
  return htz_sound_in_fault(drive->in);
}

bool htz_drive_file_changed(const htz_drive_file* drive, char what[HTZ_DRIVE_WHY]) {
  const htz_sound_in_count count = htz_sound_in_counted(drive->in);
  size_t used = 0;
  if (count.broken > 0) {
    used += (size_t)snprintf(what, HTZ_DRIVE_WHY, "%llu frames are no numbers (NaN, infinite), silence in their place",
                             (unsigned long long)count.broken);
  }
  if (count.beyond > 0) {
    snprintf(what + used, HTZ_DRIVE_WHY - used, "%s%llu frames are beyond %d times full scale, held to that", used ? "; " : "",
             (unsigned long long)count.beyond, (int)HTZ_SOUND_IN_MOST);
  }
  return count.broken + count.beyond > 0;
}

void htz_drive_file_free(htz_drive_file* drive) {
  if (drive) {
    htz_sound_in_free(drive->in);
    htz_resampler_free(drive->resampler);
    free(drive);
  }
}

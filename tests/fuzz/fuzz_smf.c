#include "played.h"

#include "hertzian/midi/smf.h"
#include "hertzian/midi/sysex.h"

#include <stdlib.h>
#include <string.h>

static void require_one_line(const htz_smf_diag* diag) {
  const size_t length = strlen(diag->text);
  fuzz_require(length < sizeof diag->text);
  for (size_t i = 0; i < length; ++i) {
    fuzz_require(diag->text[i] >= ' ' && diag->text[i] <= '~');
  }
}

static void play(const htz_smf* smf, double rate_hz, double tempo) {
  const htz_smf_info* info = htz_smf_get_info(smf);
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  htz_smf_event last = {0};
  uint64_t count = 0;
  uint64_t notes = 0;
  uint64_t dials = 0;
  uint8_t pedals[HTZ_SMF_CHANNELS][2] = {{0}};
  fuzz_require(!htz_smf_clock_init(smf, rate_hz, tempo, &clock));
  fuzz_require(!htz_smf_iter_new(smf, &clock, &iter));
  while (htz_smf_iter_next(iter, &event)) {
    fuzz_require(event.time >= last.time && event.frame >= last.frame && event.time <= info->end);
    fuzz_require(event.frame == htz_smf_frame_of(&clock, event.time));
    // Within a frame of what double precision makes of it (100 h at 192 kHz and tempo 0.01 is below 2^43 frames).
    const double frame = htz_smf_seconds(smf, event.time) / tempo * rate_hz;
    fuzz_require(frame - (double)event.frame < 1.0 && frame - (double)event.frame > -1.0);
    fuzz_require(event.track < info->tracks);
    fuzz_require(event.status >= 0x80 && (event.status <= 0xF0 || event.status == 0xFF) && event.data1 < 0x80 &&
                 event.data2 < 0x80);
    fuzz_require((event.status & 0xF0) != 0x90 || event.data2 > 0);
    if (event.status == 0xF0 && event.data1 == HTZ_SYSTEM_DIAL) {
      const htz_smf_dial dial = htz_smf_dial_at(smf, event.value);
      volatile uint8_t sum = 0;
      for (size_t i = 0; i < dial.size; ++i) {
        sum = (uint8_t)(sum + (uint8_t)dial.text[i]); // all of it is in the song, else the sanitizer says so
      }
      ++dials;
    }
    notes += (event.status & 0xF0) == 0x90 ? 1 : 0;
    if (event.status == 0xFF || (event.status == 0xF0 && event.data1 == HTZ_SYSTEM_RESET)) {
      memset(pedals, 0, sizeof pedals);
    } else if ((event.status & 0xF0) == 0xB0 && event.data1 == 121) {
      memset(pedals[event.status & 0xF], 0, sizeof *pedals);
    } else if ((event.status & 0xF0) == 0xB0 && (event.data1 == 64 || event.data1 == 66)) {
      pedals[event.status & 0xF][event.data1 == 66] = event.data2;
    }
    last = event;
    ++count;
  }
  for (unsigned c = 0; c < HTZ_SMF_CHANNELS; ++c) {
    fuzz_require((info->pedals_down >> c & 1U) == (pedals[c][0] || pedals[c][1]));
  }
  fuzz_require(!htz_smf_iter_next(iter, &event));
  htz_smf_iter_free(iter);
  fuzz_require(count == info->events && notes == info->notes && dials == info->dials && last.time == info->last_event);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  const htz_status status = htz_smf_load(data, size, &smf, &diag);
  require_one_line(&diag);
  if (status) {
    fuzz_require(status == HTZ_BAD_INPUT && !smf && diag.text[0]);
    return 0;
  }
  const htz_smf_info* info = htz_smf_get_info(smf);
  fuzz_require((info->damage > 0) == (diag.text[0] != '\0'));
  fuzz_require(info->tracks >= 1 && info->format <= 2 && info->units_per_second > 0);
  fuzz_require(info->missing_offs <= info->notes && info->notes <= info->events && info->events <= size);
  fuzz_require(htz_smf_seconds(smf, info->end) <= 3600.0 * HTZ_SMF_MAX_HOURS);
  play(smf, 48000.0, 1.0);
  play(smf, 192000.0, 0.01);
  fuzz_require(htz_smf_unfold(&smf) == HTZ_OK);
  play(smf, 48000.0, 1.0);
  htz_smf_free(smf);
  return 0;
}

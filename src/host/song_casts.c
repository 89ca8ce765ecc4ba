#include "hertzian/host/song_casts.h"

#include "hertzian/midi/sysex.h"

#include <stdlib.h>
#include <string.h>

/** By a map, while it has no parts. */
static htz_status walk(const htz_smf* song, const htz_orchestra* orchestra, const htz_dial_span* dials, htz_midi_map* map,
                       htz_song_casts* out) {
  htz_smf_iter* events = NULL;
  htz_smf_event event;
  const htz_status status = htz_smf_iter_new(song, NULL, &events); // only their order matters
  while (!status && htz_smf_iter_next(events, &event)) {
    const unsigned channel = event.status & HTZ_MIDI_CHANNEL_MASK, note = event.data1 & 0x7F;
    if ((event.status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON && event.data2 > 0) {
      htz_cast_add(&out->of[channel], htz_midi_map_cast(map, channel));
      out->notes[channel][note / 64] |= UINT64_C(1) << (note % 64);
      continue;
    }
    const htz_dial* dial = htz_dial_of(dials, &event);
    if (dial && dial->kind == HTZ_DIAL_CHANGE) {
      htz_dial_turn(dial, orchestra->cast_of, map);
    }
    const htz_midi_message message = {.frame = event.frame,
                                      .status = event.status,
                                      .data1 = event.data1,
                                      .data2 = event.data2,
                                      .length = event.length,
                                      .value = event.value};
    htz_midi_map_message(map, &message);
  }
  htz_smf_iter_free(events);
  return status;
}

htz_status htz_song_casts_find(const htz_smf* song, const htz_orchestra* orchestra, const htz_performance* performance,
                               const htz_dial_span* dials, htz_song_casts* out) {
  memset(out, 0, sizeof *out);
  htz_midi_map* map = malloc(sizeof *map);
  if (!map) {
    return HTZ_NO_MEMORY;
  }
  htz_performance_begin(performance, map, NULL);
  htz_orchestra_tell(orchestra, map);
  const htz_status status = walk(song, orchestra, dials, map, out);
  free(map);
  return status;
}

#include "hertzian/host/song_span.h"

#include <math.h>

static bool held_at_end(const htz_smf_info* info, uint16_t channels) {
  for (unsigned c = 0; c < HTZ_SMF_CHANNELS; c++) {
    for (unsigned key = 0; channels >> c & 1u && key < HTZ_SMF_KEYS; key++) {
      if (info->held[c][key] > 0) {
        return true;
      }
    }
  }
  return (info->pedals_down & channels) != 0;
}

htz_status htz_song_span_init(htz_song_span* span, const htz_smf* song, const htz_song_wish* wish) {
  const htz_smf_info* info = htz_smf_get_info(song);
  const htz_status status = htz_smf_clock_init(song, wish->rate_hz, wish->tempo, &span->clock);
  if (status) {
    return status;
  }
  const uint64_t eot = htz_smf_frame_of(&span->clock, info->end);
  const uint64_t end = eot > wish->least ? eot : wish->least;
  span->lead = htz_smf_frame_of(&span->clock, info->lead);
  const double end_wished = (double)span->lead + round(wish->end_s * wish->rate_hz);
  span->start = span->lead + (uint64_t)llround(wish->start_s * wish->rate_hz);
  span->last = held_at_end(info, wish->channels) ? end : htz_smf_frame_of(&span->clock, info->last_event);
  span->last = span->last > span->lead ? span->last : span->lead;
  span->cut = end_wished < (double)span->last;
  span->close = span->cut ? (uint64_t)end_wished : span->last;
  span->end = end > span->close ? ((double)end < end_wished ? end : (uint64_t)end_wished) : span->close;
  return HTZ_OK;
}

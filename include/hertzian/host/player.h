#ifndef HERTZIAN_HOST_PLAYER_H
#define HERTZIAN_HOST_PLAYER_H

#include "hertzian/engine/engine.h"
#include "hertzian/host/dials.h"
#include "hertzian/host/drive_file.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/host/performance.h"
#include "hertzian/midi/map.h"
#include "hertzian/midi/smf.h"

/*
   A song on its way through the map and the engine. Built on any thread, then used by one, the render thread. What has to be done for it
   while it goes - a part that a live performance freed is built anew - that thread does.
*/
typedef struct htz_player htz_player;

typedef struct {
  const htz_smf* song;                ///< must outlive the player
  const htz_orchestra* orchestra;     ///< likewise
  const htz_performance* performance; ///< likewise
  htz_dial_span dials;                ///< what was dialled in; outlives the player, too
  double rate_hz;
  double tempo;          ///< speed factor
  htz_drive_file* drive; ///< what drives hammers, read by the render thread; or NULL
  uint64_t close;        ///< held keys and pedals are released and nothing is played from here on [frame]
  bool cut;              ///< `close` lies within the song: events at `close` itself are left out too
} htz_player_desc;

/** @param why receives one line, static text @return HTZ_OK, HTZ_BAD_VALUE or HTZ_NO_MEMORY */
htz_status htz_player_new(const htz_player_desc* desc, htz_player** out, const char** why);

/** Free a player; NULL is allowed. */
void htz_player_free(htz_player* player);

/** Produce the next HTZ_QUANTUM frames. */
void htz_player_quantum(htz_player* player, float* left, float* right);

/** The same, but every channel's sound by itself: `sound` [HTZ_MIDI_CHANNELS], left and right. */
void htz_player_quantum_apart(htz_player* player, float (*sound)[2][HTZ_QUANTUM]);

/** HTZ_OK, or what there was no more of for a part that was needed meanwhile. Render thread. */
htz_status htz_player_status(const htz_player* player);

/** Parts that were freed when the song was taken, and here sound on: it is not the same sound then. Render thread. */
uint64_t htz_player_kept(const htz_player* player);

/** Counters of the engine and of the map, so far. Render thread. */
htz_engine_counters htz_player_engine_counters(const htz_player* player);
htz_map_counters htz_player_map_counters(const htz_player* player);

#endif

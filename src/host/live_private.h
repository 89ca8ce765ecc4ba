#ifndef HERTZIAN_HOST_LIVE_PRIVATE_H
#define HERTZIAN_HOST_LIVE_PRIVATE_H

#include "hertzian/host/live.h"

/* What the audio thread's files share: messages on their way to the map, and the song's part in it. */

enum { PEDALS = 3 };

/** Controllers of the pedals, in the order of htz_live_source.pedal. */
extern const uint8_t htz_live_pedals[PEDALS];

/** `channel` has turned to other instruments: parts for them are wanted. */
HTZ_RT void htz_live_ask(htz_live* live, unsigned channel);

/** True when what the channel has chosen has `role` play on it. */
HTZ_RT bool htz_live_has_role(const htz_live* live, unsigned channel, unsigned role);

/** Say how many parts of `role` are in use or waited for. */
HTZ_RT void htz_live_count_asked(htz_live* live, unsigned role);

/** Do what the control thread ordered. */
HTZ_RT void htz_live_obey_orders(htz_live* live);

/** Do what was dialled in when the song that plays was taken. */
HTZ_RT void htz_live_song_dial(htz_live* live, uint32_t number, uint64_t frame);

/** A song begins: what songs have dialled in goes back to what the player did. */
HTZ_RT void htz_live_song_undial(htz_live* live, uint64_t frame);

/** Tell whoever writes down what is played of what was dialled in. */
HTZ_RT void htz_live_tell(htz_live* live, htz_live_said said, uint32_t value, uint64_t frame);

/** Let go of a part that nobody plays, where there are too many. A pass over all. */
HTZ_RT void htz_live_retire(htz_live* live);

/** Note what `source` holds after this message. */
HTZ_RT void htz_live_follow(htz_live* live, htz_live_source* source, const htz_midi_message* m);

/** Hand a message to the map, and to whoever writes down what was played. */
HTZ_RT void htz_live_deliver(htz_live* live, const htz_midi_message* m);

/** The same of a message of three bytes. */
HTZ_RT void htz_live_send(htz_live* live, uint8_t status, uint8_t data1, uint8_t data2, uint64_t frame);

/** Release the keys and lift the pedals of one source and no other; `centre`: its wheels, too. */
HTZ_RT void htz_live_release(htz_live* live, size_t index, bool centre, uint64_t frame);

/** What was asked of the song since the last quantum: to go on elsewhere, to pause, to go on; and whether it still has to wait. */
HTZ_RT void htz_live_song_turn(htz_live* live, uint64_t now);

/** Make the song's next item the next message of its source, at its frame of the engine. */
HTZ_RT void htz_live_song_pull(htz_live* live, uint64_t now);

/** Obey that item at `frame`. */
HTZ_RT void htz_live_song_obey(htz_live* live, uint64_t frame);

/** The quantum is over: so is one of the song's clock, if it goes. */
HTZ_RT void htz_live_song_advance(htz_live* live);

#endif

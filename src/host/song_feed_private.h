#ifndef HERTZIAN_HOST_SONG_FEED_PRIVATE_H
#define HERTZIAN_HOST_SONG_FEED_PRIVATE_H

#include "hertzian/host/song_feed.h"

/* What the thread of a song feed does: walk songs (song_feed.c), and know what they set (song_feed_state.c). */

/** True when there is something else to do than what is being done. */
bool htz_feed_leaves(const htz_song_feed* feed);

/** Put an item into the ring, waiting for room. @return false when there is something else to do than that */
bool htz_feed_put(htz_song_feed* feed, const htz_song_item* item);

/** Bring a channel from where a reset puts it to what has been heard. @return as htz_feed_put() */
bool htz_feed_put_heard(htz_song_feed* feed, unsigned channel);

/**
   Bring it back from there: whatever a song has ever moved, since what is thrown away with the ring may or may not have been heard.

   @return as htz_feed_put(); what has been heard is not known any more
*/
bool htz_feed_put_default(htz_song_feed* feed, unsigned channel);

/** The same of what is every channel's: master volume and tunings. */
bool htz_feed_put_system_heard(htz_song_feed* feed);
bool htz_feed_put_system_default(htz_song_feed* feed);

/** Note what the event sets. */
void htz_feed_hear(htz_song_feed* feed, const htz_smf_event* event);

#endif

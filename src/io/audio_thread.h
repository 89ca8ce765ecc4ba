#ifndef HERTZIAN_IO_AUDIO_THREAD_H
#define HERTZIAN_IO_AUDIO_THREAD_H

#include <stdbool.h>

enum {
  HTZ_PRIORITY_AUDIO = 60, ///< above the kernel's own interrupt threads (50), below its watchdogs (99)
  HTZ_PRIORITY_MIDI = 45,  ///< below audio: a late byte is a late note, a late block is a click
};

/**
   Give the calling thread real-time priority (SCHED_FIFO), as far as the process may.

   @param wish   1..99, 0: `usual`, below 0: none
   @param usual  what 0 stands for
   @return whether the thread is real-time now, whoever made it so
*/
bool htz_thread_realtime(int wish, int usual);

#endif

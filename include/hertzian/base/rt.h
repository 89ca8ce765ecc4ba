#ifndef HERTZIAN_BASE_RT_H
#define HERTZIAN_BASE_RT_H

#include <stdbool.h>

/**
   Marks a function that may run on the audio thread.

   Such a function does not allocate, lock, log, make a system call or loop without a bound, and cannot fail. It lives in a
   file named `*_rt.c` (a test checks what those objects link to) or is inline.
*/
#define HTZ_RT

/**
   Declare that this thread is now inside (outside) audio-thread code.

   Sections nest. The allocator guard of the test build aborts the process when memory is allocated or freed inside one.
   Any thread; each thread has its own count.
*/
void htz_rt_enter(void);
void htz_rt_leave(void);

/** True between htz_rt_enter() and htz_rt_leave() on this thread. */
bool htz_rt_inside(void);

/**
   Make denormal numbers count as zero on this thread (FTZ and DAZ on x86, FZ on ARM), where the processor can.

   Call it first thing on every audio and render thread.
*/
HTZ_RT void htz_rt_flush_denormals(void);

#endif

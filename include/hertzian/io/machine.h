#ifndef HERTZIAN_IO_MACHINE_H
#define HERTZIAN_IO_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/**
   What the system lets a program have that must not be late, and how to get what it does not. Set-up threads.

   Hints are one line without a full stop.
*/

enum { HTZ_MACHINE_HINT = 256 };

/**
   Keep every page of the program that is or will be in memory there: a page that was swapped out costs the audio thread milliseconds. Pages
   that nobody has touched take no memory all the same.

   @return false with `hint` filled when it is not allowed without a limit
*/
bool htz_machine_lock_memory(char hint[HTZ_MACHINE_HINT]);

/** Whether htz_machine_lock_memory() would be allowed. */
bool htz_machine_may_lock(char hint[HTZ_MACHINE_HINT]);

/** Highest real-time priority that a thread may have here, 0 none, then with `hint` filled. */
int htz_machine_priority(char hint[HTZ_MACHINE_HINT]);

/**
   How processors choose their frequency ("performance", "powersave", ...): the first whose choice costs time, else any.

   @return false when the system does not say
*/
bool htz_machine_governor(char name[32], char hint[HTZ_MACHINE_HINT]);

#endif

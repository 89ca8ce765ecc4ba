#ifndef HERTZIAN_BASE_ARENA_H
#define HERTZIAN_BASE_ARENA_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/**
   A bump allocator that owns everything one instrument (or one engine) needs.

   It is used twice: a *measuring* arena hands out temporary memory and counts it; then one block of exactly that size is
   taken and the same construction is run again on it. Set-up threads only; one owner at a time.
*/
typedef struct {
  unsigned char* memory; ///< [config] one block, or NULL while measuring
  size_t size;           ///< [config] bytes in `memory`
  size_t cold;           ///< [state] of those, bytes handed out from the end
  size_t used;           ///< [state] bytes handed out, alignment included
  void* chunks;          ///< [state] temporary chunks of a measuring arena
  bool failed;           ///< [state] an allocation was refused
} htz_arena;

enum { HTZ_ALIGN = 64 }; ///< alignment of every allocation [byte]: one cache line, one AVX-512 vector

/** Start a measuring arena. */
void htz_arena_measure(htz_arena* arena);

/** Take one zeroed block of `size` bytes. Pages that are never touched stay without memory. @return HTZ_OK or HTZ_NO_MEMORY. */
htz_status htz_arena_init(htz_arena* arena, size_t size);

/**
   Hand out `count` items of `size` bytes, zeroed and 64-byte aligned.

   @return NULL when memory (or the measured block) is used up or count*size overflows; `arena->failed` is then set and stays
   so, so that a constructor may check once at its end.
*/
void* htz_arena_alloc(htz_arena* arena, size_t count, size_t size);

/**
   The same, from the other end of the block: for memory that may never be used, kept off the pages of what is, so that it takes
   no memory until it is touched.
*/
void* htz_arena_alloc_cold(htz_arena* arena, size_t count, size_t size);

/** Free everything the arena handed out. */
void htz_arena_free(htz_arena* arena);

#endif

#ifndef HERTZIAN_BASE_RING_H
#define HERTZIAN_BASE_RING_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/**
   A lock-free ring for one producer thread and one consumer thread, of fixed-size plain-data items.

   Each index has one owner and its own cache line; both use C11 atomics with acquire and release order, which the thread
   sanitizer can see.
*/
typedef struct {
  unsigned char* items;                      ///< [config] capacity * item_size bytes
  size_t item_size;                          ///< [config] bytes per item
  size_t mask;                               ///< [config] capacity - 1, capacity a power of two
  _Alignas(64) atomic_size_t head;           ///< [state] next to read; the consumer's
  _Alignas(64) atomic_size_t tail;           ///< [state] next to write; the producer's
  _Alignas(64) atomic_uint_fast64_t refused; ///< [state] pushes that found the ring full
} htz_ring;

/** Lay a ring of at least `capacity` items (rounded up to a power of two) into `arena`. @return HTZ_OK, HTZ_BAD_VALUE or HTZ_NO_MEMORY. */
htz_status htz_ring_init(htz_ring* ring, size_t capacity, size_t item_size, htz_arena* arena);

/** Append a copy of `item`. Producer thread. @return false, and count it, when the ring is full. */
HTZ_RT bool htz_ring_push(htz_ring* ring, const void* item);

/** Copy the oldest item to `item` without removing it. Consumer thread. @return false when empty. */
HTZ_RT bool htz_ring_peek(htz_ring* ring, void* item);

/** Remove the oldest item, copying it to `item` when that is not NULL. Consumer thread. @return false when empty. */
HTZ_RT bool htz_ring_pop(htz_ring* ring, void* item);

/** Items waiting. Either thread; the other side may be changing it. */
HTZ_RT size_t htz_ring_count(const htz_ring* ring);

/** Items appended and items removed so far, modulo the width of size_t. Any thread. */
HTZ_RT size_t htz_ring_pushed(const htz_ring* ring);
HTZ_RT size_t htz_ring_popped(const htz_ring* ring);

/** Pushes refused so far. Any thread. */
HTZ_RT uint64_t htz_ring_refused(const htz_ring* ring);

#endif

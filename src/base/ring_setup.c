#include "hertzian/base/ring.h"

htz_status htz_ring_init(htz_ring* ring, size_t capacity, size_t item_size, htz_arena* arena) {
  const size_t largest = SIZE_MAX / 2 + 1; // greatest power of two a size_t holds
  if (capacity == 0 || capacity > largest || item_size == 0) {
    return HTZ_BAD_VALUE;
  }
  size_t rounded = 1;
  while (rounded < capacity) {
    rounded *= 2;
  }
  unsigned char* items = htz_arena_alloc(arena, rounded, item_size);
  if (!items) {
    return HTZ_NO_MEMORY;
  }
  ring->items = items;
  ring->item_size = item_size;
  ring->mask = rounded - 1;
  atomic_init(&ring->head, 0);
  atomic_init(&ring->tail, 0);
  atomic_init(&ring->refused, 0);
  return HTZ_OK;
}

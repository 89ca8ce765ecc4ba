#include "hertzian/base/ring.h"

#include <string.h>

// head and tail count up without end and are masked when used: equal means empty, a full capacity apart means full, and no
// slot is wasted. Their difference is right across the wrap of size_t because the capacity is a power of two.

static unsigned char* slot(const htz_ring* ring, size_t index) {
  return ring->items + (index & ring->mask) * ring->item_size;
}

bool htz_ring_push(htz_ring* ring, const void* item) {
  const size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed); // ours
  const size_t head = atomic_load_explicit(&ring->head, memory_order_acquire); // the slot has been read before it is reused
  if (tail - head > ring->mask) {
    atomic_fetch_add_explicit(&ring->refused, 1, memory_order_relaxed);
    return false;
  }
  memcpy(slot(ring, tail), item, ring->item_size);
  atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
  return true;
}

bool htz_ring_peek(htz_ring* ring, void* item) {
  const size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed); // ours
  const size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire); // the item is there before we read it
  if (head == tail) {
    return false;
  }
  memcpy(item, slot(ring, head), ring->item_size);
  return true;
}

bool htz_ring_pop(htz_ring* ring, void* item) {
  const size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  const size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
  if (head == tail) {
    return false;
  }
  if (item) {
    memcpy(item, slot(ring, head), ring->item_size);
  }
  atomic_store_explicit(&ring->head, head + 1, memory_order_release);
  return true;
}

size_t htz_ring_count(const htz_ring* ring) {
  // The head first: the tail read after it can only be further on, so the difference is never negative. It may exceed the
  // capacity when the consumer has moved between the two reads.
  const size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
  const size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
  const size_t waiting = tail - head;
  return waiting > ring->mask + 1 ? ring->mask + 1 : waiting;
}

size_t htz_ring_pushed(const htz_ring* ring) {
  return atomic_load_explicit(&ring->tail, memory_order_acquire);
}

size_t htz_ring_popped(const htz_ring* ring) {
  return atomic_load_explicit(&ring->head, memory_order_acquire);
}

uint64_t htz_ring_refused(const htz_ring* ring) {
  return atomic_load_explicit(&ring->refused, memory_order_relaxed);
}

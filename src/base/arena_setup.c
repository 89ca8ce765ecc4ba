#include "hertzian/base/arena.h"

#include <stdint.h>
#include <stdlib.h>

// Sits before the memory it describes, in the first cache line of every block taken from the system.
typedef struct chunk {
  struct chunk* next;
  void* raw; // what calloc gave, to be freed
} chunk;

_Static_assert(sizeof(chunk) <= HTZ_ALIGN, "a chunk's header must fit in one alignment unit");
_Static_assert((HTZ_ALIGN & (HTZ_ALIGN - 1)) == 0, "alignment is a power of two");

// calloc and not aligned_alloc with memset: large blocks come from the kernel as zero pages that cost nothing until touched.
static void* take_chunk(htz_arena* arena, size_t size) {
  const size_t overhead = 2 * (size_t)HTZ_ALIGN; // the header, and what aligning the start may lose
  if (size > SIZE_MAX - overhead) {
    return NULL;
  }
  unsigned char* raw = calloc(1, size + overhead);
  if (!raw) {
    return NULL;
  }
  const size_t misaligned = (uintptr_t)raw & (HTZ_ALIGN - 1);
  unsigned char* start = raw + (misaligned ? HTZ_ALIGN - misaligned : 0);
  chunk* header = (chunk*)(void*)start;
  header->next = arena->chunks;
  header->raw = raw;
  arena->chunks = header;
  return start + HTZ_ALIGN;
}

void htz_arena_measure(htz_arena* arena) {
  *arena = (htz_arena){0};
}

htz_status htz_arena_init(htz_arena* arena, size_t size) {
  *arena = (htz_arena){0};
  arena->memory = take_chunk(arena, size);
  if (!arena->memory) {
    arena->failed = true;
    return HTZ_NO_MEMORY;
  }
  arena->size = size;
  return HTZ_OK;
}

static void* take(htz_arena* arena, size_t count, size_t size, bool cold) {
  const size_t padding = HTZ_ALIGN - 1;
  if (arena->failed) {
    return NULL;
  }
  if (size && count > (SIZE_MAX - padding) / size) {
    arena->failed = true;
    return NULL;
  }
  const size_t bytes = (count * size + padding) & ~padding;
  void* memory = NULL;
  if (arena->memory) {
    if (bytes <= arena->size - arena->used) {
      memory = cold ? arena->memory + arena->size - arena->cold - bytes : arena->memory + arena->used - arena->cold;
      arena->cold += cold ? bytes : 0;
    }
  } else if (bytes <= SIZE_MAX - arena->used) {
    memory = take_chunk(arena, bytes);
  }
  if (!memory) {
    arena->failed = true;
    return NULL;
  }
  arena->used += bytes;
  return memory;
}

void* htz_arena_alloc(htz_arena* arena, size_t count, size_t size) {
  return take(arena, count, size, false);
}

void* htz_arena_alloc_cold(htz_arena* arena, size_t count, size_t size) {
  return take(arena, count, size, true);
}

void htz_arena_free(htz_arena* arena) {
  chunk* next = arena->chunks;
  while (next) {
    chunk* const it = next;
    next = it->next;
    free(it->raw);
  }
  *arena = (htz_arena){0};
}

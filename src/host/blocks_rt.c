#include "hertzian/host/blocks.h"

#include <string.h>

void htz_blocks_fill(htz_blocks* blocks, htz_blocks_source source, void* user, float* out, uint32_t frames) {
  while (frames > 0) {
    if (blocks->left == 0 && frames >= HTZ_QUANTUM) {
      source(user, out);
      out += HTZ_QUANTUM * 2;
      frames -= HTZ_QUANTUM;
      continue;
    }
    if (blocks->left == 0) {
      source(user, blocks->waiting);
      blocks->at = 0;
      blocks->left = HTZ_QUANTUM;
    }
    const uint32_t n = frames < blocks->left ? frames : blocks->left;
    memcpy(out, blocks->waiting + blocks->at * 2, n * 2 * sizeof *out);
    blocks->at += n;
    blocks->left -= n;
    out += n * 2;
    frames -= n;
  }
}

bool htz_blocks_silent(const htz_blocks* blocks) {
  bool silent = true;
  for (uint32_t i = 2 * blocks->at; i < 2 * (blocks->at + blocks->left); i++) {
    silent = silent && blocks->waiting[i] == 0.0f;
  }
  return silent;
}

uint32_t htz_blocks_ahead(uint32_t frames) {
  uint32_t a = frames > 0 ? frames : 1, b = HTZ_QUANTUM;
  while (b != 0) {
    const uint32_t remainder = a % b;
    a = b;
    b = remainder;
  }
  return HTZ_QUANTUM - a;
}

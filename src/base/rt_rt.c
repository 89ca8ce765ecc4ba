#include "hertzian/base/rt.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <stdint.h>

// The one mutable static of the house: "which thread is this" can be asked of nothing but the thread itself.
static _Thread_local unsigned sections;

void htz_rt_enter(void) {
  ++sections;
}

void htz_rt_leave(void) {
  // One leave too many must not turn into four thousand million sections.
  if (sections > 0) {
    --sections;
  }
}

bool htz_rt_inside(void) {
  return sections > 0;
}

void htz_rt_flush_denormals(void) {
#if defined(__SSE__)
  const unsigned flush_to_zero = 1U << 15;     // MXCSR.FZ: results
  const unsigned denormals_are_zero = 1U << 6; // MXCSR.DAZ: operands
  _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
#elif defined(__aarch64__)
  const uint64_t flush_to_zero = UINT64_C(1) << 24; // FPCR.FZ: operands and results
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | flush_to_zero));
#endif
}

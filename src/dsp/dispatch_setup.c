#include "hertzian/dsp/kernels.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define HTZ_CPU_X86 1
#else
#define HTZ_CPU_X86 0
#endif

/* The build says which sets of isa.def it compiled: HTZ_HAVE_ISA_<id> is 1 or 0. */
#define HTZ_TABLE_0(id) NULL
#define HTZ_TABLE_1(id) (&htz_kernels_##id)
#define HTZ_TABLE_IF_(have, id) HTZ_TABLE_##have(id)
#define HTZ_TABLE_IF(have, id) HTZ_TABLE_IF_(have, id)

#define HTZ_ISA(id, isa, name) extern const htz_kernels htz_kernels_##id;
#include "isa.def"
#undef HTZ_ISA

#if HTZ_CPU_X86

/** The x86-64 level whose every instruction this processor runs and whose registers the operating system keeps: 1 to 4. */
static int x86_level(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) {
    return 1;
  }
  const unsigned v2 = bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT;
  if ((c & v2) != v2) {
    return 1;
  }
  const unsigned v3 = bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C;
  if ((c & v3) != v3) {
    return 2;
  }
  unsigned saved = 0, high = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0)); // extended control register 0: register files the system saves
  const unsigned xmm_ymm = 0x06;                        // bits 1, 2
  const unsigned opmask_zmm = 0xe0;                     // bits 5 to 7
  if ((saved & xmm_ymm) != xmm_ymm || !__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LZCNT) ||
      !__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    return 2;
  }
  const unsigned v3_more = bit_BMI | bit_AVX2 | bit_BMI2;
  if ((b & v3_more) != v3_more) {
    return 2;
  }
  const unsigned v4 = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
  return (b & v4) == v4 && (saved & opmask_zmm) == opmask_zmm ? 4 : 3;
}

#else

static int x86_level(void) {
  return 0;
}

#endif

/** Whether this processor runs `isa`; a build that has its kernels was made for its family. */
static bool cpu_runs(htz_isa isa) {
  switch (isa) {
  case HTZ_ISA_SCALAR:
  case HTZ_ISA_AARCH64:
    return true;
  case HTZ_ISA_X86_V2:
    return x86_level() >= 2;
  case HTZ_ISA_X86_V3:
    return x86_level() >= 3;
  case HTZ_ISA_X86_V4:
    return x86_level() >= 4;
  default:
    return false;
  }
}

const htz_kernels* htz_kernels_for(htz_isa isa) {
  if (!cpu_runs(isa)) {
    return NULL;
  }
  switch (isa) {
#define HTZ_ISA(id, isa, name)                                                                                                 \
  case isa:                                                                                                                    \
    return HTZ_TABLE_IF(HTZ_HAVE_ISA_##id, id);
#include "isa.def"
#undef HTZ_ISA
  default:
    return NULL;
  }
}

const htz_kernels* htz_kernels_select(void) {
  const char* wanted = getenv("HERTZIAN_ISA");
  const htz_kernels* best = NULL;
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (kernels && wanted && !strcmp(kernels->name, wanted)) {
      return kernels;
    }
    best = kernels ? kernels : best;
  }
  return best;
}

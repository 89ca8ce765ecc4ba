#ifndef HTZ_TEST_ALLOC_GUARD_H
#define HTZ_TEST_ALLOC_GUARD_H

#include <stdbool.h>

/** True when this program aborts on heap use between htz_rt_enter() and htz_rt_leave(). */
bool htz_alloc_guard_active(void);

/** True when that holds for aligned_alloc and posix_memalign too; the thread sanitizer has no hook in those. */
bool htz_alloc_guard_sees_aligned(void);

#endif

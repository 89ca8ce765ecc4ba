#ifndef HERTZIAN_CONTACT_SETTLED_H
#define HERTZIAN_CONTACT_SETTLED_H

#include <stdint.h>

/** Quanta without a change before tables of free running are derived: a bend in progress would make them stale at once. */
static const uint32_t settle_quanta = 1;

#endif

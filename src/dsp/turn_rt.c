#include "hertzian/dsp/kernels.h"

#include <string.h>

/** A power of R as what it lacks of 1. */
typedef struct {
  double cm, s;
} turned;

/** The product of two, likewise: (1 + a)(1 + b) - 1 = a + b + a b. */
static turned together(turned a, turned b) {
  return (turned){a.cm + b.cm + (a.cm * b.cm - a.s * b.s), a.s + b.s + (a.cm * b.s + a.s * b.cm)};
}

void htz_turn_set(const htz_turn_table* t, size_t k, double cm, double s, double bx, double by) {
  turned power[HTZ_TURN_BLOCK + 1] = {{0.0, 0.0}, {cm, s}};
  for (size_t i = 2; i <= HTZ_TURN_BLOCK; ++i) {
    power[i] = i % 2 == 0 ? together(power[i / 2], power[i / 2]) : together(power[i - 1], power[1]);
  }
  float* row = t->powers + k * 2 * HTZ_TURN_BLOCK;
  for (size_t i = 0; i < HTZ_TURN_BLOCK; ++i) {
    row[i] = (float)(1.0 + power[i].cm);
    row[HTZ_TURN_BLOCK + i] = (float)power[i].s;
  }
  t->cm[k] = (float)cm;
  t->s[k] = (float)s;
  t->c2[k] = row[2];
  t->s2[k] = row[HTZ_TURN_BLOCK + 2];
  t->c3[k] = row[3];
  t->s3[k] = row[HTZ_TURN_BLOCK + 3];
  t->cm4[k] = (float)power[4].cm;
  t->s4[k] = (float)power[4].s;
  t->cm8[k] = (float)power[8].cm;
  t->s8[k] = (float)power[8].s;
  t->bx[k] = (float)bx;
  t->by[k] = (float)by;
}

void htz_turn_clear(const htz_turn_table* t, size_t n) {
  float* const rows[HTZ_TURN_ROWS] = {t->cm, t->s, t->c2, t->s2, t->c3, t->s3, t->cm4, t->s4, t->cm8, t->s8, t->bx, t->by};
  for (size_t i = 0; i < HTZ_TURN_ROWS; ++i) {
    memset(rows[i], 0, n * sizeof(float));
  }
  memset(t->powers, 0, n * 2 * HTZ_TURN_BLOCK * sizeof(float));
}

#ifndef HERTZIAN_CONTACT_FOLD_PRIVATE_H
#define HERTZIAN_CONTACT_FOLD_PRIVATE_H

#include "fold.h"

#include <complex.h>

/** Coordinates that belong to one body or mass: the same joins meet them all. */
typedef struct {
  size_t first, n;
  uint32_t n_joins;
  uint32_t joins[HTZ_JOINS_MAX];
} fold_block;

/** The linear system: n coordinates of mass m, 2 sigma and omega^2, and joins with what each coordinate adds to their stretch. */
typedef struct {
  size_t n;
  double *m, *sigma2, *w2;
  uint32_t n_joins;
  double stiffness[HTZ_JOINS_MAX], damping[HTZ_JOINS_MAX];
  bool rigid[HTZ_JOINS_MAX];
  double* c; ///< [n_joins][n]
  size_t n_blocks;
  fold_block blocks[HTZ_ISLAND_UNISON_MAX + HTZ_JOINS_MAX];
  bool* coupled; ///< [n] some join meets it
} fold_system;

/** Forces of the joins in the mode of root `s`, [n_joins], the greatest 1. */
void htz_fold_forces(const fold_system* sys, double complex s, double complex* f);

/**
   All roots of the coupled coordinates above the real axis, ascending.

   @param count how many there are
   @return false when some were not found. Set-up thread.
*/
bool htz_fold_roots(const fold_system* sys, size_t count, double complex* roots);

#endif

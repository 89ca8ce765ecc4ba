#ifndef HERTZIAN_MODEL_DISC_PRIVATE_H
#define HERTZIAN_MODEL_DISC_PRIVATE_H

#include "hertzian/base/arena.h"
#include "hertzian/model/bending.h"

#include <stdbool.h>
#include <stddef.h>

/** A radial function of order n: scale (J_n(xi r) + beside I_n(xi r)/I_n(xi)), of unit mean square over the disc's plane: Int phi^2 = 1. */
typedef struct {
  unsigned order;
  unsigned rank; // among those of its order, from 0
  double xi, beside, scale;
  double rim; // e^-xi I_n(xi)
} disc_radial;

typedef struct {
  double value, slope, curve; // R, R', R''
} disc_look;

disc_look htz_disc_look(const disc_radial* radial, double r); // r > 0

/** R alone, r >= 0. */
double htz_disc_value(const disc_radial* radial, double r);

/** The same at r[n]. @return false when there is no memory */
bool htz_disc_values(const disc_radial* radial, size_t n, const double* r, double* out);

/**
   The lowest radial functions that make up `modes` modes, pairs counted twice, ascending by xi: of a plate with a free rim, or, `clamped`,
   of the stress function of one.

   @param list allocated, for free(); as many as fit, no half pairs
   @return HTZ_OK, HTZ_NO_MEMORY.
*/
htz_status htz_disc_radials(bool clamped, double poisson, size_t modes, disc_radial** list, size_t* count);

/** Values at the nodes of a rule on [0, 1], [radials][nodes] each. */
typedef struct {
  size_t nodes;
  double* weight; // [nodes] of r dr
  double* value;  // R
  double* curve;  // R''
  double* ring;   // R'/r - n^2 R/r^2
  double* twist;  // R'/r - R/r^2
} disc_nodes;

/** Coupled radial functions by order, what their modes are of a cap, and the integrals between them. */
typedef struct {
  double epsilon; // [config] 12 (1 - nu^2)
  size_t n_radials, n_stress;
  const disc_radial* radial; // [n_radials] ascending
  const disc_radial* stress; // [n_stress]
  unsigned top;              // highest order of a coupled one
  unsigned* count;           // [top + 1] radials of an order
  unsigned* first;           // [top + 1] where the order's functions start in of
  unsigned* of;              // [n_radials] their numbers, by order
  disc_nodes at, stress_at;  // [derived]
  double* rest;              // [n_radials] the cap by its modes of order 0
  double* turned;            // mode i of an order is sum over j turned[start + i count + j] of its flat ones
  size_t* start;             // [top + 1]
  double* number;            // [n_radials] omega tau of it, by order as `of`
  double* lift;              // [n_stress][widest] L per amplitude, of the mode of a cap
  unsigned widest;           // most radials of an order
} disc_set;

/** sqrt(epsilon) H^k_pq/(2 zeta^2) of two flat radial functions and stress function k, for the sum of their orders, or their difference. */
double htz_disc_integral(const disc_set* set, unsigned p, unsigned q, unsigned k, bool difference);

/** @return HTZ_OK, HTZ_NO_MEMORY, HTZ_BAD_VALUE; in any case for htz_disc_set_free(). */
htz_status htz_disc_set_make(disc_set* set, double rise);
void htz_disc_set_free(disc_set* set);

/** Coupling as the kernels want it, mode numbers left out, into `arena`. */
htz_status htz_disc_tables(const disc_set* set, size_t reach, htz_arena* arena, htz_bending* out);

/** Modes that a radial function makes: one, or a pair. */
static inline size_t htz_disc_pair(const disc_radial* radial) {
  return radial->order > 0 ? 2 : 1;
}

#endif

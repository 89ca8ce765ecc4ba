#ifndef HERTZIAN_CONTACT_STRUCK_PRIVATE_H
#define HERTZIAN_CONTACT_STRUCK_PRIVATE_H

#include "hertzian/contact/struck.h"

typedef struct {
  htz_body* body;
  bool flying;
  uint32_t spare; // bit b: struck body b is left alone
  double age;     // since it was thrown [s]
} mallet;

/**
   A resonator's share of the coupling: with x its mode's (q, v) and y_m those of mode m of the struck body,
   x' = x - sum_m P_m y_m runs free while the struck body does. Rows of `pi` are [padded modes of the struck body].
*/
typedef struct {
  size_t n;   // modes of the resonator
  double* pi; // [n][4][padded]: P11, P12, P21, P22 of each mode of the struck body
} coupling;

/** One output line in free running: signal coefficients of a body, and what follows from them. */
typedef struct {
  double* aq; // [padded]
  double* av;
  double bound; // |signal| <= bound sqrt(energy)
} line;

typedef struct {
  htz_island base;      // must be first: the engine holds a pointer to it
  htz_struck_desc desc; // [config]
  bool couples;         // every resonator is fed by the struck body alone
  double period;
  htz_network* net;                          // node 0 the struck body, then the mallets; contact i: mallet i on point i
  coupling couplings[HTZ_STRUCK_BODIES_MAX]; // [derived]
  line lines[HTZ_STRUCK_BODIES_MAX][HTZ_ISLAND_PICKUPS_MAX];
  htz_free_weights weights[HTZ_STRUCK_BODIES_MAX][HTZ_ISLAND_PICKUPS_MAX];
  unsigned epochs[HTZ_STRUCK_BODIES_MAX]; // of the bodies when this was derived
  double derived_level;
  bool derived;
  mallet mallets[HTZ_STRUCK_MALLETS_MAX]; // [state]
  uint32_t flying;
  uint64_t reused;
  double level; // resonator level now, and where it is going
  double level_wanted;
  bool coupled;   // resonators hold x', not x
  uint32_t still; // quanta since anything was changed or struck
} struck;

extern const htz_island_class htz_struck_class;

/** After a sample: take mallets away that will not come back. Audio thread. */
HTZ_RT void htz_struck_retire_departed(struck* s);

/** Give the resonators their own coordinates x back, if they hold x'. Audio thread. */
HTZ_RT void htz_struck_uncouple(struck* s);

/**
   Let the resonators hold x', deriving what is needed for it first.

   @return false when it cannot be done: a resonator is fed in another way, or a mode of it decays like one of the struck body
*/
HTZ_RT bool htz_struck_couple(struck* s);

/** Advance a quantum in coupled coordinates, adding to each output line. Audio thread. */
HTZ_RT void htz_struck_free_quantum(struck* s, float* const* lines);

/** Bound on what the output lines can give while nothing strikes; coupled coordinates only. Audio thread. */
HTZ_RT double htz_struck_free_loudness(const struck* s);

#endif

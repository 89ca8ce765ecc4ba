#ifndef HERTZIAN_DSP_ROOM_H
#define HERTZIAN_DSP_ROOM_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stdint.h>

/**
   The sound of a shoebox room, without the direct sound: reflections of the first order from its image sources, feeding a feedback
   delay network for all later ones.

   Early: two sources, left and right, heard at two points 0.3 m apart; each of the six walls gives every pair one echo of delay
   (r - r0)/c and amplitude (r0/r) sqrt(1 - alpha), r the distance of the image, r0 that of the source (Allen and Berkley, Image
   method for efficiently simulating small-room acoustics).

   Late: each delay line is a family of plane waves bouncing in the direction (n_x, n_y, n_z), whose resonances are harmonics of
   the room mode f = (c/2) sqrt(sum (n_i/l_i)^2): its delay is 1/f (Rocchesso, The ball within the box). Lengths are mutually prime.
   Walls scatter: the lines exchange their sound through a Hadamard matrix, which is orthogonal, so that energy is only lost where
   it should be: in one one-pole filter a line, of gain 10^(-3 d/T60) over its delay of d seconds, exact at 0 Hz and at HTZ_ROOM_HIGH_HZ.

   T60 is Eyring's with absorption by the walls and the air: T60 = 24 ln 10 V / (c (-S ln(1 - alpha) + 4 m V)).

   Output for white noise has the energy of the input, at low frequencies. Early to late are as in the diffuse field:
   late/direct = 16 pi r0^2 (1 - alpha)^2 / A.
*/
enum {
  HTZ_ROOM_LINES = 16,
  HTZ_ROOM_WALLS = 6,
  HTZ_ROOM_CHUNK = 16,     ///< frames handled at once; no delay is shorter
  HTZ_ROOM_HIGH_HZ = 4000, ///< where the second T60 holds [Hz]
};

#define HTZ_ROOM_SIZE_MIN 4.0  ///< length of the smallest room [m]
#define HTZ_ROOM_SIZE_MAX 40.0 ///< and of the largest

/** Memory of a delay, written HTZ_ROOM_CHUNK frames at a time; its first chunk is repeated behind its end. */
typedef struct {
  float* samples;
  uint32_t size; ///< frames, a multiple of HTZ_ROOM_CHUNK
  uint32_t at;   ///< where the next chunk goes
} htz_room_ring;

typedef struct {
  double rate_hz; ///< [config]
  float* memory;  ///< [config] for the largest room
  // [derived] by htz_room_lay()
  double size;       ///< length [m]
  double t60_low_s;  ///< at 0 Hz
  double t60_high_s; ///< at HTZ_ROOM_HIGH_HZ
  htz_room_ring history[2];
  uint32_t tap_delay[2][2][HTZ_ROOM_WALLS]; ///< [ear][source][wall] [frame]
  float tap_gain[2][2][HTZ_ROOM_WALLS];
  htz_room_ring line[HTZ_ROOM_LINES];
  uint32_t delay[HTZ_ROOM_LINES]; ///< [frame]
  float gain[HTZ_ROOM_LINES], pole[HTZ_ROOM_LINES];
  float late;       ///< factor on what is heard of the lines
  float block_pole; ///< of the high-pass that keeps the room without a pressure mode at 0 Hz
  uint32_t longest; ///< frames after which nothing is left in any delay that has not gone round
  // [state]
  uint64_t age;                ///< frames since it was empty: delays reach back no further
  float state[HTZ_ROOM_LINES]; ///< of the absorption
  float block[2][2];           ///< last input and output of the high-pass
  uint32_t quiet;              ///< frames since anything in it was loud enough to be heard
} htz_room;

/** An empty room of length `size` [m], memory for all sizes at `rate_hz` (>= 8000). @return HTZ_OK or HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_room_init(htz_room* room, double rate_hz, double size, htz_arena* arena);

/** Give the room its length [m], limited to HTZ_ROOM_SIZE_MIN..MAX, and empty it. Bounded work, some ten thousand operations. */
HTZ_RT void htz_room_lay(htz_room* room, double size);

/** Empty it. A few stores. */
HTZ_RT void htz_room_empty(htz_room* room);

/**
   Produce HTZ_QUANTUM frames: `in` [2][HTZ_QUANTUM] goes in, out [2][HTZ_QUANTUM] (overwritten) comes out.

   @param audible sample value below which nothing is heard, for htz_room_silent()
   @return false when something in it was not finite: `out` is then silence, and the room empty
*/
HTZ_RT bool htz_room_run(htz_room* room, const float* const in[2], float audible, float* const out[2]);

/** True when no sample that can still come out, without further input, reaches the `audible` of the last runs. */
HTZ_RT bool htz_room_silent(const htz_room* room);

/** T60 [s] of a room of length `size` [m] whose walls absorb the share `alpha` of the energy and its air `air` of it a metre. */
HTZ_RT double htz_room_t60(double size, double alpha, double air);

#endif

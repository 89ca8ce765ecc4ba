#ifndef HERTZIAN_LAB_BENCH_H
#define HERTZIAN_LAB_BENCH_H

#include "hertzian/base/status.h"
#include "hertzian/dsp/kernels.h"
#include "hertzian/instrument/spec.h"

/**
   How fast this machine is. Every time is a median over many short runs that take turns with a reference kernel (one
   multiply-add of a plain loop), so that a ratio to it means the same on a busy machine.
*/
typedef struct {
  double ns;    ///< median [ns]
  double ratio; ///< median of the ratio to one reference multiply-add timed next to it []
} htz_bench_time;

typedef struct {
  const char* kernels;     ///< instruction set
  htz_bench_time free_128; ///< free modes, 128 at a time: per mode and sample
  htz_bench_time free_512; ///< and 512
  htz_bench_time
      stretching_64;          ///< modes of a string whose tension grows, 64 at a time, once it is heard to: per mode and sample
  htz_bench_time contact_64;  ///< one solver step of a mass pressing on 64 modes
  htz_bench_time string_grid; ///< finite-difference string of 200 intervals: per point and step
  htz_bench_time plate_grid;  ///< finite-difference plate of 60 by 40 intervals: per point and step
} htz_bench_kernels;

/** Steps per closure against what the sub-step rule allows, over impacts on a wall. */
typedef struct {
  unsigned impacts;
  double steps_mean; ///< per closure
  double worst;      ///< greatest share of the allowed steps, at most 1
} htz_bench_wall;

typedef struct {
  double build_ms;         ///< time to build the instrument
  size_t memory;           ///< bytes it takes
  double modes_per_key;    ///< mean over its range
  htz_bench_time ringing;  ///< one ringing key: per sample
  double keys_sustained;   ///< keys that can ring at once in real time on one core
  double steps_per_strike; ///< solver steps in contact, mean over range and velocity
  double chord_load;       ///< worst quantum of a ten-note fortissimo chord over the quantum's duration []
} htz_bench_instrument;

/** What it costs that keys ring, nothing being struck any more. */
typedef struct {
  unsigned struck;       ///< keys
  unsigned ringing;      ///< keys that then do: those that were struck, and on a two-way board those that answer
  htz_bench_time sample; ///< all of them together, with the board: per sample
  double load;           ///< of one core []
} htz_bench_ringing_point;

enum { HTZ_BENCH_POINTS_MAX = 9 }; ///< 1, 2, 4 .. 128 keys, and all

typedef struct {
  bool two_way; ///< strings feel the board they drive
  size_t n;
  htz_bench_ringing_point point[HTZ_BENCH_POINTS_MAX];
} htz_bench_ringing;

/** Time one multiply-add of the reference kernel [ns]. Any thread but the audio thread; so are all below. */
double htz_bench_reference(void);

/** Measure kernels of one instruction set. @return HTZ_UNSUPPORTED when this processor has none. */
htz_status htz_bench_run_kernels(htz_isa isa, htz_bench_kernels* out);

/** Count steps over a spread of impacts at `rate_hz`. @return HTZ_OK, HTZ_NO_MEMORY. */
htz_status htz_bench_run_wall(double rate_hz, htz_bench_wall* out);

/** Measure a whole instrument at `rate_hz`. @return HTZ_OK or why it could not be built, `why` then says so. */
htz_status htz_bench_run_instrument(const htz_spec* spec, double rate_hz, htz_bench_instrument* out, const char** why);

/**
   Measure what it costs that 1, 2, 4 ... and all keys of the range ring.

   @param two_way `board`: two-way; for instruments that have it (htz_spec_two_way)
   @return HTZ_OK or why it could not be built, `why` then says so
*/
htz_status htz_bench_run_ringing(const htz_spec* spec, double rate_hz, bool two_way, htz_bench_ringing* out, const char** why);

#endif

#ifndef HERTZIAN_LAB_OBSTACLE_H
#define HERTZIAN_LAB_OBSTACLE_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/grid_network.h"
#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

/**
   A stiff lossy string over an obstacle, pulled up into a triangle and released: as modes with contacts along them (exact-hold network), or
   on a grid (leapfrog network). The obstacle's surface is at height - curvature (x - apex)^2 from `from` to `to`.
*/
typedef struct {
  double length;                  // [m]
  double tension;                 // [N]
  double density;                 // [kg/m]
  double inharmonicity;           // B []
  double sigma0, sigma1;          // losses [1/s], [m^2/s]
  double from, to;                // [m]; equal: one point, `stiffness` then its own [N/m^alpha]
  double height, apex, curvature; // [m], [m], [1/m]
  double stiffness;               // per metre [N/m^(1+alpha)]
  double exponent, viscosity;     // alpha, mu [s/m]
  double thread_at;               // a spring and damper to the ground [m]
  double thread_stiffness;        // [N/m], 0: none
  double thread_damping;          // [N s/m]
  double pluck, pluck_at;         // height [m], place [m]
  double raster;                  // the places above lie on multiples of it, and grids have points there [m]; 0: anywhere
} obstacle_case;

/** How it is computed. */
typedef struct {
  double rate_hz;         // [Hz]
  size_t modes;           // 0: on a grid
  size_t points;          // of contact, each in the middle of its share of the obstacle; on a grid they are the grid's
  htz_grid_method method; // on a grid
  bool bare;              // modes: the thread does not account for the modes left out (htz_obstacle_left_out())
} obstacle_method;

typedef struct {
  htz_arena memory;
  obstacle_case what;
  obstacle_method how;
  size_t points;    // of contact
  size_t intervals; // of the grid
  htz_modes modes;
  htz_modal* modal;
  htz_body* bodies[2];
  htz_network* network;
  htz_grid* grids[2];
  htz_grid_network* grid_network;
  size_t projected; // modes that `project` has
  double* project;  // [projected][intervals + 1] of a grid: from displacements to amplitudes of modes
} obstacle_string;

/** @param projected modes whose amplitudes are asked for. @return HTZ_OK or why not, `why` then says so. Close it in any case. */
htz_status htz_obstacle_open(const obstacle_case* what, const obstacle_method* how, size_t projected, obstacle_string* s,
                             const char** why);
void htz_obstacle_close(obstacle_string* s);

/** One sample. */
void htz_obstacle_step(obstacle_string* s);

/** Energy of string, contacts and thread, and what contacts and thread have dissipated [J]: constant where the string has no losses. */
double htz_obstacle_energy(const obstacle_string* s);

/** Largest force with which any contact has pulled in the last step [N] (a grid: so far). */
double htz_obstacle_pull(const obstacle_string* s);

/** Contacts closed so far; steps whose solution did not converge. */
uint64_t htz_obstacle_closures(const obstacle_string* s);
uint64_t htz_obstacle_unconverged(const obstacle_string* s);

/** Amplitudes of the first `projected` modes of the string without the obstacle [m]. */
void htz_obstacle_amplitudes(const obstacle_string* s, double* q);

/** Displacement at `x` [m]; a grid: of the nearest grid point. */
double htz_obstacle_displacement(const obstacle_string* s, double x);

/** Frequency of mode 1 of the string without obstacle and thread [Hz]. */
double htz_obstacle_open_hz(const obstacle_case* what);

/**
   Static compliance at the thread of all modes above the first `modes` [m/N]. Far below their frequencies they are a spring in series with the
   thread, which has 1/k' = 1/k + C and r' = r (k'/k)^2 in their place.
*/
double htz_obstacle_left_out(const obstacle_case* what, size_t modes);

/** First partial of an ideal string on its thread, which has no damper [Hz]: T b sin bL + k sin bx sin b(L - x) = 0, x the thread's place. */
double htz_obstacle_thread_hz(const obstacle_case* what);

#endif

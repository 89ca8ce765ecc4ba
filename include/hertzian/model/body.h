#ifndef HERTZIAN_MODEL_BODY_H
#define HERTZIAN_MODEL_BODY_H

#include "hertzian/base/arena.h"
#include "hertzian/base/param.h"
#include "hertzian/base/rt.h"
#include "hertzian/dsp/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Bodies of the exact-hold family: everything that moves along one coordinate and obeys
   q'' + 2 sigma q' + omega^2 q = (1/m) sum_p phi(p) F_p per mode, advanced exactly under forces held constant over a step.

   A body may have an internal force besides, one that is not linear in its displacement (a string's tension that grows with its
   stretching). It acts between steps, at displacements held still, where it exchanges energy with the velocities and does no work
   on anything outside: so predictions and compliances of a step are those of the linear body, whatever it does.

   A body has *points*, numbered from 0, where forces act and displacement is read. A step of length d = T/2^level goes
   predict -> (solver finds forces) -> commit; nothing ever steps two bodies at once, so a body may take part in any number of
   contacts.
*/
typedef struct htz_body htz_body;

enum {
  HTZ_LEVEL_MAX = 11,  ///< finest step T/2^11 = T/2048
  HTZ_POINTS_MAX = 128 ///< points of one body
};

/** What a class of bodies can do. All functions run on the audio thread. */
typedef struct {
  const char* name; ///< as in instrument files and the registry

  /// Put the body at rest at displacement 0.
  void (*reset)(htz_body* body);

  /// Make the step tables of levels 0..level ready (bounded work; nothing when they are).
  void (*prepare)(htz_body* body, unsigned level);

  /// The next step is one of T/2^level; before its predictions. Bodies whose internal force acts between steps time it for that.
  void (*begin)(htz_body* body, unsigned level);

  /// Free increment of the displacement at `point` over one step of T/2^level, no force acting [m].
  double (*predict)(const htz_body* body, unsigned level, size_t point);

  /// Step compliance: displacement at p after one step per unit constant force at r [m/N]; symmetric, >= 0 on the diagonal.
  double (*compliance)(htz_body* body, unsigned level, size_t p, size_t r);

  /// Advance one step with forces f[i] [N] at points[i], i < count, held constant.
  void (*commit)(htz_body* body, unsigned level, size_t count, const size_t* points, const double* f);

  double (*displacement)(const htz_body* body, size_t point); ///< [m]
  double (*velocity)(const htz_body* body, size_t point);     ///< [m/s]
  double (*energy)(const htz_body* body);                     ///< kinetic plus potential [J]

  /// Give the body (a mass, a driven point) displacement q [m] and velocity v [m/s].
  void (*set_motion)(htz_body* body, double q, double v);

  /// What kernels need to predict() and commit() it, its points seen through row p at `rows` + p n. @return false when that is not all
  /// there is to its steps; NULL: it never is.
  bool (*view)(htz_body* body, htz_body_view* view, const double** rows);
} htz_body_class;

/** Common head of every body; first member of the concrete type. */
struct htz_body {
  const htz_body_class* cls; ///< [config]
  size_t n_points;           ///< [config] <= HTZ_POINTS_MAX
};

#endif

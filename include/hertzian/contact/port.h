#ifndef HERTZIAN_CONTACT_PORT_H
#define HERTZIAN_CONTACT_PORT_H

#include "hertzian/contact/island.h"
#include "hertzian/model/bodies.h"

/**
   How an island stands on something that moves (hertzian/contact/bridge.h): all that whoever moves it knows of it.

   While the island is free its ends may be advanced without it. While it is steady it may be so in turning coordinates; it then holds its
   motion in them until something else is done to it, and takes it back by itself. Else samples go one by one: before a number of them
   `before`, for each `sample`, `step`, `sampled`, and `after` them all. With `save` in front of the step the sample can be gone through
   again under another displacement: `restore`, `step`.
*/
enum { HTZ_PORT_ENDS_MAX = 4 };

/** The modes of an island in turning coordinates (htz_turn_table). Whoever moves the support advances them. */
typedef struct {
  size_t n; ///< modes, to a multiple of HTZ_TURN_LANES
  htz_turn_table table;
  float *x, *y;
  double step_stiffness; ///< sum kappa^2 b_q of a sample step of all that turns (htz_modal_join_step_stiffness) [N/m]
  unsigned effort;       ///< what it takes to get there, 1 for strings alone
} htz_port_turn;

/** Audio thread; so is all below. */
typedef struct {
  uint32_t n_ends;
  htz_modal* ends[HTZ_PORT_ENDS_MAX]; ///< bodies that were given htz_modal_join()
  uint32_t n_lines;                   ///< it is heard by itself too: lines to be given to `hear`; 0: through its ends alone
  htz_port_turn* turn;
} htz_port;

typedef struct htz_port_class {
  /// What stands on the support. @return false when a body that would have to was not given htz_modal_join()
  bool (*stand)(htz_island* island, htz_port* out);
  /// True when nothing but its ends moves or acts, until something is done to it from outside.
  bool (*is_free)(const htz_island* island);
  /// True when all that acts on its ends besides their support is linear and as it was built: it has turning coordinates.
  bool (*steady)(htz_island* island);
  /// Work them out for what is steady now; `x` and `y` are scratch until turn(). @return false when they cannot be had
  bool (*turn_derive)(htz_island* island);
  /// Hold its motion in them. @return false when they are not those of what is steady now
  bool (*turn)(htz_island* island);
  /// `frames` in them are over.
  void (*turned)(htz_island* island, uint32_t frames);
  /// Save what step() changes, and restore it.
  void (*save)(htz_island* island);
  void (*restore)(htz_island* island);
  /// Before `frames` samples or fewer: gestures act, and may move the bodies. @return the number of samples this holds for
  uint32_t (*before)(htz_island* island, uint32_t frames);
  /// What acts over the sample to come.
  void (*sample)(htz_island* island);
  /// One sample, the support displaced by `w` on its mean [m].
  void (*step)(htz_island* island, double w);
  /// It is over.
  void (*sampled)(htz_island* island);
  /// `frames` of them are.
  void (*after)(htz_island* island, uint32_t frames);
  /// Add what is heard of its bodies now, free or not, to lines[line][frame]; its resonators go one sample on.
  void (*hear)(htz_island* island, float (*lines)[HTZ_QUANTUM], uint32_t frame);
  /// The ends are about to be moved from outside; and were.
  void (*moving)(htz_island* island);
  void (*moved)(htz_island* island);
  /// Retune it (htz_island_class.retune) where its support is displaced by `w` [m]: what swings about the line that its ends follow goes on
  /// doing so with the energy it has.
  void (*retune)(htz_island* island, double ratio, double loss, double w);
  /// Energy of bodies and contacts on a support at 0 [J].
  double (*energy)(const htz_island* island);
} htz_port_class;

#endif

#ifndef HERTZIAN_CONTACT_PORT_H
#define HERTZIAN_CONTACT_PORT_H

#include "hertzian/contact/island.h"
#include "hertzian/model/bodies.h"

/**
   How an island stands on something that moves (hertzian/contact/bridge.h): all that whoever moves it knows of it.

   While the island is free its ends may be advanced without it. Else samples go one by one: before a number of them `before`, for each
   `sample`, `step`, `sampled`, and `after` them all. With `save` in front of the step the sample can be gone through again under another
   displacement: `restore`, `step`.
*/
enum { HTZ_PORT_ENDS_MAX = 4 };

/** Audio thread; so is all below. */
typedef struct {
  uint32_t n_ends;
  htz_modal* ends[HTZ_PORT_ENDS_MAX]; ///< bodies that were given htz_modal_join()
  uint32_t n_lines;                   ///< it is heard by itself too: lines to be given to `hear`; 0: through its ends alone
} htz_port;

typedef struct htz_port_class {
  /// What stands on the support. @return false when a body that would have to was not given htz_modal_join()
  bool (*stand)(htz_island* island, htz_port* out);
  /// True when nothing but its ends moves or acts, until something is done to it from outside.
  bool (*is_free)(const htz_island* island);
  /// Keep what step() changes, and go back to it.
  void (*save)(htz_island* island);
  void (*restore)(htz_island* island);
  /// Before `frames` samples or fewer: what acts is moved, and may move the bodies. @return for how many samples that is good
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
  /// Energy of bodies and contacts on a support at 0 [J].
  double (*energy)(const htz_island* island);
} htz_port_class;

#endif

#ifndef HERTZIAN_CONTACT_PORT_H
#define HERTZIAN_CONTACT_PORT_H

#include "hertzian/contact/island.h"
#include "hertzian/model/bodies.h"

/**
   How an island stands on something that moves (hertzian/contact/bridge.h): all that whoever moves it knows of it.

   A sample goes before -> step -> after; with save before the step, it can be gone through again under another displacement: restore,
   step. While the island is free its ends may be advanced without it.
*/
enum { HTZ_PORT_ENDS_MAX = 4 };

/** Audio thread; so is all below. */
typedef struct {
  uint32_t n_ends;
  htz_modal* ends[HTZ_PORT_ENDS_MAX]; ///< bodies that were given htz_modal_join()
} htz_port;

typedef struct htz_port_class {
  /// What stands on the support. @return false when a body that would have to was not given htz_modal_join()
  bool (*stand)(htz_island* island, htz_port* out);
  /// True when nothing but its ends moves or acts, until something is done to it from outside.
  bool (*is_free)(const htz_island* island);
  /// Keep what step() changes, and go back to it.
  void (*save)(htz_island* island);
  void (*restore)(htz_island* island);
  /// One sample, the support displaced by `w` on its mean [m].
  void (*step)(htz_island* island, double w);
  /// The sample is over.
  void (*after)(htz_island* island);
  /// Energy of bodies and contacts on a support at 0 [J].
  double (*energy)(const htz_island* island);
} htz_port_class;

#endif

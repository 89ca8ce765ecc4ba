#ifndef HERTZIAN_CONTACT_GESTURE_H
#define HERTZIAN_CONTACT_GESTURE_H

#include "hertzian/contact/island.h"

/**
   A gesture changes contacts, joins and loads of an exact-hold island in time: mallets thrown or left there, what is loose or fixed to
   a body. The island holds a list of them and knows none of their kinds. A hook that is NULL does nothing. Audio thread, all of them.
*/
typedef struct gesture gesture;

typedef struct {
  const char* name;
  /// A note starts.
  void (*start)(gesture* g, const htz_strike* strike);
  /// What acts from now on.
  void (*influence)(gesture* g, const htz_influence* influence);
  /// True when it would disturb what lies or hangs still.
  bool (*disturbed)(const gesture* g, const htz_influence* influence);
  /// It is on its way, or acts: the island has to be advanced, whatever it sounds like.
  bool (*busy)(const gesture* g);
  /// It is there: an island that sleeps retains its state.
  bool (*retains)(const gesture* g);
  /// Its contacts or joins are in the network now.
  bool (*holds)(const gesture* g);
  /// What it is joined by is linear and as it was built: it may be folded into the modes of the bodies.
  bool (*linear)(const gesture* g);
  /// Number of samples, of `frames` to come, that one `before` holds for.
  uint32_t (*stride)(const gesture* g, uint32_t frames);
  /// Before samples one by one, so many as the shortest stride of all gestures.
  void (*before)(gesture* g, uint32_t frames);
  /// Before and after each sample of the network.
  void (*sample)(gesture* g);
  void (*sampled)(gesture* g);
  /// The bodies are about to be moved from outside (htz_port_class); and were: what touches them goes along.
  void (*moving_bodies)(gesture* g);
  void (*moved_bodies)(gesture* g);
  /// Plan a whole quantum in which it neither touches nor holds the bodies. @return false when it may
  bool (*clear)(gesture* g);
  /// Move as planned, the network left out.
  void (*fly)(gesture* g);
  /// Bodies bend under its weight even at rest.
  bool (*presses)(const gesture* g);
  /// Energy of what it moves, without what is left of it at rest [J].
  double (*moving)(const gesture* g);
  /// Energy that it holds outside of the network [J].
  double (*energy)(const gesture* g);
  /// Add what a solver of its own has done.
  void (*count)(const gesture* g, htz_island_counters* to);
  /// Gone, or where it is at the start; the bodies are at rest.
  void (*reset)(gesture* g);
  /// Settle: at rest, with the static deflection of the bodies where it has weight. After `reset`.
  void (*settle)(gesture* g);
} gesture_class;

struct gesture {
  const gesture_class* cls;    // must be first
  struct modal_island* island; // [config]
  uint32_t body, n_bodies;     // it acts on so many bodies of the island, from this one on
  uint32_t point;              // its first point on each of them
  uint32_t contact;            // its first contact in the network
  uint32_t join;               // and join
  double work;                 // [state] done by whoever moves it, but for moved gaps [J]
  double lost;                 // by it, besides what contacts and joins account for [J]
};

#endif

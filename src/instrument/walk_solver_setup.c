#include "walk.h"

#include "hertzian/contact/solved.h"

#include <string.h>

static const char* const default_name = "house"; // contacts as fine as they need, several mallets and bodies at once

/** Whether an instrument can have it, beside the default. */
static bool suits_instrument(const htz_solver_class* cls) {
  return cls->real_time && cls->body && strcmp(cls->name, default_name) != 0;
}

const char* htz_walk_solver_name(size_t index) {
  if (index == 0) {
    return default_name;
  }
  for (size_t i = 0; htz_solver_at(i); ++i) {
    if (suits_instrument(htz_solver_at(i)) && --index == 0) {
      return htz_solver_at(i)->name;
    }
  }
  return NULL;
}

void htz_walk_solver(walk* w, const walk_block* in) {
  const size_t index = htz_walk_row_word(w, in, HTZ_ROW_MALLET_SOLVER);
  if (index > 0 && index != HTZ_NO_WORD) {
    w->spec->mallet.solver = htz_solver_find(htz_walk_solver_name(index));
    w->spec->mallet.pool = 1; // unless the file says otherwise, which is a fault then
    w->solver = htz_walk_value(in, HTZ_ROW_MALLET_SOLVER);
  }
}

static bool all_one(const htz_table* table) {
  for (size_t i = 0; i < table->n; ++i) {
    if (table->value[i] != 1.0) {
      return false;
    }
  }
  return true;
}

/** What the contact and the hammer of the file must be for this solver. */
static void check_hammer(walk* w, const htz_solver_class* cls) {
  const htz_spec_mallet* mallet = &w->spec->mallet;
  if (mallet->law && mallet->law != &htz_law_hunt_crossley) {
    htz_walk_fault(w, w->solver, "solver: %s has the law %s, not %s", cls->name, htz_law_hunt_crossley.name, mallet->law->name);
  }
  if (cls->linear && !all_one(&mallet->exponent)) {
    htz_walk_fault(w, w->solver, "solver: %s is for linear contacts: exponent must be 1 at every key", cls->name);
  }
  if (mallet->pool != 1) {
    htz_walk_fault(w, w->solver, "solver: %s has one hammer per key: pool must be 1", cls->name);
  }
  if (mallet->stay.given) {
    htz_walk_fault(w, w->solver, "solver: %s has a hammer that flies off: no gravity, drive or roll", cls->name);
  }
  if (w->spec->fingered.harmonics) {
    htz_walk_fault(w, w->solver, "solver: %s solves one contact alone, not with a finger that lies on the string: no harmonics",
                   cls->name);
  }
  if (!cls->strike_with && (!all_one(&mallet->touch) || mallet->soft != 1.0 || w->spec->n_kinds > 0)) {
    htz_walk_fault(w, w->solver, "solver: %s has one hammer that cannot change: touch must be 1, without kinds and soft_pedal",
                   cls->name);
  }
}

/** And what it strikes. */
static void check_body(walk* w, const htz_solver_class* cls, const htz_spec_body* body) {
  bool several = w->n_strikes > 1;
  for (int key = w->spec->key_low; w->keyed && key <= w->spec->key_high; ++key) {
    several = several || htz_spec_count(body, key) > 1;
  }
  if (several) {
    htz_walk_fault(w, w->solver, "solver: %s strikes one body: no count at any key", cls->name);
  }
  if (body->stretches) {
    htz_walk_fault(w, w->solver, "solver: %s knows no tension that grows with stretching: no stretch on \"%s\"", cls->name,
                   body->name);
  }
  if (!cls->strike_with && body->most_modes > HTZ_SOLVED_FIXED_MODES) {
    htz_walk_fault(w, w->solver, "solver: %s takes at most %d modes, \"%s\" has up to %zu: say modes: %d", cls->name,
                   (int)HTZ_SOLVED_FIXED_MODES, body->name, body->most_modes, (int)HTZ_SOLVED_FIXED_MODES);
  }
}

void htz_walk_check_solver(walk* w) {
  if (!w->solver) {
    return;
  }
  check_hammer(w, w->spec->mallet.solver);
  if (w->struck < w->spec->n_bodies) {
    check_body(w, w->spec->mallet.solver, &w->spec->bodies[w->struck]);
  }
}

#include "bridge_private.h"

#include <math.h>
#include <string.h>

/*
   Strings that nothing strikes, a run at a time. On a support that stands still each goes its own way, so the whole run of what they
   give is known beforehand; what the support's movement w_ at sample f adds to that at sample f + l is w_ times the answer of l
   samples, the same for all strings of a point together. So the samples of a run, which must wait for one another, have only that sum
   to add; the strings themselves get w_ all at once when the run is over.
*/

// To derive the turning coordinates of strings alone takes no more than to go through so many samples one by one: a run as long is worth
// it, even if a glide in progress makes them stale again. Else they are derived after so many runs without a change, and then so much a
// run, in keys of strings alone.
enum { WORTH_FRAMES = HTZ_QUANTUM / 2, SETTLE_RUNS = 2, EFFORT_PER_RUN = 12 };

/** The strings after a support that moved by b for a sample are those that begin at b: x = bx, y = by. @return false when that is no number */
static bool derive_answer(htz_bridge* b, support* r) {
  static const float all[2] = {1.0f, 0.0f};
  float* const to[2] = {r->answer, r->answer};
  const htz_port_turn* t = r->port.turn;
  memcpy(t->x, t->table.bx, t->n * sizeof(float));
  memcpy(t->y, t->table.by, t->n * sizeof(float));
  memset(r->answer, 0, sizeof r->answer);
  // No limit: stiff strings have more N/m than any has N.
  return isfinite(b->kernels->turn_free(t->n, &t->table, t->x, t->y, HTZ_QUANTUM, HUGE_VALF, all, to));
}

/** @return false when the strings cannot be had in turning coordinates */
static bool derive(htz_bridge* b, support* r) {
  r->turns = r->island->cls->port->turn_derive(r->island) && derive_answer(b, r);
  r->still = 0;
  return r->turns;
}

static void sum_answers(htz_bridge* b) {
  memset(b->own, 0, b->n_points * HTZ_ANSWER * sizeof(float));
  memset(b->beside, 0, b->n_points * HTZ_ANSWER * sizeof(float));
  for (size_t i = 0; i < b->n_supports; ++i) {
    b->supports[i]->counted = false;
  }
  for (size_t i = 0; i < b->n_turning; ++i) {
    support* r = b->turning[i];
    const float first = (float)r->share[0], second = (float)r->share[1];
    float* own = b->own + r->point * HTZ_ANSWER;
    float* beside = b->beside + r->point * HTZ_ANSWER;
    // A single point has no next; its keys have no share in one either.
    float* next = second > 0.0f ? own + HTZ_ANSWER : own;
    for (size_t l = 0; l < HTZ_QUANTUM; ++l) {
      own[l] += first * first * r->answer[l];
      beside[l] += first * second * r->answer[l];
      next[l] += second * second * r->answer[l];
    }
    r->counted = true;
  }
}

// Single precision takes a little of the energy at every way there and back, the more the stiffer the strings: bent by more than an octave, or
// under another lever, they only go when they rest.
static const double bent_most = 4.0; // of T/L

/** The turning coordinates of `r` are to be derived for a run of `frames`; `left` is what may yet be done for that in it. */
static bool is_worth(const support* r, uint32_t frames, unsigned left) {
  const bool strings_alone = r->port.turn->effort == 1 && r->tension <= bent_most * r->built_tension;
  return (strings_alone && frames >= WORTH_FRAMES) || (r->still >= SETTLE_RUNS && left > 0);
}

/** @return true when the key goes through the run in turning coordinates; `left` is what may yet be done for that in this run. */
static bool goes_turning(htz_bridge* b, support* r, uint32_t frames, unsigned* left) {
  const htz_port_class* port = r->island->cls->port;
  if (!r->awake || r->port.n_lines > 0 || b->exact || !port->steady(r->island)) {
    return false;
  }
  if (r->turns && port->turn(r->island)) {
    return true;
  }
  r->turns = false;
  if (!is_worth(r, frames, *left)) {
    ++r->still;
    return false;
  }
  if (!derive(b, r)) {
    return false;
  }
  *left -= r->port.turn->effort < *left ? r->port.turn->effort : *left;
  return port->turn(r->island);
}

/** @return true when those that turn are not those whose answers were summed */
static bool sort_keys(htz_bridge* b, uint32_t frames) {
  unsigned left = EFFORT_PER_RUN;
  bool changed = false;
  b->n_turning = 0;
  b->n_stepping = 0;
  for (size_t i = 0; i < b->n_supports; ++i) {
    support* r = b->supports[i];
    const bool turned = r->turns;
    r->turning = goes_turning(b, r, frames, &left);
    r->flying = false;
    changed |= r->turning != r->counted || (r->turning && !turned);
    if (r->turning) {
      b->turning[b->n_turning++] = r;
    } else if (r->awake) {
      r->island->cls->port->moving(r->island); // its ends are to be read
      r->flying = !r->island->cls->port->is_free(r->island);
      r->reaction = rest_feel(r, &r->end_force);
      b->stepping[b->n_stepping++] = r;
    }
  }
  return changed;
}

void htz_bridge_sort(htz_bridge* b, uint32_t frames) {
  if (sort_keys(b, frames)) {
    sum_answers(b);
  }
}

void htz_bridge_turn(htz_bridge* b, uint32_t frames) {
  memset(b->coming, 0, b->n_points * HTZ_ANSWER * sizeof(float));
  for (size_t i = 0; i < b->n_turning; ++i) {
    support* r = b->turning[i];
    const htz_port_turn* t = r->port.turn;
    const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
    const float share[2] = {(float)r->share[0], (float)r->share[1]};
    float* const to[2] = {b->coming + r->point * HTZ_ANSWER, b->coming + next * HTZ_ANSWER};
    if (!isfinite(b->kernels->turn_free(t->n, &t->table, t->x, t->y, frames, HUGE_VALF, share, to))) {
      htz_bridge_expel(b, r);
    }
  }
}

void htz_bridge_turn_back(htz_bridge* b, uint32_t frames) {
  for (size_t i = 0; i < b->n_turning; ++i) {
    support* r = b->turning[i];
    if (!r->awake) {
      continue; // expelled
    }
    const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
    const float share[2] = {(float)r->share[0], (float)r->share[1]};
    const float* const w[2] = {b->moved + r->point * HTZ_QUANTUM, b->moved + next * HTZ_QUANTUM};
    const htz_port_turn* t = r->port.turn;
    b->kernels->turn_driven(t->n, &t->table, t->x, t->y, frames, share, w);
    r->island->cls->port->turned(r->island, frames);
  }
}

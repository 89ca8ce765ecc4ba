#include "grid_network_private.h"

#include <math.h>

// Bows on grids: alone, and beside contacts and each other.

static const double bow_close = 1e-12; // of the string's way under the bow: friction and contacts agree on it
static const double own_give = 1e-3;   // steps of a grid cannot be shorter: htz_friction_solve_several()
enum { BOW_MAX = 30, BOWS_MAX = 60 };

/**
   The bow's share of a step is known: its force, and how far it lets the string go by. Twisting, F + spring mean(x) + x'/yield = 0 over
   the step, takes the rest of the surface's speed.
*/
static void bow_settle(htz_grid_network* net, grid_bow* b, double force, double way) {
  b->force = force;
  b->twist -= net->period * b->turn * (force + b->spring * b->twist);
  if (force != 0.0) {
    htz_grid_push(b->grid, b->point, -force);
    net->bowed -= 0.5 * force * way;
  }
}

static double bow_way(const grid_bow* b) {
  return htz_grid_next(b->grid, b->point) - htz_grid_before(b->grid, b->point);
}

/** Friction under which the string would go `way` past a bow that does not drag, `give` less for each newton. */
static double bow_drag(const htz_grid_network* net, const grid_bow* b, htz_friction_state* state, double way,
                       double compliance) {
  const double k = net->period;
  return htz_friction_solve(&b->law, state, 0.5 * way / k - b->speed - b->turn * b->spring * b->twist,
                            0.5 * compliance / k + b->turn, b->normal, k);
}

/** A bow that no contact is near to. */
void htz_grid_bow_step(htz_grid_network* net, grid_bow* b) {
  const double way = bow_way(b);
  const double compliance = htz_grid_compliance(b->grid, b->point, b->point);
  const double force = bow_drag(net, b, &b->state, way, compliance);
  bow_settle(net, b, force, way - compliance * force);
}

/** Way of the string under the bow when the bow drags with `force`, the contacts solved beside it. */
static double dragged(htz_grid_network* net, const grid_group* group, grid_work* w, double free, double compliance,
                      double force) {
  for (size_t i = 0; i < group->n; ++i) {
    w->part[i].s0 = w->part[i].s0_alone + group->bow_compliance[0][i] * -force;
  }
  htz_grid_group_solve(net, group, w);
  double way = free - compliance * force;
  for (size_t j = 0; j < w->n; ++j) {
    way -= group->bow_compliance[0][w->at[j]] * w->f[j];
  }
  return way;
}

/**
   A bow beside contacts: how far the string goes falls as the friction grows, by `give` at most, for contacts only stiffen it. So friction
   is solved against the chord through the last two answers, from the branch of the step before, until it meets the curve.
*/
static void bow_beside(htz_grid_network* net, const grid_group* group, grid_work* w) {
  grid_bow* b = &net->bows[group->bow[0]];
  const double k = net->period;
  const double free = bow_way(b);
  const double compliance = htz_grid_compliance(b->grid, b->point, b->point);
  double force = b->normal > 0.0 ? b->force : 0.0; // a guess
  double way = dragged(net, group, w, free, compliance, force);
  if (!(b->normal > 0.0)) {
    (void)bow_drag(net, b, &b->state, way, 0.0); // off the string: at rest
    bow_settle(net, b, 0.0, way);
    return;
  }
  double chord = compliance;
  htz_friction_state state = b->state;
  bool met = false;
  for (int i = 0; i < BOW_MAX && !met; ++i) {
    const uint64_t iterations = state.iterations; // of every round; what else it counts and remembers is the last one's
    state = b->state;
    state.iterations = iterations;
    const double alone = way + chord * force;
    const double next = bow_drag(net, b, &state, alone, chord);
    const double expected = alone - chord * next;
    const double found = dragged(net, group, w, free, compliance, next);
    const double off = found - expected;
    const double scale = bow_close * (fabs(found) + fabs(free) + fabs(b->speed) * k);
    met = fabs(off) <= scale;
    if (next != force) {
      const double steep = (way - found) / (next - force);
      chord = steep > 0.0 ? (steep < compliance ? steep : compliance) : 0.0;
    }
    force = next;
    way = found;
  }
  state.unconverged += met ? 0 : 1;
  b->state = state;
  bow_settle(net, b, force, way);
}

// ---------------------------------------------------------------- several

/** Bows that feel each other, in one step. */
typedef struct {
  size_t n;
  grid_bow* bow[HTZ_GRID_BOWS_MAX];
  double way[HTZ_GRID_BOWS_MAX];                       // the strings would go past them if nothing dragged [m]
  double held[HTZ_GRID_BOWS_MAX * HTZ_GRID_BOWS_MAX];  // how far 1 N at one moves another [m/N]
  double chord[HTZ_GRID_BOWS_MAX * HTZ_GRID_BOWS_MAX]; // and with the contacts as they give way
} several;

/** Ways of the strings under forces of the bows, the contacts solved beside them. */
static void drag_several(htz_grid_network* net, const grid_group* group, grid_work* w, const several* t, const double* force,
                         double* way) {
  for (size_t i = 0; i < group->n; ++i) {
    w->part[i].s0 = w->part[i].s0_alone;
    for (size_t b = 0; b < t->n; ++b) {
      w->part[i].s0 -= group->bow_compliance[b][i] * force[b];
    }
  }
  htz_grid_group_solve(net, group, w);
  for (size_t a = 0; a < t->n; ++a) {
    way[a] = t->way[a];
    for (size_t b = 0; b < t->n; ++b) {
      way[a] -= t->held[a * t->n + b] * force[b];
    }
    for (size_t j = 0; j < w->n; ++j) {
      way[a] -= group->bow_compliance[a][w->at[j]] * w->f[j];
    }
  }
}

/** Frictions of all, if contacts gave way by the chord. @return false when they are not solved */
static bool rub_several(const htz_grid_network* net, const several* t, const double* way, double* force, htz_rubbed* of) {
  const double k = net->period;
  double free[HTZ_GRID_BOWS_MAX], gain[HTZ_GRID_BOWS_MAX * HTZ_GRID_BOWS_MAX];
  htz_rubbed_count count = {0};
  for (size_t a = 0; a < t->n; ++a) {
    const grid_bow* b = t->bow[a];
    double alone = way[a];
    for (size_t c = 0; c < t->n; ++c) {
      alone += t->chord[a * t->n + c] * force[c];
      gain[a * t->n + c] = 0.5 * t->chord[a * t->n + c] / k + (a == c ? b->turn : 0.0);
    }
    free[a] = 0.5 * alone / k - b->speed - b->turn * b->spring * b->twist;
    of[a] = (htz_rubbed){.law = &b->law, .state = &b->state, .normal = b->normal, .force = force[a]};
  }
  const bool solved = htz_friction_solve_several(t->n, of, free, gain, own_give, k, &count);
  for (size_t a = 0; a < t->n; ++a) {
    force[a] = of[a].force;
  }
  return solved;
}

/**
   The chord through the last two answers (a symmetric update of rank one): contacts only stiffen, so that it stays between nothing and what
   the strings give alone; where it would not, it begins anew.
*/
static void bend_chord(several* t, const double* force, const double* moved) {
  const size_t n = t->n;
  double off[HTZ_GRID_BOWS_MAX], along = 0.0;
  for (size_t a = 0; a < n; ++a) {
    off[a] = moved[a];
    for (size_t b = 0; b < n; ++b) {
      off[a] -= t->chord[a * n + b] * force[b];
    }
    along += off[a] * force[a];
  }
  bool good = along != 0.0;
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; good && b < n; ++b) {
      t->chord[a * n + b] += off[a] * off[b] / along;
    }
    const double own = t->chord[a * n + a];
    good = good && own >= 0.0 && own <= t->held[a * n + a];
  }
  for (size_t i = 0; !good && i < n * n; ++i) {
    t->chord[i] = t->held[i];
  }
}

/** Contacts and frictions take turns, each against what the others last gave, until they agree. */
static void bows_together(htz_grid_network* net, const grid_group* group, grid_work* w) {
  several t = {.n = group->n_bows};
  double force[HTZ_GRID_BOWS_MAX], way[HTZ_GRID_BOWS_MAX], next[HTZ_GRID_BOWS_MAX], found[HTZ_GRID_BOWS_MAX];
  htz_rubbed of[HTZ_GRID_BOWS_MAX];
  for (size_t a = 0; a < t.n; ++a) {
    t.bow[a] = &net->bows[group->bow[a]];
    t.way[a] = bow_way(t.bow[a]);
    force[a] = t.bow[a]->normal > 0.0 ? t.bow[a]->force : 0.0;
    for (size_t b = 0; b < t.n; ++b) {
      t.held[a * t.n + b] = t.chord[a * t.n + b] = group->between[a][b];
    }
  }
  drag_several(net, group, w, &t, force, way);
  bool met = false;
  for (int i = 0; i < BOWS_MAX && !met; ++i) {
    double change[HTZ_GRID_BOWS_MAX], moved[HTZ_GRID_BOWS_MAX];
    for (size_t a = 0; a < t.n; ++a) {
      next[a] = force[a];
    }
    const bool solved = rub_several(net, &t, way, next, of);
    drag_several(net, group, w, &t, next, found);
    met = solved;
    for (size_t a = 0; a < t.n; ++a) {
      double expected = way[a];
      change[a] = next[a] - force[a];
      for (size_t b = 0; b < t.n; ++b) {
        expected += t.chord[a * t.n + b] * (force[b] - next[b]);
      }
      moved[a] = way[a] - found[a];
      const double scale = bow_close * (fabs(found[a]) + fabs(t.way[a]) + fabs(t.bow[a]->speed) * net->period);
      met = met && fabs(found[a] - expected) <= scale;
    }
    bend_chord(&t, change, moved);
    for (size_t a = 0; a < t.n; ++a) {
      force[a] = next[a];
      way[a] = found[a];
    }
    if (!solved && w->n == 0) {
      break; // no contact has a part in it: another round would be the same
    }
  }
  for (size_t a = 0; a < t.n; ++a) {
    of[a].next.unconverged += met ? 0 : 1;
    t.bow[a]->state = of[a].next;
    bow_settle(net, t.bow[a], force[a], way[a]);
  }
}

void htz_grid_bows_beside(htz_grid_network* net, const grid_group* group, grid_work* w) {
  if (group->n_bows == 1) {
    bow_beside(net, group, w);
  } else {
    bows_together(net, group, w);
  }
}

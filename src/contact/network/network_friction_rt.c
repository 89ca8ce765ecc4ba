#include "network_private.h"

#include "hertzian/dsp/linalg.h"

#include <string.h>

/*
   Friction links beside joins and contacts. The joins are eliminated; what is left is, for the forces f of friction and F of contacts,

     s_i = s_free_i - sum_j C_ij f_j - sum_c C_ic F_c,   s_c = s_free_c - sum_i C_ci f_i - sum_b C_cb F_b(s_b).

   The contacts are monotone: given f they are solved as always. Around them goes an outer search on f: with the contacts replaced by their
   slopes, f obeys the scalar equations of friction alone, which htz_friction_solve() finds whole, with its folds and branches; then the
   contacts are solved anew. That is Newton's method for the contacts and no approximation for the friction.
*/

enum { OUTER_MAX = 40, OUTER_FREELY = 8 };
static const double known = 1e-3;   // by so much less forces are known, relative to what presses
static const double agreed = 1e-12; // relative to the speeds in play: the forces are then known to some twelve digits

typedef struct {
  size_t n;          // links that rub
  size_t n_contacts; // active
  friction* f[HTZ_FRICTIONS_MAX];
  double own[HTZ_FRICTIONS_MAX * HTZ_FRICTIONS_MAX];     // C_ij [m/N]
  double beside[HTZ_FRICTIONS_MAX][NEWTON_CONTACTS_MAX]; // C_ic of the first active contacts [m/N]
} block;

/** Displacement at `point` of `body` over a step per unit of the link's force [m/N]. */
static double felt(htz_network* net, unsigned level, const friction* f, uint32_t body, size_t point) {
  if (f->desc.body != body) {
    return 0.0;
  }
  htz_body* b = net->nodes[body].body;
  const double here = f->way < 1.0 ? (1.0 - f->way) * b->cls->compliance(b, level, f->desc.point[0], point) : 0.0;
  return f->way > 0.0 ? here + f->way * b->cls->compliance(b, level, f->desc.point[1], point) : here;
}

/** What joins that bear `share` each take of an increment of the link. */
static double joined(const friction* f, const double* share) {
  double sum = 0.0;
  for (size_t i = 0; i < f->n_met; ++i) {
    sum += f->cross[f->met[i]] * share[f->met[i]];
  }
  return sum;
}

/** C between two links. */
static double between(htz_network* net, unsigned level, const friction* a, const friction* b) {
  double sum = a->way < 1.0 ? (1.0 - a->way) * felt(net, level, b, a->desc.body, a->desc.point[0]) : 0.0;
  sum += a->way > 0.0 ? a->way * felt(net, level, b, a->desc.body, a->desc.point[1]) : 0.0;
  return sum - joined(a, b->share);
}

/** C between a link and a contact. */
static double to_contact(htz_network* net, unsigned level, const friction* f, const contact* c) {
  const htz_contact_desc* d = &c->desc;
  const double sum = d->direction * (felt(net, level, f, d->body_a, d->point_a) - felt(net, level, f, d->body_b, d->point_b));
  if (net->n_held == 0) {
    return sum;
  }
  return sum - joined(f, net->join_levels[level].share + (size_t)(c - net->contacts) * net->n_joins);
}

/** One that was just lifted lets go of the surface in this step. */
static bool rubs(const htz_network* net, const friction* f) {
  return net->nodes[f->desc.body].awake && (f->normal > 0.0 || f->state.normal > 0.0);
}

bool htz_network_rubs(const htz_network* net) {
  bool any = false;
  for (size_t i = 0; i < net->n_frictions; ++i) {
    any = any || rubs(net, &net->frictions[i]);
  }
  return any;
}

void htz_network_predict_frictions(htz_network* net, unsigned level, double d) {
  net->n_rubbing = 0;
  for (size_t i = 0; i < net->n_frictions; ++i) {
    friction* f = &net->frictions[i];
    if (!rubs(net, f)) {
      continue;
    }
    net->rubbing[net->n_rubbing++] = (uint32_t)i;
    f->s_free = 0.0;
    for (size_t k = 0; k < 2; ++k) {
      const double share = k ? f->way : 1.0 - f->way;
      f->s_free += share > 0.0 ? share * network_rise(net, level, f->desc.body, f->desc.point[k], f->slot[k]) : 0.0;
    }
    f->turn = f->desc.twist > 0.0 ? 1.0 / (1.0 / f->desc.twist + 0.5 * d * f->desc.spring) : 0.0;
    f->n_met = 0;
    for (size_t h = 0; h < net->n_held; ++h) {
      const htz_join_desc* j = &net->joins[net->held[h]].desc;
      const bool meets = j->body_a == f->desc.body || j->body_b == f->desc.body;
      f->cross[net->held[h]] =
          meets ? felt(net, level, f, j->body_a, j->point_a) - felt(net, level, f, j->body_b, j->point_b) : 0.0;
      f->met[f->n_met] = net->held[h];
      f->n_met += meets;
    }
    if (net->n_held) {
      htz_network_joins_share(net, level, f->cross, f->share);
      f->s_free -= htz_network_joins_reduce(net, f->cross, f->n_met, f->met);
    }
  }
}

double htz_network_frictions_take(htz_network* net, unsigned level, const contact* c) {
  double sum = 0.0;
  for (size_t i = 0; i < net->n_rubbing; ++i) {
    const friction* f = &net->frictions[net->rubbing[i]];
    sum += to_contact(net, level, f, c) * f->force;
  }
  return sum;
}

/** Speed of the surface past the bow were it let go of now: `s` is the increment without the link's own force. */
static double free_speed(const friction* f, double s, double d) {
  return s / d - f->speed - f->turn * f->desc.spring * f->twist;
}

static void fill(htz_network* net, unsigned level, block* b) {
  b->n = net->n_rubbing;
  b->n_contacts = net->n_active < NEWTON_CONTACTS_MAX ? net->n_active : NEWTON_CONTACTS_MAX;
  for (size_t i = 0; i < b->n; ++i) {
    b->f[i] = &net->frictions[net->rubbing[i]];
    for (size_t j = 0; j <= i; ++j) {
      b->own[i * b->n + j] = b->own[j * b->n + i] = between(net, level, b->f[i], b->f[j]);
    }
    for (size_t c = 0; c < b->n_contacts; ++c) {
      b->beside[i][c] = to_contact(net, level, b->f[i], &net->contacts[net->active[c]]);
    }
  }
}

/** Friction alone: nothing else acts, or all that acts is in `free` and `own`. */
static bool solve_alone(htz_network* net, const block* b, const double* s, const double* own, double d) {
  double free[HTZ_FRICTIONS_MAX], gain[HTZ_FRICTIONS_MAX * HTZ_FRICTIONS_MAX];
  for (size_t i = 0; i < b->n; ++i) {
    free[i] = free_speed(b->f[i], s[i], d);
    for (size_t j = 0; j < b->n; ++j) {
      gain[i * b->n + j] = own[i * b->n + j] / d + (i == j ? b->f[i]->turn : 0.0);
    }
  }
  return htz_network_solve_bows(net, free, gain, d);
}

/** The contacts under the friction forces as they are. */
static bool solve_contacts(htz_network* net, unsigned level, double d) {
  for (size_t a = 0; a < net->n_active; ++a) {
    contact* c = &net->contacts[net->active[a]];
    c->s_free = c->s_alone - htz_network_frictions_take(net, level, c);
  }
  return htz_network_solve(net, level, d);
}

/** Increments of the links without friction, were the contacts to go on with their present slopes; `own` is what those leave of C. */
static void follow_contacts(htz_network* net, unsigned level, const block* b, double* s, double* own) {
  double matrix[NEWTON_CONTACTS_MAX * NEWTON_CONTACTS_MAX], work[NEWTON_CONTACTS_MAX * NEWTON_CONTACTS_MAX];
  double column[NEWTON_CONTACTS_MAX];
  const size_t m = b->n_contacts;
  const bool sloped = net->n_active == m; // many contacts are followed one solve behind
  memcpy(own, b->own, b->n * b->n * sizeof *own);
  for (size_t i = 0; sloped && i < m; ++i) {
    contact* ci = &net->contacts[net->active[i]];
    for (size_t j = 0; j < m; ++j) {
      const contact* cj = &net->contacts[net->active[j]];
      const double c = i == j ? htz_network_self(net, level, ci) : htz_network_coupling(net, level, ci, cj);
      matrix[i * m + j] = c * cj->to.slope + (i == j ? 1.0 : 0.0);
    }
  }
  for (size_t k = 0; sloped && k < b->n; ++k) {
    memcpy(work, matrix, m * m * sizeof *work);
    memcpy(column, b->beside[k], m * sizeof *column);
    if (!htz_solve_dense(m, m, work, column)) {
      continue;
    }
    for (size_t i = 0; i < b->n; ++i) {
      for (size_t c = 0; c < m; ++c) {
        own[i * b->n + k] -= b->beside[i][c] * net->contacts[net->active[c]].to.slope * column[c];
      }
    }
  }
  for (size_t i = 0; i < b->n; ++i) {
    s[i] = b->f[i]->s_free;
    for (size_t c = 0; c < net->n_active; ++c) {
      const contact* other = &net->contacts[net->active[c]];
      s[i] -= (c < m ? b->beside[i][c] : to_contact(net, level, b->f[i], other)) * other->force;
    }
    // Of the friction forces only what the contacts answer to their change is in s now.
    for (size_t j = 0; j < b->n; ++j) {
      s[i] += (own[i * b->n + j] - b->own[i * b->n + j]) * b->f[j]->force;
    }
  }
}

/** How far apart the forces before and after are, relative to what is in play. */
static double distance(const block* b, const double* before, double d) {
  double most = 0.0;
  for (size_t i = 0; i < b->n; ++i) {
    const friction* f = b->f[i];
    const double gain = b->own[i * b->n + i] / d + f->turn;
    const double change = gain * (f->force - before[i]);
    const double free = f->s_free / d - f->speed;
    const double scale = gain * f->normal + (free < 0.0 ? -free : free);
    const double share = scale > 0.0 ? (change < 0.0 ? -change : change) / scale : 0.0;
    most = share > most ? share : most;
    // What is held fast gives no way to any force: there the force itself is to be found.
    const double more = known * (f->force - before[i]), size = more < 0.0 ? -more : more;
    most = f->normal > 0.0 && size > most * f->normal ? size / f->normal : most;
  }
  return most;
}

/** Forces the next round starts from: the new ones; of one bow kept in its bracket, of several, after a while, half of the way. */
static void next_forces(const block* b, const double* before, double bracket[2], int round) {
  for (size_t i = 0; i < b->n; ++i) {
    friction* f = b->f[i];
    const double found = f->force;
    if (b->n > 1) {
      f->force = round < OUTER_FREELY ? found : 0.5 * (found + before[i]);
      continue;
    }
    // The more the bow pulls, the more speed it leaves: where more is found than was tried, the answer lies above.
    bracket[found > before[i] ? 0 : 1] = before[i];
    const bool inside = found >= bracket[0] && found <= bracket[1];
    f->force = inside && round < OUTER_FREELY ? found : 0.5 * (bracket[0] + bracket[1]);
  }
}

static bool solve_around(htz_network* net, unsigned level, const block* b, double d) {
  double before[HTZ_FRICTIONS_MAX], s[HTZ_FRICTIONS_MAX], own[HTZ_FRICTIONS_MAX * HTZ_FRICTIONS_MAX];
  double bracket[2] = {-1e300, 1e300};
  for (int round = 0; round < OUTER_MAX; ++round) {
    ++net->counters.rounds;
    for (size_t i = 0; i < b->n; ++i) {
      before[i] = b->f[i]->force;
    }
    if (!solve_contacts(net, level, d)) {
      return false;
    }
    follow_contacts(net, level, b, s, own);
    if (!solve_alone(net, b, s, own, d)) {
      return false;
    }
    if (distance(b, before, d) <= agreed) {
      for (size_t i = 0; i < b->n; ++i) {
        b->f[i]->force = before[i]; // the contacts were solved with these
      }
      return true;
    }
    next_forces(b, before, bracket, round);
  }
  return false;
}

/** Increments of the links, and of contacts as far as friction makes them, from the forces found. */
static void settle(htz_network* net, unsigned level, const block* b) {
  for (size_t i = 0; i < b->n; ++i) {
    friction* f = b->f[i];
    f->s = f->s_free;
    for (size_t j = 0; j < b->n; ++j) {
      f->s -= b->own[i * b->n + j] * b->f[j]->force;
    }
    for (size_t a = 0; a < net->n_active; ++a) {
      const contact* c = &net->contacts[net->active[a]];
      f->s -= (a < b->n_contacts ? b->beside[i][a] : to_contact(net, level, f, c)) * c->force;
    }
  }
  for (size_t j = 0; j < net->n_joined; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    c->s_free = c->s_alone - htz_network_frictions_take(net, level, c);
  }
}

bool htz_network_solve_frictions(htz_network* net, unsigned level, double d) {
  block b;
  double s[HTZ_FRICTIONS_MAX];
  bool solved;
  fill(net, level, &b);
  if (net->n_active) {
    solved = solve_around(net, level, &b, d);
  } else {
    for (size_t i = 0; i < b.n; ++i) {
      s[i] = b.f[i]->s_free;
    }
    solved = solve_alone(net, &b, s, b.own, d);
  }
  settle(net, level, &b);
  return solved;
}

size_t htz_network_add_frictions_at(htz_network* net, size_t b, size_t count) {
  for (size_t i = 0; i < net->n_rubbing; ++i) {
    const friction* f = &net->frictions[net->rubbing[i]];
    for (size_t k = 0; f->desc.body == b && k < 2; ++k) {
      const double share = k ? f->way : 1.0 - f->way;
      if (share > 0.0) {
        net->points[count] = f->desc.point[k];
        net->forces[count++] = -share * f->force;
      }
    }
  }
  return count;
}

void htz_network_book_frictions(htz_network* net, double d) {
  net->counters.rubbed += net->n_rubbing > 0;
  for (size_t i = 0; i < net->n_rubbing; ++i) {
    friction* f = &net->frictions[net->rubbing[i]];
    htz_friction_account* a = &f->account;
    const double turning = -f->turn * (f->force + f->desc.spring * f->twist);
    a->v = f->s / d - f->speed + turning;
    a->force = f->force;
    a->work -= f->force * f->speed * d;
    a->lost += d * (f->force * a->v + (f->turn > 0.0 ? turning * turning / f->desc.twist : 0.0));
    const bool caught = f->next.sticks && !f->state.sticks;
    a->catches += caught;
    net->counters.catches += caught;
    net->counters.unconverged += f->next.unconverged - f->state.unconverged;
    f->twist += d * turning;
    a->stored = 0.5 * f->desc.spring * f->twist * f->twist;
    f->state = f->next;
    if (!(f->normal > 0.0)) {
      htz_network_lift_friction(f);
    }
  }
}

void htz_network_lift_friction(friction* f) {
  f->account.lost += f->account.stored;
  f->account.stored = 0.0;
  f->twist = 0.0;
  f->force = 0.0;
  f->state = (htz_friction_state){
      .v = f->state.v, .solves = f->state.solves, .iterations = f->state.iterations, .unconverged = f->state.unconverged};
}

void htz_network_rub(htz_network* net, size_t index, double speed, double normal, double way) {
  friction* f = network_friction(net, index);
  f->speed = speed;
  f->normal = normal;
  f->way = way;
}

const htz_friction_account* htz_network_friction(const htz_network* net, size_t index) {
  return &network_friction(net, index)->account;
}

const htz_friction_state* htz_network_friction_state(const htz_network* net, size_t index) {
  return &network_friction(net, index)->state;
}

double htz_network_friction_stiffness(htz_network* net, size_t index, size_t at, double normal) {
  const friction* f = network_friction(net, index);
  htz_body* body = net->whole->nodes[f->desc.body].body;
  const size_t point = f->desc.point[at];
  return htz_friction_stiffness(&f->desc.law, body->cls->compliance(body, 0, point, point) / net->period + f->desc.twist,
                                normal);
}

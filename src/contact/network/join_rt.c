#include "network_private.h"

#include <math.h>
#include <string.h>

/*
   Linear joins, eliminated: one symmetric matrix A + diag(1/g) for each step length (hertzian/contact/network.h).
*/

// A pivot this small against its row's own size says that nothing can move there, or that another join says the same: it is left out.
static const double pivot_least = 1e-13;

static double spring_of(const join* j) {
  return j->desc.rigid ? 0.0 : j->desc.stiffness;
}

/** Lay 1/g and the matrix A + diag(1/g) of a step of length d, its upper half, in the order of net->held. */
static void lay_matrix(htz_network* net, unsigned level, double d, double* m) {
  join_level* t = &net->join_levels[level];
  for (size_t a = 0; a < net->n_held; ++a) {
    const join* j = &net->joins[net->held[a]];
    const double g = 0.5 * j->desc.stiffness + j->desc.damping / d;
    t->compliance[net->held[a]] = j->desc.rigid ? 0.0 : 1.0 / g;
    for (size_t b = 0; b <= a; ++b) {
      const join* other = &net->joins[net->held[b]];
      m[b * net->n_held + a] = htz_network_between(net, level, &j->between, &other->between);
    }
    m[a * net->n_held + a] += t->compliance[net->held[a]];
  }
}

/** L D L' of the symmetric matrix in the upper half of m [n][n]; L's columns go below the diagonal, 1/D onto it. */
static void factor(size_t n, double* m) {
  for (size_t k = 0; k < n; ++k) {
    const double size = m[k * n + k];
    double pivot = size;
    for (size_t i = 0; i < k; ++i) {
      // Row k of L D, of which the columns before i are done.
      double sum = m[i * n + k];
      for (size_t j = 0; j < i; ++j) {
        sum -= m[k * n + j] * m[i * n + j];
      }
      m[k * n + i] = sum;
    }
    for (size_t i = 0; i < k; ++i) {
      const double l = m[k * n + i] * m[i * n + i];
      pivot -= l * m[k * n + i];
      m[k * n + i] = l;
    }
    m[k * n + k] = pivot > pivot_least * size ? 1.0 / pivot : 0.0;
  }
}

/** x = (L D L')^-1 x. */
static void solve(size_t n, const double* m, double* x) {
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < k; ++i) {
      x[k] -= m[k * n + i] * x[i];
    }
  }
  for (size_t k = n; k-- > 0;) {
    x[k] *= m[k * n + k];
    for (size_t i = k + 1; i < n; ++i) {
      x[k] -= m[i * n + k] * x[i];
    }
  }
}

static void derive(htz_network* net, unsigned level, double d) {
  double m[HTZ_JOINS_MAX * HTZ_JOINS_MAX], x[HTZ_JOINS_MAX];
  join_level* t = &net->join_levels[level];
  const size_t n = net->n_held;
  lay_matrix(net, level, d, m);
  factor(n, m);
  for (size_t b = 0; b < n; ++b) {
    for (size_t a = 0; a < n; ++a) {
      x[a] = a == b ? 1.0 : 0.0;
    }
    solve(n, m, x);
    for (size_t a = 0; a < n; ++a) {
      t->inverse[net->held[a] * net->n_joins + net->held[b]] = x[a];
    }
  }
  t->ready = true;
}

void htz_network_joins_share(const htz_network* net, unsigned level, const double* cross, double* share) {
  const join_level* t = &net->join_levels[level];
  uint32_t met[HTZ_JOINS_MAX]; // of what acts on one body only the joins on it count
  size_t n_met = 0;
  for (size_t b = 0; b < net->n_held; ++b) {
    met[n_met] = net->held[b];
    n_met += cross[net->held[b]] != 0.0;
  }
  for (size_t a = 0; a < net->n_held; ++a) {
    const double* row = t->inverse + net->held[a] * net->n_joins;
    double sum = 0.0;
    for (size_t b = 0; b < n_met; ++b) {
      sum += row[met[b]] * cross[met[b]];
    }
    share[net->held[a]] = sum;
  }
}

void htz_network_predict_joins(htz_network* net, unsigned level, double d) {
  double y[HTZ_JOINS_MAX], x[HTZ_JOINS_MAX];
  memset(y, 0, net->n_joins * sizeof *y);
  const join_level* t = &net->join_levels[level];
  if (!t->ready) {
    derive(net, level, d);
  }
  for (size_t a = 0; a < net->n_held; ++a) {
    join* j = &net->joins[net->held[a]];
    j->s_free = network_rise(net, level, j->desc.body_a, j->desc.point_a, j->slot[0]) -
                network_rise(net, level, j->desc.body_b, j->desc.point_b, j->slot[1]);
    y[net->held[a]] = j->s_free + spring_of(j) * j->account.eta * t->compliance[net->held[a]];
  }
  htz_network_joins_share(net, level, y, x);
  for (size_t a = 0; a < net->n_held; ++a) {
    net->joins[net->held[a]].free_force = x[net->held[a]];
  }
}

double htz_network_joins_reduce(const htz_network* net, const double* cross, size_t n_met, const uint32_t* met) {
  double sum = 0.0;
  for (size_t i = 0; i < n_met; ++i) {
    sum += cross[met[i]] * net->joins[met[i]].free_force;
  }
  return sum;
}

static size_t number_of(const htz_network* net, const contact* c) {
  return (size_t)(c - net->contacts);
}

static bool meets(const htz_contact_desc* a, const htz_contact_desc* b) {
  return a->body_a == b->body_a || a->body_a == b->body_b || a->body_b == b->body_a || a->body_b == b->body_b;
}

/** Which joins contact `i` has a reach to, those on its bodies, and what forces there it sets off. */
static void know(htz_network* net, unsigned level, double d, size_t i) {
  join_level* t = &net->join_levels[level];
  double* cross = t->cross + i * net->n_joins;
  uint32_t* met = t->met + i * net->n_joins;
  if (!t->ready) {
    derive(net, level, d);
  }
  t->n_met[i] = 0;
  for (size_t a = 0; a < net->n_held; ++a) {
    const uint32_t at = net->held[a];
    const bool there = meets(&net->joins[at].between, &net->contacts[i].desc);
    cross[at] = there ? htz_network_between(net, level, &net->joins[at].between, &net->contacts[i].desc) : 0.0;
    met[t->n_met[i]] = at;
    t->n_met[i] += there;
  }
  htz_network_joins_share(net, level, cross, t->share + i * net->n_joins);
  t->known[i] = true;
}

double htz_network_joins_take(htz_network* net, unsigned level, double d, contact* c) {
  const join_level* t = &net->join_levels[level];
  const size_t i = number_of(net, c);
  if (!t->known[i]) {
    know(net, level, d, i);
  }
  return htz_network_joins_reduce(net, t->cross + i * net->n_joins, t->n_met[i], t->met + i * net->n_joins);
}

double htz_network_joins_stiffen(htz_network* net, unsigned level, const contact* i, const contact* j) {
  const join_level* t = &net->join_levels[level];
  const size_t a = number_of(net, i), b = number_of(net, j);
  if (!t->known[a]) {
    know(net, level, net->step[level], a);
  }
  if (!t->known[b]) {
    know(net, level, net->step[level], b);
  }
  const double *cross = t->cross + a * net->n_joins, *share = t->share + b * net->n_joins;
  const uint32_t* met = t->met + a * net->n_joins;
  double sum = 0.0;
  for (size_t h = 0; h < t->n_met[a]; ++h) {
    sum += cross[met[h]] * share[met[h]];
  }
  return sum;
}

void htz_network_settle_joins(htz_network* net, unsigned level) {
  const join_level* t = &net->join_levels[level];
  for (size_t a = 0; a < net->n_held; ++a) {
    const size_t at = net->held[a];
    join* j = &net->joins[at];
    j->force = j->free_force;
    for (size_t i = 0; i < net->n_active; ++i) {
      j->force -= t->share[net->active[i] * net->n_joins + at] * net->contacts[net->active[i]].force;
    }
    for (size_t i = 0; i < net->n_rubbing; ++i) {
      const friction* f = &net->frictions[net->rubbing[i]];
      j->force -= f->share[at] * f->force;
    }
    j->s = j->desc.rigid ? 0.0 : (j->force - spring_of(j) * j->account.eta) * t->compliance[at];
  }
}

void htz_network_bear_joins(htz_network* net, unsigned level, double d, const double* x) {
  double y[HTZ_JOINS_MAX], force[HTZ_JOINS_MAX];
  memset(y, 0, net->n_joins * sizeof *y);
  const join_level* t = &net->join_levels[level];
  if (!t->ready) {
    derive(net, level, d);
  }
  for (size_t a = 0; a < net->n_held; ++a) {
    const join* j = &net->joins[net->held[a]];
    y[net->held[a]] = x[j->slot[0]] - x[j->slot[1]] + spring_of(j) * j->account.eta * t->compliance[net->held[a]];
  }
  htz_network_joins_share(net, level, y, force);
  for (size_t a = 0; a < net->n_held; ++a) {
    const size_t at = net->held[a];
    join* j = &net->joins[at];
    j->force = force[at];
    j->s = j->desc.rigid ? 0.0 : (j->force - spring_of(j) * j->account.eta) * t->compliance[at];
  }
}

void htz_network_book_joins(htz_network* net) {
  for (size_t a = 0; a < net->n_held; ++a) {
    join* j = &net->joins[net->held[a]];
    const double work = j->force * j->s;
    const double stored = spring_of(j) * (j->account.eta + 0.5 * j->s) * j->s;
    j->account.work += work;
    j->account.dissipated += work - stored;
    j->account.eta += j->s;
    j->account.stored = 0.5 * spring_of(j) * j->account.eta * j->account.eta;
    j->account.force = j->force;
  }
}

void htz_network_refresh_joins(htz_network* net) {
  net->n_held = 0;
  for (size_t i = 0; i < net->n_joins; ++i) {
    join* j = &net->joins[i];
    j->held = j->desc.enabled && (j->desc.rigid || j->desc.stiffness > 0.0 || j->desc.damping > 0.0) &&
              net->nodes[j->desc.body_a].awake && net->nodes[j->desc.body_b].awake;
    if (j->held) {
      net->held[net->n_held++] = (uint32_t)i;
    } else {
      j->force = 0.0;
    }
  }
  for (unsigned l = 0; net->n_joins && l < NETWORK_LEVELS; ++l) {
    net->join_levels[l].ready = false;
    for (size_t i = 0; i < net->n_contacts; ++i) {
      net->join_levels[l].known[i] = false;
    }
  }
}

/** What it stores now is what it stores; the difference came from outside. */
static void drive_to(join* j, double eta) {
  const double stored = 0.5 * spring_of(j) * eta * eta;
  j->account.driven += stored - j->account.stored;
  j->account.stored = stored;
  j->account.eta = eta;
}

void htz_network_set_join(htz_network* net, size_t index, double stiffness, double damping) {
  join* j = network_join(net, index);
  if (!(stiffness >= 0.0) || !(damping >= 0.0) || (j->desc.stiffness == stiffness && j->desc.damping == damping)) {
    return;
  }
  j->desc.stiffness = stiffness;
  j->desc.damping = damping;
  drive_to(j, j->held ? j->account.eta : 0.0);
  htz_network_refresh(net);
}

void htz_network_enable_join(htz_network* net, size_t index, bool enabled) {
  join* j = network_join(net, index);
  if (j->desc.enabled == enabled) {
    return;
  }
  j->desc.enabled = enabled;
  drive_to(j, 0.0);
  htz_network_refresh(net);
}

static double apart(const htz_network* net, const join* j) {
  const htz_body* a = net->nodes[j->desc.body_a].body;
  const htz_body* b = net->nodes[j->desc.body_b].body;
  return a->cls->displacement(a, j->desc.point_a) - b->cls->displacement(b, j->desc.point_b);
}

void htz_network_ease_join(htz_network* net, size_t index, double share) {
  join* j = network_join(net, index);
  drive_to(j, j->account.eta + share * (apart(net->whole, j) - j->account.eta));
}

const htz_join_account* htz_network_join(const htz_network* net, size_t index) {
  return &network_join(net, index)->account;
}

bool htz_network_joins_relaxed(const htz_network* net) {
  static const double nothing = 1e-12; // [m] what rounding gathers, and no more
  bool relaxed = true;
  for (size_t i = 0; i < net->n_held; ++i) {
    const join* j = &net->joins[net->held[i]];
    const double off = apart(net, j) - (j->desc.rigid ? 0.0 : j->account.eta);
    relaxed = relaxed && off < nothing && off > -nothing;
  }
  return relaxed;
}

void htz_network_reread_joins(htz_network* net) {
  for (size_t i = 0; i < net->n_held; ++i) {
    join* j = &net->joins[net->held[i]];
    if (!j->desc.rigid) {
      const double eta = apart(net, j);
      const double stored = 0.5 * j->desc.stiffness * eta * eta;
      j->account.work += stored - j->account.stored;
      j->account.stored = stored;
      j->account.eta = eta;
    }
  }
}

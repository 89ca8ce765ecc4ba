#include "grid_network_private.h"

static const grid_memory open_memory;

/** What each point would be at without a force; no more than this for those that are open. */
void htz_grid_stretch_foresee(grid_stretch* s) {
  const double* restrict a = s->a->next + s->first;
  const double* restrict gap = s->gap;
  double* restrict free = s->free;
  if (s->fixed) {
    for (size_t i = 0; i < s->n; ++i) {
      free[i] = s->direction * a[i] - gap[i];
    }
    return;
  }
  const double* restrict b = s->b->next + s->first;
  for (size_t i = 0; i < s->n; ++i) {
    free[i] = s->direction * (a[i] - b[i]) - gap[i];
  }
}

static void press(grid_stretch* s, size_t i, double force) {
  const size_t at = s->first + i;
  s->a->next[at] -= s->direction * force * s->a->compliance * (s->a->ease ? s->a->ease[at] : 1.0);
  if (!s->fixed) {
    s->b->next[at] += s->direction * force * s->b->compliance * (s->b->ease ? s->b->ease[at] : 1.0);
  }
}

/** What adds up from step to step is booked here, the sums over the points by sum_up(). */
void htz_grid_stretch_settle(grid_stretch* s, size_t i, const grid_trial* t, double step, double force) {
  grid_memory* m = &s->memory[i];
  const bool open = m->eta <= 0.0;
  const grid_ledger ledger = htz_grid_trial_end(t, m, step, force);
  htz_grid_account* account = &s->account;
  account->dissipated += ledger.dissipated;
  account->closures += open && m->eta > 0.0 ? 1 : 0;
  account->pull_max = -force > account->pull_max ? -force : account->pull_max;
  if (force != 0.0) {
    press(s, i, force);
  }
}

static void sum_up(grid_stretch* s) {
  htz_grid_account* account = &s->account;
  double stored = 0.0;
  double force = 0.0;
  double eta = s->memory[0].eta;
  uint64_t touching = 0;
  for (size_t i = 0; i < s->n; ++i) {
    const grid_memory* m = &s->memory[i];
    const bool within = m->eta > 0.0;
    stored += within || m->before > 0.0 || m->psi != 0.0 ? htz_grid_stored(&s->law, m) : 0.0;
    force += m->force;
    eta = m->eta > eta ? m->eta : eta;
    touching += within ? 1 : 0;
  }
  account->stored = stored;
  account->force = force;
  account->force_max = force > account->force_max ? force : account->force_max;
  account->eta = eta;
  account->touching = touching;
}

void htz_grid_stretch_pass(grid_stretch* s, size_t i) {
  grid_memory* m = &s->memory[i];
  m->before = m->eta;
  m->eta = s->free[i];
  m->phi = m->phi_before = m->steep = m->steep_before = m->force = 0.0;
}

void htz_grid_stretch_solve(grid_stretch* s, htz_grid_counters* count) {
  for (size_t i = 0; i < s->n; ++i) {
    const grid_memory* m = &s->memory[i];
    const double c = s->compliance[i];
    if (c < 0.0 || s->stacked[i]) {
      continue;
    }
    if (!grid_awake(&s->law, m, s->free[i])) {
      htz_grid_stretch_pass(s, i);
      continue;
    }
    const double s0 = s->free[i] - m->before;
    grid_trial t;
    double step;
    htz_grid_trial_begin(&s->law, m, s0, c, &t);
    const double force = htz_grid_solve_lone(&t, s0, c, m->force, &step, count);
    htz_grid_stretch_settle(s, i, &t, step, force);
  }
  sum_up(s);
}

void htz_grid_stretch_read(grid_stretch* s) {
  for (size_t i = 0; i < s->n; ++i) {
    const size_t at = s->first + i;
    const double now = s->a->now[at] - (s->fixed ? 0.0 : s->b->now[at]);
    const double before = s->a->before[at] - (s->fixed ? 0.0 : s->b->before[at]);
    const double force = s->memory[i].force;
    s->memory[i] = open_memory;
    htz_grid_memory_read(&s->law, &s->memory[i], s->direction * now - s->gap[i], s->direction * before - s->gap[i]);
    s->memory[i].force = force;
  }
  sum_up(s);
}

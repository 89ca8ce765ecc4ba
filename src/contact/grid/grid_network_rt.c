#include "grid_network_private.h"

#include <math.h>

static const grid_memory open_memory;

/** eta by what both points are at: htz_grid_next(), now() or before(). */
static double apart(const grid_contact* c, double (*seen)(const htz_grid* grid, size_t point)) {
  return c->direction * (seen(c->a.grid, c->a.point) - seen(c->b.grid, c->b.point)) - c->gap;
}

static bool collides(const grid_law* law) {
  return law->force == HTZ_GRID_COLLISION;
}

static void book(htz_grid_account* account, const grid_law* law, const grid_memory* before, const grid_memory* m,
                 const grid_ledger* ledger) {
  account->stored = ledger->stored;
  account->dissipated += ledger->dissipated;
  account->eta = m->eta;
  account->force = m->force;
  account->force_max = m->force > account->force_max ? m->force : account->force_max;
  if (collides(law)) {
    account->pull_max = -m->force > account->pull_max ? -m->force : account->pull_max;
    account->closures += m->eta > 0.0 && before->eta <= 0.0 ? 1 : 0;
  }
}

static void gather_part(htz_grid_network* net, grid_member m, grid_part* p) {
  if (m.stretch != GRID_NO_STRETCH) {
    grid_stretch* s = &net->stretches[m.stretch];
    grid_memory* memory = &s->memory[m.index];
    const double way = s->free[m.index] - memory->before;
    *p = (grid_part){&s->law, memory, way, way, true, false};
    return;
  }
  grid_contact* c = &net->contacts[m.index];
  const double s0 = apart(c, htz_grid_next) - c->memory.before;
  *p = (grid_part){&c->law, &c->memory, s0, s0, c->enabled, false};
}

static void press(const grid_contact* c, double force) {
  if (force == 0.0) {
    return; // most contacts are open most of the time
  }
  htz_grid_push(c->a.grid, c->a.point, -c->direction * force);
  htz_grid_push(c->b.grid, c->b.point, c->direction * force);
}

/** s and F of one member are known: remember them, book them, and push the bodies. */
static void settle(htz_grid_network* net, grid_member member, const grid_trial* t, double s, double force) {
  if (member.stretch != GRID_NO_STRETCH) {
    htz_grid_stretch_settle(&net->stretches[member.stretch], member.index, t, s, force);
    return;
  }
  grid_contact* c = &net->contacts[member.index];
  const grid_memory before = c->memory;
  const grid_ledger ledger = htz_grid_trial_end(t, &c->memory, s, force);
  book(&c->account, &c->law, &before, &c->memory, &ledger);
  press(c, force);
}

/** A member that gives no force in this step moves by s. */
static void pass(htz_grid_network* net, grid_member member, const grid_part* p, double s) {
  if (p->on) {
    grid_trial t;
    htz_grid_trial_begin(p->law, p->memory, s, 0.0, &t);
    settle(net, member, &t, s, 0.0);
    return;
  }
  const double before = p->memory->eta;
  const double eta = p->memory->before + s;
  *p->memory = (grid_memory){.eta = eta, .before = before};
  net->contacts[member.index].account.eta = eta; // only contacts can be switched off
}

/** How far member i of the group is moved by the forces found. */
static double moved(const grid_group* group, const grid_work* w, size_t i) {
  double s = w->part[i].s0;
  for (size_t j = 0; j < w->n; ++j) {
    s -= group->compliance[i * group->n + w->at[j]] * w->f[j];
  }
  return s;
}

/** Solve those that are awake. */
static void solve_awake(htz_grid_network* net, const grid_group* group, grid_work* w) {
  w->n = 0;
  for (size_t i = 0; i < group->n; ++i) {
    if (w->part[i].awake) {
      w->at[w->n++] = i;
    }
  }
  for (size_t i = 0; i < w->n; ++i) {
    const grid_part* p = &w->part[w->at[i]];
    for (size_t j = 0; j < w->n; ++j) {
      w->c[i * GRID_GROUP_ROOM + j] = group->compliance[w->at[i] * group->n + w->at[j]];
    }
    w->s0[i] = p->s0;
    w->f[i] = p->memory->force;
    htz_grid_trial_begin(p->law, p->memory, p->s0, w->c[i * GRID_GROUP_ROOM + i], &w->trial[i]);
  }
  if (w->n == 1) {
    w->f[0] = htz_grid_solve_lone(w->trial, w->s0[0], w->c[0], w->f[0], w->s, &net->count);
  } else if (w->n > 1) {
    htz_grid_solve_group(w->n, w->trial, w->s0, w->c, w->f, w->s, &net->count);
  }
}

/** Members that are awake are solved together; one that their forces wake joins them, and once more. */
void htz_grid_group_solve(htz_grid_network* net, const grid_group* group, grid_work* w) {
  w->n = 0; // of bows alone
  for (size_t i = 0; i < group->n; ++i) {
    grid_part* p = &w->part[i];
    p->awake = p->on && grid_awake(p->law, p->memory, p->memory->before + p->s0);
  }
  bool woken = true;
  for (size_t round = 0; round < group->n && woken; ++round) {
    solve_awake(net, group, w);
    woken = false;
    for (size_t i = 0; i < group->n; ++i) {
      grid_part* p = &w->part[i];
      if (p->on && !p->awake && w->n > 0 && p->memory->before + moved(group, w, i) > 0.0) {
        p->awake = woken = true;
      }
    }
  }
}

static void group_step(htz_grid_network* net, const grid_group* group) {
  grid_work* w = &net->work;
  for (size_t i = 0; i < group->n; ++i) {
    gather_part(net, group->member[i], &w->part[i]);
  }
  if (group->n_bows == 0) {
    htz_grid_group_solve(net, group, w);
  } else {
    htz_grid_bows_beside(net, group, w);
  }
  for (size_t i = 0; i < group->n; ++i) {
    if (!w->part[i].awake) {
      pass(net, group->member[i], &w->part[i], moved(group, w, i));
    }
  }
  for (size_t i = 0; i < w->n; ++i) {
    settle(net, group->member[w->at[i]], &w->trial[i], w->s[i], w->f[i]);
  }
}

/** Where stretches meet, a grid point is a small group of its own; most are open. */
static void stack_step(htz_grid_network* net, const grid_stack* stack) {
  grid_member member[HTZ_GRID_STRETCHES_MAX];
  double c[HTZ_GRID_STRETCHES_MAX * HTZ_GRID_STRETCHES_MAX];
  const grid_group group = {.n = stack->n, .member = member, .compliance = c};
  for (uint32_t at = stack->first; at <= stack->last; ++at) {
    bool awake = false, elsewhere = false;
    for (size_t m = 0; m < stack->n; ++m) {
      const grid_stretch* s = &net->stretches[stack->stretch[m]];
      const uint32_t i = at - s->first;
      member[m] = (grid_member){stack->stretch[m], i};
      awake = awake || grid_awake(&s->law, &s->memory[i], s->free[i]);
      elsewhere = elsewhere || s->compliance[i] < 0.0;
    }
    if (elsewhere) {
      continue; // a contact's group has all of them
    }
    for (size_t m = 0; m < stack->n && !awake; ++m) {
      htz_grid_stretch_pass(&net->stretches[stack->stretch[m]], member[m].index);
    }
    if (awake) {
      for (size_t m = 0; m < stack->n * stack->n; ++m) {
        c[m] = htz_grid_network_compliance(net, member[m / stack->n], member[m % stack->n]);
      }
      group_step(net, &group);
    }
  }
}

void htz_grid_network_step(htz_grid_network* net) {
  for (size_t i = 0; i < net->n_bodies; ++i) {
    net->bodies[i]->cls->foresee(net->bodies[i]);
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    htz_grid_stretch_foresee(&net->stretches[i]);
  }
  // No group reaches what another does, nor what is left of a stretch: their order is of no account.
  for (size_t i = 0; i < net->n_groups; ++i) {
    group_step(net, &net->groups[i]);
  }
  for (size_t i = 0; i < net->n_stacks; ++i) {
    stack_step(net, &net->stacks[i]);
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    htz_grid_stretch_solve(&net->stretches[i], &net->count);
  }
  for (size_t i = 0; i < net->n_bows; ++i) {
    if (!net->bows[i].beside) {
      htz_grid_bow_step(net, &net->bows[i]);
    }
  }
  for (size_t i = 0; i < net->n_bodies; ++i) {
    htz_grid_shift(net->bodies[i]);
  }
  ++net->count.steps;
}

static void contact_read(grid_contact* c) {
  const double eta = apart(c, htz_grid_now);
  const double before = apart(c, htz_grid_before);
  if (c->enabled) {
    htz_grid_memory_read(&c->law, &c->memory, eta, before);
    c->account.stored = htz_grid_stored(&c->law, &c->memory);
  } else {
    c->memory = open_memory;
    c->memory.eta = eta;
    c->memory.before = before;
    c->account.stored = 0.0;
    c->account.force = 0.0;
  }
  c->account.eta = eta;
}

static double stored(const htz_grid_network* net) {
  double sum = 0.0;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    sum += net->contacts[i].account.stored;
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    sum += net->stretches[i].account.stored;
  }
  return sum;
}

double htz_grid_network_reread(htz_grid_network* net) {
  const double before = stored(net);
  htz_grid_network_group(net);
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact_read(&net->contacts[i]);
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    htz_grid_stretch_read(&net->stretches[i]);
  }
  return stored(net) - before;
}

void htz_grid_network_regroup(htz_grid_network* net) {
  htz_grid_network_group(net);
}

void htz_grid_network_reset(htz_grid_network* net) {
  for (size_t i = 0; i < net->n_contacts; ++i) {
    net->contacts[i].account = (htz_grid_account){0};
    net->contacts[i].memory = open_memory;
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    net->stretches[i].account = (htz_grid_account){0};
    for (size_t j = 0; j < net->stretches[i].n; ++j) {
      net->stretches[i].memory[j] = open_memory;
    }
  }
  for (size_t i = 0; i < net->n_bows; ++i) {
    net->bows[i].state = (htz_friction_state){0};
    net->bows[i].force = net->bows[i].twist = 0.0;
  }
  net->bowed = 0.0;
  net->count = (htz_grid_counters){0};
  (void)htz_grid_network_reread(net);
}

double htz_grid_network_set_gap(htz_grid_network* net, size_t contact, double gap) {
  grid_contact* c = &net->contacts[contact];
  const double before = c->account.stored;
  c->gap = gap;
  contact_read(c);
  return c->account.stored - before;
}

double htz_grid_network_set_law(htz_grid_network* net, size_t contact, const htz_grid_law* law) {
  grid_contact* c = &net->contacts[contact];
  const double before = c->account.stored;
  if (!htz_grid_law_fault(c->law.method, law)) {
    c->law.stiffness = law->stiffness;
    c->law.exponent = law->exponent;
    c->law.viscosity = law->viscosity;
    c->law.hysteresis = law->hysteresis;
    c->law.relaxation = law->relaxation;
    htz_grid_law_derive(&c->law);
    contact_read(c);
  }
  return c->account.stored - before;
}

void htz_grid_network_set_damping(htz_grid_network* net, size_t contact, double damping) {
  net->contacts[contact].law.damping = damping >= 0.0 ? damping : net->contacts[contact].law.damping;
}

void htz_grid_network_enable(htz_grid_network* net, size_t contact, bool enabled) {
  grid_contact* c = &net->contacts[contact];
  if (c->enabled != enabled) {
    c->enabled = enabled;
    contact_read(c);
  }
}

void htz_grid_network_bow(htz_grid_network* net, size_t bow, double speed, double force) {
  net->bows[bow].speed = speed;
  net->bows[bow].normal = force > 0.0 ? force : 0.0;
}

double htz_grid_network_energy(const htz_grid_network* net) {
  double sum = stored(net);
  for (size_t i = 0; i < net->n_bodies; ++i) {
    sum += net->bodies[i]->cls->energy(net->bodies[i]);
  }
  return sum;
}

double htz_grid_network_bowed(const htz_grid_network* net) {
  return net->bowed;
}

const htz_grid_account* htz_grid_network_contact(const htz_grid_network* net, size_t contact) {
  return &net->contacts[contact].account;
}

const htz_grid_account* htz_grid_network_stretch(const htz_grid_network* net, size_t stretch) {
  return &net->stretches[stretch].account;
}

const htz_friction_state* htz_grid_network_friction(const htz_grid_network* net, size_t bow) {
  return &net->bows[bow].state;
}

const htz_grid_counters* htz_grid_network_count(const htz_grid_network* net) {
  return &net->count;
}

bool htz_grid_network_touching(const htz_grid_network* net) {
  bool touching = false;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    const grid_contact* c = &net->contacts[i];
    touching = touching || (c->enabled && collides(&c->law) && c->memory.eta > 0.0);
  }
  for (size_t i = 0; i < net->n_stretches; ++i) {
    touching = touching || net->stretches[i].account.touching > 0;
  }
  for (size_t i = 0; i < net->n_bows; ++i) {
    touching = touching || net->bows[i].normal > 0.0;
  }
  return touching;
}

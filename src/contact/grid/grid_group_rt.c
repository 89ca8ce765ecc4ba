#include "grid_network_private.h"

/** One side of anything that pushes: shares of grid points of one body, with the sign that it moves eta by. */
typedef struct {
  uint32_t body;
  const htz_grid* grid;
  double sign;
  const htz_grid_point* point; ///< NULL: grid point `at`
  uint32_t at;
} reach;

static size_t reaches(const htz_grid_network* net, grid_member m, reach out[2]) {
  if (m.stretch == GRID_NO_STRETCH) {
    const grid_contact* c = &net->contacts[m.index];
    out[0] = (reach){c->a.body, c->a.grid, c->direction, &c->a.grid->points[c->a.point], 0};
    out[1] = (reach){c->b.body, c->b.grid, -c->direction, &c->b.grid->points[c->b.point], 0};
    return 2;
  }
  if (m.stretch == GRID_A_BOW) {
    const grid_bow* b = &net->bows[m.index];
    out[0] = (reach){b->body, b->grid, 1.0, &b->grid->points[b->point], 0};
    return 1;
  }
  const grid_stretch* s = &net->stretches[m.stretch];
  const uint32_t at = s->first + m.index;
  out[0] = (reach){s->body_a, s->a, s->direction, 0, at};
  out[1] = (reach){s->body_b, s->b, -s->direction, 0, at};
  return s->fixed ? 1 : 2;
}

static double share_at(const reach* r, uint32_t at) {
  if (!r->point) {
    return r->at == at ? 1.0 : 0.0;
  }
  double sum = 0.0;
  for (size_t i = 0; i < r->point->n; ++i) {
    sum += r->point->at[i] == at ? r->point->share[i] : 0.0;
  }
  return sum;
}

/** How far 1 N at q moves what p sees [m/N]. */
static double compliance(const reach* p, const reach* q) {
  if (p->body != q->body) {
    return 0.0;
  }
  const htz_grid* g = p->grid;
  if (!p->point) {
    return g->compliance * (g->ease ? g->ease[p->at] : 1.0) * share_at(q, p->at);
  }
  double sum = 0.0;
  for (size_t i = 0; i < p->point->n; ++i) {
    const uint32_t at = p->point->at[i];
    sum += p->point->share[i] * share_at(q, at) * (g->ease ? g->ease[at] : 1.0);
  }
  return g->compliance * sum;
}

double htz_grid_network_compliance(const htz_grid_network* net, grid_member i, grid_member j) {
  reach p[2];
  reach q[2];
  const size_t np = reaches(net, i, p);
  const size_t nq = reaches(net, j, q);
  double sum = 0.0;
  for (size_t a = 0; a < np; ++a) {
    for (size_t b = 0; b < nq; ++b) {
      sum += p[a].sign * q[b].sign * compliance(&p[a], &q[b]);
    }
  }
  return sum;
}

/** Shares can cancel in the sum, so grid points in common decide. */
static bool meet(const htz_grid_network* net, grid_member i, grid_member j) {
  reach p[2];
  reach q[2];
  const size_t np = reaches(net, i, p);
  const size_t nq = reaches(net, j, q);
  bool met = false;
  for (size_t a = 0; a < np; ++a) {
    for (size_t b = 0; b < nq; ++b) {
      if (p[a].body != q[b].body || p[a].grid->compliance == 0.0) {
        continue;
      }
      const size_t points = p[a].point ? p[a].point->n : 1;
      for (size_t k = 0; k < points; ++k) {
        met = met || share_at(&q[b], p[a].point ? p[a].point->at[k] : p[a].at) != 0.0;
      }
    }
  }
  return met;
}

static bool meets_any(const htz_grid_network* net, const grid_group* group, grid_member m) {
  bool met = false;
  for (size_t b = 0; b < group->n_bows; ++b) {
    met = met || meet(net, (grid_member){GRID_A_BOW, group->bow[b]}, m);
  }
  for (size_t i = 0; i < group->n; ++i) {
    met = met || meet(net, group->member[i], m);
  }
  return met;
}

/** @return false: there is no room */
static bool add(const htz_grid_network* net, grid_group* group, grid_member m) {
  if (group->n == GRID_GROUP_ROOM || group->member + group->n == net->member + net->members) {
    return false;
  }
  group->member[group->n++] = m;
  return true;
}

/** Bows of no group yet that meet what is in this one join it. @return true when there were any */
static bool add_bows(htz_grid_network* net, grid_group* group) {
  bool grew = false;
  for (uint32_t i = 0; i < net->n_bows; ++i) {
    if (!net->bows[i].beside && meets_any(net, group, (grid_member){GRID_A_BOW, i})) {
      net->bows[i].beside = grew = true;
      group->bow[group->n_bows++] = i;
    }
  }
  return grew;
}

/** All that meets a member of the group joins it, until no more does or there is no room: @return false. */
static bool gather(htz_grid_network* net, grid_group* group, bool* taken) {
  bool room = true;
  for (bool grew = true; grew;) {
    grew = add_bows(net, group);
    for (uint32_t i = 0; i < net->n_contacts; ++i) {
      const grid_member m = {GRID_NO_STRETCH, i};
      if (!taken[i] && meets_any(net, group, m)) {
        taken[i] = add(net, group, m);
        grew = grew || taken[i];
        room = room && taken[i];
      }
    }
    for (uint32_t k = 0; k < net->n_stretches; ++k) {
      grid_stretch* s = &net->stretches[k];
      for (uint32_t i = 0; i < s->n; ++i) {
        const grid_member m = {k, i};
        if (s->compliance[i] >= 0.0 && meets_any(net, group, m)) {
          const bool added = add(net, group, m);
          s->compliance[i] = added ? -1.0 : s->compliance[i];
          grew = grew || added;
          room = room && added;
        }
      }
    }
  }
  return room;
}

/** Compliances of a group that is complete. A group of a bow alone is none. */
static void finish(htz_grid_network* net, grid_group* group) {
  for (size_t p = 0; p < group->n; ++p) {
    for (size_t q = 0; q < group->n; ++q) {
      group->compliance[p * group->n + q] = htz_grid_network_compliance(net, group->member[p], group->member[q]);
    }
    for (size_t b = 0; b < group->n_bows; ++b) {
      group->bow_compliance[b][p] =
          htz_grid_network_compliance(net, group->member[p], (grid_member){GRID_A_BOW, group->bow[b]});
    }
  }
  for (size_t a = 0; a < group->n_bows; ++a) {
    for (size_t b = 0; b < group->n_bows; ++b) {
      group->between[a][b] =
          htz_grid_network_compliance(net, (grid_member){GRID_A_BOW, group->bow[a]}, (grid_member){GRID_A_BOW, group->bow[b]});
    }
  }
}

/** The next group, empty, its members and compliances behind those of the last: n^2 of at most GRID_GROUP_ROOM n compliances each. */
static grid_group* begin(htz_grid_network* net) {
  grid_group* group = &net->groups[net->n_groups];
  const grid_group* last = group - 1;
  const bool first = net->n_groups == 0;
  *group = (grid_group){.member = first ? net->member : last->member + last->n,
                        .compliance = first ? net->compliance : last->compliance + last->n * last->n};
  for (size_t b = 0; b < HTZ_GRID_BOWS_MAX; ++b) {
    group->bow_compliance[b] = first ? net->bow_compliance + b * net->members : last->bow_compliance[b] + last->n;
  }
  return group;
}

void htz_grid_network_group(htz_grid_network* net) {
  bool taken[HTZ_GRID_CONTACTS_MAX] = {false};
  for (uint32_t k = 0; k < net->n_stretches; ++k) {
    for (uint32_t i = 0; i < net->stretches[k].n; ++i) {
      const grid_member m = {k, i};
      net->stretches[k].compliance[i] = htz_grid_network_compliance(net, m, m);
    }
  }
  bool room = true;
  net->n_groups = 0;
  for (uint32_t i = 0; i < net->n_bows; ++i) {
    net->bows[i].beside = false;
  }
  for (uint32_t i = 0; i < net->n_bows; ++i) {
    if (net->bows[i].beside) {
      continue;
    }
    grid_group* group = begin(net);
    group->bow[group->n_bows++] = i;
    net->bows[i].beside = true;
    room = gather(net, group, taken) && room;
    net->bows[i].beside = group->n > 0 || group->n_bows > 1;
    net->n_groups += net->bows[i].beside ? 1 : 0;
    finish(net, group);
  }
  for (uint32_t i = 0; i < net->n_contacts; ++i) {
    if (taken[i]) {
      continue;
    }
    grid_group* group = begin(net);
    ++net->n_groups;
    taken[i] = add(net, group, (grid_member){GRID_NO_STRETCH, i});
    room = gather(net, group, taken) && room;
    finish(net, group);
  }
  net->count.crowded += room ? 0 : 1;
}

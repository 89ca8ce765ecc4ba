#include "links.h"
#include "prepared.h"

#include <math.h>

static links* links_of(gesture* g) {
  return (links*)g;
}

typedef struct {
  const htz_modal* body;
  double energy; // [J]
} body_energy;

static const links* links_of_const(const gesture* g) {
  return (const links*)g;
}

bool htz_links_tie(const links* l) {
  bool any = l->n_joins > 0;
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    any = any || !l->contacts[i].one_sided;
  }
  return any;
}

/**
   How far the end can be from rest, whatever it does while nothing brings energy: u^2 <= 2 E sum phi^2/(m omega^2) [m]. `all` is what
   bodies that are joined may have of each other [J], NULL: each keeps what it has; `own` what the body had that was asked last, for many
   ends are on one, NULL: any may have `all`.
*/
static double farthest(link_end* end, const double* all, body_energy* own) {
  if (!end->body) {
    return 0.0;
  }
  if (!end->give_known || end->epoch != htz_modal_epoch(end->body)) {
    end->give = htz_modal_static_compliance(end->body, end->point, end->point);
    end->epoch = htz_modal_epoch(end->body);
    end->give_known = true;
  }
  const bool keeps = own && !(all && end->joined);
  if (keeps && own->body != end->body) {
    const htz_body* body = htz_modal_body(end->body);
    *own = (body_energy){end->body, body->cls->energy(body)};
  }
  const double energy = keeps ? own->energy : *all;
  return sqrt(2.0 * (energy > 0.0 ? energy : 0.0) * end->give);
}

/** How near to each other both ends of a contact come at most, by `all` and `own` [2] as above: it stays open where that is less than its gap. */
static double reach_of(link_contact* c, const double* all, body_energy* own) {
  return farthest(&c->end[0], all, own) + farthest(&c->end[1], all, own ? own + 1 : NULL);
}

/** No contact can close while nothing brings energy. */
static bool all_apart(const links* l, const double* all) {
  body_energy own[2] = {{NULL, 0.0}, {NULL, 0.0}};
  bool apart = true;
  for (uint32_t i = 0; i < l->n_contacts && apart; ++i) {
    link_contact* c = &l->contacts[i];
    apart = c->one_sided && reach_of(c, all, own) < c->gap;
  }
  return apart;
}

/** A gap is on its way. */
static bool gliding(const links* l) {
  bool any = false;
  for (uint32_t i = 0; i < l->n_contacts && !any; ++i) {
    any = l->contacts[i].gap != l->contacts[i].wanted;
  }
  return any;
}

/** Nothing holds the bodies, and none can come to another. */
static bool links_clear(gesture* g) {
  const links* l = links_of_const(g);
  bool clear = !htz_links_tie(l) && l->n_feeds == 0 && !gliding(l) && !htz_network_touching(g->island->net);
  return clear && all_apart(l, NULL);
}

static bool links_hold(const gesture* g) {
  (void)g;
  return true;
}

/** Springs, dampers and rigid joins alone; contacts are open, and too far apart to close before something brings energy. */
static bool links_linear(const gesture* g) {
  const links* l = links_of_const(g);
  bool linear = l->n_feeds == 0 && !gliding(l);
  if (linear && !g->island->folded && l->n_contacts > 0) {
    const double all = htz_network_energy(g->island->net);
    linear = all_apart(l, &all);
  }
  return linear;
}

/** The network has not seen where the bodies went. */
static void links_fly(gesture* g) {
  g->island->flown = true;
}

// A contact that cannot close is left out from here on, and taken back before it can: in between, so much is gained by a body that is louder.
static const double surely_apart = 1.05, hardly_apart = 1.0001;
enum { WORTH_IT = 3 }; // so many at least: leaving one out costs as much as some steps with it

/** Nothing that the network has no account of gives the bodies energy before this is asked again. */
static bool closed_up(const links* l) {
  const modal_island* s = l->base.island;
  return s->n_ends == 0 && l->n_feeds == 0 && !gliding(l) && htz_gestures_let_be(s, &l->base);
}

/** Leave out the contacts that the energy that there is cannot close, whoever of the bodies has it. */
static void leave_out(links* l) {
  htz_network* net = l->base.island->net;
  const bool all = !closed_up(l);
  const double energy = all ? 0.0 : htz_network_energy(net);
  uint32_t n_leave = 0, n_return = 0;
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    link_contact* c = &l->contacts[i];
    const bool away = htz_network_away(net, l->base.contact + i);
    l->within[i] = all || !(reach_of(c, &energy, NULL) * (away ? hardly_apart : surely_apart) < c->gap);
    n_leave += !l->within[i] && !away ? 1 : 0;
    n_return += l->within[i] && away ? 1 : 0;
  }
  if (n_return > 0 || n_leave >= WORTH_IT) {
    htz_network_reach(net, l->base.contact, l->n_contacts, l->within);
  }
}

/** A feed's force over the sample to come, all at its start; what that does is work from outside. */
static void links_sample(gesture* g) {
  const links* l = links_of(g);
  for (uint32_t i = 0; i < l->n_feeds; ++i) {
    const link_feed* f = &l->feeds[i];
    const htz_body* to = htz_modal_body(f->to);
    const double impulse = htz_modal_hear(f->from, f->pickup) * g->island->period;
    const double before = to->cls->velocity(to, f->point);
    htz_modal_kick(f->to, f->point, impulse);
    g->work += 0.5 * impulse * (before + to->cls->velocity(to, f->point));
  }
}

// Gaps that are moved.

static void links_influence(gesture* g, const htz_influence* a) {
  links* l = links_of(g);
  bool changed = false;
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    link_contact* c = &l->contacts[i];
    const double wanted = c->gap_by.kind || c->gap_by.own
                              ? wanted_within(htz_influence_wanted(a, c->gap_by, c->built), most_gap) + c->shape
                              : c->wanted;
    changed = changed || wanted != c->wanted;
    c->wanted = wanted;
  }
  if (changed) {
    htz_prepared_changed(g, 0.0);
  }
}

static uint32_t links_stride(const gesture* g, uint32_t frames) {
  return gliding(links_of_const(g)) && frames > MOVE_STEP ? MOVE_STEP : frames;
}

static void links_before(gesture* g, uint32_t frames) {
  links* l = links_of(g);
  const bool moved = gliding(l);
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    link_contact* c = &l->contacts[i];
    gap_to(g->island->net, g->contact + i, &c->gap, c->wanted, frames, g->island->period);
  }
  if (l->along && moved && !gliding(l)) {
    htz_network_refresh(g->island->net); // contacts along a string stand side by side again
  }
  if (l->along) {
    leave_out(l);
  }
}

static void along_before(gesture* g, uint32_t frames) {
  (void)frames;
  leave_out(links_of(g));
}

static void links_settle(gesture* g) {
  links* l = links_of(g);
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    link_contact* c = &l->contacts[i];
    if (c->gap != c->wanted) {
      c->gap = c->wanted;
      htz_network_set_gap(g->island->net, g->contact + i, c->gap);
    }
  }
}

#define LINKS_HOOKS .holds = links_hold, .clear = links_clear, .linear = links_linear, .fly = links_fly
#define GAP_HOOKS .influence = links_influence, .stride = links_stride, .before = links_before, .settle = links_settle

const gesture_class htz_gesture_links = {.name = "links", LINKS_HOOKS};
const gesture_class htz_gesture_links_along = {.name = "links along bodies", .before = along_before, LINKS_HOOKS};
const gesture_class htz_gesture_feeds = {.name = "links and feeds", .sample = links_sample, LINKS_HOOKS};
const gesture_class htz_gesture_moved_links = {.name = "links with moved gaps", GAP_HOOKS, LINKS_HOOKS};
const gesture_class htz_gesture_moved_feeds = {
    .name = "links with moved gaps, and feeds", .sample = links_sample, GAP_HOOKS, LINKS_HOOKS};

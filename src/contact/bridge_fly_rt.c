#include "bridge_private.h"

/*
   A key in flight: something acts on its strings besides their support, which is held still over the sample.
*/

void htz_rest_take_off(const htz_bridge* b, rest* r) {
  if (b->exact) {
    r->island->cls->port->save(r->island); // only there is a sample gone through again
  }
  r->free_feel = r->feel;
  r->feel = r->free_feel + 2.0 * r->given[0] - r->given[1];
}

/** What the strings give after the sample. */
static void look_ahead(rest* r) {
  r->end_pull = 0.0;
  r->next = 0.0;
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    double pull;
    htz_body* end = htz_modal_body(r->port.ends[i]);
    end->cls->begin(end, 0);
    r->next += htz_modal_join_feel(r->port.ends[i], &pull);
    r->end_pull += pull;
  }
}

void htz_rest_fly(htz_bridge* b, rest* r, double w, bool again) {
  if (again) {
    r->island->cls->port->restore(r->island);
  }
  r->island->cls->port->step(r->island, w);
  look_ahead(r);
  r->used = w;
  // Of the mean pull, -yield w/2 is what the support did itself.
  r->feel = 0.5 * (r->pull + r->end_pull) + 0.5 * r->yield * w;
  ++b->counters.trials;
}

void htz_rest_nudge(htz_bridge* b, rest* r, double w) {
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_modal_join_nudge(r->port.ends[i], w - r->used);
  }
  look_ahead(r);
  r->used = w;
  ++b->counters.nudges;
}

void htz_rest_land(rest* r) {
  r->given[1] = r->given[0];
  r->given[0] = r->feel - r->free_feel;
  r->island->cls->port->after(r->island);
  if (!rest_flying(r)) {
    r->given[0] = 0.0;
    r->given[1] = 0.0;
  }
  r->feel = r->next;
  r->pull = r->end_pull;
}

#include "bridge_private.h"

/*
   A key in flight: something acts on its strings besides their support, which is held still over the sample.
*/

/** What the strings give from where they are now. */
static void look_ahead(support* r) {
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_body* end = htz_modal_body(r->port.ends[i]);
    end->cls->begin(end, 0);
  }
  r->next = rest_feel(r, &r->end_force_next);
}

void htz_support_take_off(const htz_bridge* b, support* r, uint32_t frame, uint32_t frames) {
  const htz_port_class* port = r->island->cls->port;
  if (frame == r->due) {
    r->due += port->before(r->island, frames - frame);
    look_ahead(r);
    r->reaction = r->next;
    r->end_force = r->end_force_next;
  }
  port->sample(r->island);
  if (b->exact) {
    port->save(r->island); // only there is a sample gone through again
  }
  r->free_reaction = r->reaction;
  r->reaction = r->free_reaction + 2.0 * r->given[0] - r->given[1];
}

void htz_support_fly(htz_bridge* b, support* r, double w, bool again) {
  if (again) {
    r->island->cls->port->restore(r->island);
  }
  r->island->cls->port->step(r->island, w);
  look_ahead(r);
  r->used = w;
  // Of the mean pull, -yield w/2 is what the support did itself.
  r->reaction = 0.5 * (r->end_force + r->end_force_next) + 0.5 * r->step_stiffness * w;
  ++b->counters.trials;
}

void htz_support_correct(htz_bridge* b, support* r, double w) {
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_modal_join_correct(r->port.ends[i], w - r->used);
  }
  look_ahead(r);
  r->used = w;
  ++b->counters.nudges;
}

void htz_support_land(support* r) {
  r->given[1] = r->given[0];
  r->given[0] = r->reaction - r->free_reaction;
  r->island->cls->port->sampled(r->island);
  r->flying = !r->island->cls->port->is_free(r->island);
  if (!r->flying) {
    r->given[0] = 0.0;
    r->given[1] = 0.0;
  }
  r->reaction = r->next;
  r->end_force = r->end_force_next;
}

void htz_support_hear(htz_bridge* b, support* r) {
  if (r->port.n_lines == 0 || b->at >= HTZ_QUANTUM) {
    return;
  }
  r->island->cls->port->hear(r->island, r->lines, b->at);
  double force = 0.0;
  for (uint32_t o = 0; o < r->port.n_lines; ++o) {
    force += r->drives >> o & 1u ? (double)r->lines[o][b->at] : 0.0;
  }
  if (force != 0.0) {
    bridge_add_at(b, r, r->drive * force, b->driven);
  }
}

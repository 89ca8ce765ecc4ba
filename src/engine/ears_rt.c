#include "engine_private.h"

/*
   The pair of ears. On its way from one place to another what it hears there fades into what it hears here, in steps of a quantum: so
   many that none is heard as one.
*/

static const double walk_s = 0.3;

static bool there(const ear_walk* walk, htz_ears wanted) {
  return walk->left == 0 && walk->of == 0 && walk->to == wanted;
}

/** Where the pair is to be; a place that the file does not have is none. */
static htz_ears wanted_by(const part* p) {
  const htz_ears asked = (htz_ears)(unsigned)p->params[HTZ_PARAM_EARS];
  return p->instrument->spec->ears_given[asked] ? asked : p->ears.to;
}

void htz_part_place_ears(part* p) {
  const htz_ears wanted = wanted_by(p);
  if (!sounding(p)) {
    p->ears = (ear_walk){wanted, wanted, 0, 0};
  }
}

void htz_part_walk_ears(const htz_engine* engine, part* p) {
  ear_walk* walk = &p->ears;
  const htz_ears wanted = wanted_by(p);
  if (there(walk, wanted)) {
    return;
  }
  if (walk->left == 0) {
    const uint32_t quanta = wanted == walk->to ? 0 : htz_quanta_of(engine, walk_s);
    *walk = (ear_walk){walk->to, wanted, quanta, quanta};
  }
  walk->left -= walk->left > 0;
}

bool htz_part_ears_known(const part* p, const ear_walk* known) {
  const ear_walk* walk = &p->ears;
  return known->from == walk->from && known->to == walk->to && known->left == walk->left && known->of == walk->of;
}

void htz_part_move_ears(const part* p, size_t n, const htz_moving_ear* ears, ear_walk* known) {
  const ear_walk* walk = &p->ears;
  if (htz_part_ears_known(p, known)) {
    return;
  }
  *known = *walk;
  for (size_t i = 0; i < n; ++i) {
    const double* const re[2] = {ears[i].re[walk->from], ears[i].re[walk->to]};
    const double* const im[2] = {ears[i].im[walk->from], ears[i].im[walk->to]};
    htz_modal_move_ear(ears[i].of, ears[i].pickup, re, im, ear_walk_done(walk));
  }
}

#include "bow.h"

#include "hertzian/instrument/spec_grid.h"

#include <math.h>
#include <string.h>

/** The key whose values the parameters have: the middle of the range. */
static double middle(const htz_spec* spec) {
  return 0.5 * (spec->key_low + spec->key_high);
}

/** What is shown of the middle key: three digits are enough. */
static double rounded(double value) {
  const double unit = value > 0.0 ? pow(10.0, floor(log10(value)) - 2.0) : 1.0;
  return unit * floor(value / unit + 0.5);
}

bool htz_bow_is_string(const htz_spec_body* body) {
  return body->kind && strcmp(body->kind->name, "string") == 0;
}

void htz_bow_fill_key(const htz_spec* spec, double key, htz_key* out) {
  for (size_t n = 0; n < spec->n_bows; ++n) {
    const htz_spec_bow* bow = &spec->bows[n];
    for (size_t i = 0; i < 2; ++i) {
      out->bow[n].force[i] = htz_table_at(&bow->force[i], key);
      out->bow[n].speed[i] = htz_table_at(&bow->speed[i], key);
      out->bow[n].attack[i] = htz_table_at(&bow->attack[i], key);
    }
    out->bow[n].at = htz_table_at(&bow->at, key);
  }
}

void htz_bow_initial(const htz_spec* spec, size_t which, double initial[HTZ_BOW_FIELDS]) {
  const htz_spec_bow* bow = &spec->bows[which];
  initial[HTZ_BOW_FORCE] = rounded(htz_table_at(&bow->force[1], middle(spec)));
  initial[HTZ_BOW_SPEED] = rounded(htz_table_at(&bow->speed[1], middle(spec)));
  initial[HTZ_BOW_POSITION] = htz_table_at(&bow->at, middle(spec));
}

void htz_bow_fill_object(const htz_spec* spec, htz_object* out) {
  out->fingered = spec->fingered;
  out->n_bows = spec->n_bows;
  out->influenced = spec->n_bows > 0 || spec->fingered.harmonics;
  for (size_t n = 0; n < spec->n_bows; ++n) {
    htz_object_bow* bow = &out->bows[n];
    bow->turns = spec->bows[n].turns;
    htz_bow_initial(spec, n, bow->initial);
    for (size_t f = 0; f < HTZ_BOW_FIELDS; ++f) {
      bow->own[f] = spec->bows[n].control[f].own;
    }
  }
}

bool htz_bow_has_island(const htz_spec* spec, int key) {
  bool open = spec->fingered.n == 0;
  for (size_t i = 0; i < spec->fingered.n; ++i) {
    open = open || spec->fingered.keys[i] == key;
  }
  return open;
}

/** The open string that key `key` is played on; the key itself where every key has its own. */
static double open_key(const htz_spec* spec, double key) {
  double open = spec->fingered.n ? spec->fingered.keys[0] : key;
  for (size_t i = 0; i < spec->fingered.n; ++i) {
    open = spec->fingered.keys[i] <= key ? spec->fingered.keys[i] : open;
  }
  return open;
}

double htz_bow_impedance(const htz_modes* string) {
  static const double two_over_pi = 0.63661977236758134308;
  return two_over_pi * string->mass[0] * string->omega[0];
}

htz_bow_desc htz_bow_on(const htz_spec* spec, size_t n, double key, const htz_modes* string) {
  static const double twist_pitch = 5.0; // of twisting over that of swinging, roughly, on strings of a cello (Woodhouse, 2003)
  const htz_spec_bow* bow = &spec->bows[n];
  const double at = htz_table_at(&bow->at, key), z = htz_bow_impedance(string);
  htz_bow_desc desc = {.law = bow->law,
                       .turns = bow->turns,
                       .rim = bow->rim.n ? htz_table_at(&bow->rim, key) : 0.0,
                       .at_y = htz_table_at(&bow->at_y, key)};
  if (bow->torsion > 0.0) {
    desc.twist = 0.5 / (bow->torsion * z);
    desc.spring = 2.0 * bow->torsion * z * twist_pitch * htz_key_hz(key) / (at * (1.0 - at));
  }
  return desc;
}

/** Of a string on a grid. Gain give/(2 k), k one step, as its friction is solved; it does not depend on the tension. */
static double grid_stiffness(const htz_spec* spec, double key, double rate_hz) {
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
  const char* why;
  char where[HTZ_SPEC_WHERE];
  if (htz_spec_grid_try(spec, open_key(spec, key), rate_hz, htz_kernels_select(), looks, where, &why)) {
    return (double)NAN;
  }
  const double gain = 0.5 * looks[spec->grid->gestures[HTZ_EXCITE_BOW].body].compliance * rate_hz;
  return htz_friction_stiffness(&spec->bows[0].law, gain, htz_table_at(&spec->bows[0].force[1], key));
}

/** Of a body with modes, one of the course: it bears its share of the force. */
static double modal_stiffness(const htz_spec* spec, double key, double rate_hz) {
  enum { HALF_STEPS_PER_OCTAVE = 12, POINT = 0 };
  const htz_spec_bow* bow = &spec->bows[0];
  const double open = open_key(spec, key), at = htz_table_at(&bow->at, key), at_y = htz_table_at(&bow->at_y, key);
  htz_arena arena;
  htz_modes modes;
  htz_modal* modal;
  const char* why;
  double u = (double)NAN;
  htz_arena_measure(&arena);
  htz_status st = htz_spec_modes(&spec->bodies[bow->body], open, &arena, &modes, &why);
  if (!st) {
    st = htz_modal_new(&modes, 1, 0, rate_hz, htz_kernels_select(), &arena, &modal);
  }
  if (!st) {
    htz_body* body = htz_modal_body(modal);
    htz_modal_retune(modal, spec->fingered.harmonics ? 1.0 : exp2((key - open) / HALF_STEPS_PER_OCTAVE), 1.0, false);
    htz_modal_place_xy(modal, POINT, isnan(at_y) ? 1.0 - at : at, at_y);
    const double force = htz_table_at(&bow->force[1], key) / (double)htz_spec_count(&spec->bodies[bow->body], key);
    const double gain = body->cls->compliance(body, 0, POINT, POINT) * rate_hz + htz_bow_on(spec, 0, open, &modes).twist;
    u = htz_friction_stiffness(&bow->law, gain, force);
  }
  htz_arena_free(&arena);
  return u;
}

double htz_spec_bow_stiffness(const htz_spec* file, double key, double rate_hz) {
  const htz_spec* spec = htz_spec_object(file, (int)key);
  if (!spec || !spec->bowed || (!spec->grid && spec->n_bodies == 0)) {
    return (double)NAN;
  }
  return spec->grid ? grid_stiffness(spec, key, rate_hz) : modal_stiffness(spec, key, rate_hz);
}

void htz_bow_start(htz_spec* spec) {
  if (!spec->bowed) {
    return;
  }
  const htz_spec_bow* bow = &spec->bows[0];
  const htz_table* table[] = {&bow->force[1], &bow->speed[1], &bow->at};
  const htz_param_index param[] = {HTZ_PARAM_BOW_FORCE, HTZ_PARAM_BOW_SPEED, HTZ_PARAM_BOW_POSITION};
  for (size_t i = 0; i < sizeof param / sizeof param[0]; ++i) {
    if (!spec->param_given[param[i]]) {
      spec->params[param[i]] = rounded(htz_table_at(table[i], middle(spec)));
    }
  }
}

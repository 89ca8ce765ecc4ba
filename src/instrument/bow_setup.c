#include "bow.h"

/** The key whose values the parameters have: the middle of the range. */
static double middle(const htz_spec* spec) {
  return 0.5 * (spec->key_low + spec->key_high);
}

void htz_bow_fill_key(const htz_spec* spec, double key, htz_key* out) {
  if (!spec->bowed) {
    return;
  }
  for (size_t i = 0; i < 2; ++i) {
    out->bow_force[i] = htz_table_at(&spec->bow.force[i], key);
    out->bow_speed[i] = htz_table_at(&spec->bow.speed[i], key);
    out->bow_attack[i] = htz_table_at(&spec->bow.attack[i], key);
  }
  out->bow_at = htz_table_at(&spec->bow.at, key);
}

void htz_bow_fill_instrument(const htz_spec* spec, htz_instrument* out) {
  out->fingered = spec->fingered;
  if (spec->bowed) {
    out->bowed = true;
    out->influenced = true;
    out->bow_force = htz_table_at(&spec->bow.force[1], middle(spec));
    out->bow_speed = htz_table_at(&spec->bow.speed[1], middle(spec));
  }
}

bool htz_bow_has_island(const htz_spec* spec, int key) {
  bool open = spec->fingered.n == 0;
  for (size_t i = 0; i < spec->fingered.n; ++i) {
    open = open || spec->fingered.keys[i] == key;
  }
  return open;
}

void htz_bow_start(htz_spec* spec) {
  if (!spec->bowed) {
    return;
  }
  const htz_table* table[] = {&spec->bow.force[1], &spec->bow.speed[1], &spec->bow.at};
  const htz_param_index param[] = {HTZ_PARAM_BOW_FORCE, HTZ_PARAM_BOW_SPEED, HTZ_PARAM_BOW_POSITION};
  for (size_t i = 0; i < sizeof param / sizeof param[0]; ++i) {
    if (!spec->param_given[param[i]]) {
      spec->params[param[i]] = htz_table_at(table[i], middle(spec));
    }
  }
}

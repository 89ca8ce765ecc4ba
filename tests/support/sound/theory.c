#include "theory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double property(const htz_spec* spec, const char* name, int key) {
  const htz_spec_body* body = &spec->bodies[0];
  const size_t i = htz_param_find(body->kind->scalars, body->kind->n_scalars, name);
  if (i == body->kind->n_scalars) {
    fprintf(stderr, "%s: no property %s\n", body->name, name);
    abort();
  }
  return htz_table_at(&body->scalars[i], key);
}

double pitch(int key) {
  return 440.0 * pow(2.0, (key - 69) / 12.0);
}

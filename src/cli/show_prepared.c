#include "show_prepared.h"

#include "hertzian/instrument/spec_prepared.h"

static int keys_with(const htz_spec* spec, const htz_spec_prepared_keys* has) {
  int n = 0;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    n += htz_spec_prepared_has(has, key);
  }
  return n;
}

void show_prepared(FILE* out, const htz_spec* spec) {
  const htz_spec_prepared* p = spec->prepared;
  if (!p) {
    return;
  }
  const struct {
    const htz_spec_prepared_keys* has;
    const char* what;
  } things[] = {{&p->screw.has, "screws, a mass the struck body carries"},
                {&p->rubber.has, "rubbers, a damper and a spring"},
                {&p->loose[HTZ_LOOSE_RATTLE].has, "rattles, loose masses that collide with it"},
                {&p->loose[HTZ_LOOSE_BRIDGE].has, "loose bridges that collide with it"}};
  for (size_t i = 0; i < sizeof things / sizeof things[0]; ++i) {
    const int n = keys_with(spec, things[i].has);
    if (n > 0) {
      fprintf(out, "  %s: on %d key%s\n", things[i].what, n, n == 1 ? "" : "s");
    }
  }
}

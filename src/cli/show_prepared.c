#include "show_prepared.h"

#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/spec_prepared.h"

static int keys_with(const htz_spec* spec, const htz_spec_thing* thing) {
  int n = 0;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    n += htz_spec_thing_at(thing, key);
  }
  return n;
}

/** What the player would notice by the load alone. */
static void show_unfolded(FILE* out, const htz_spec* spec) {
  static const double rate_hz = 48000.0;
  htz_arena memory;
  htz_instrument* instrument = NULL;
  const char* why = NULL;
  if (htz_instrument_build(spec->whole, rate_hz, htz_kernels_select(), NULL, &memory, &instrument, &why)) {
    return; // `instruments validate` says why
  }
  if (instrument->n_unfolded > 0) {
    fprintf(out,
            "  %zu key%s cost%s several times what others do: strings and what is fixed to them have no modes that swing and "
            "can be told "
            "apart\n",
            instrument->n_unfolded, instrument->n_unfolded == 1 ? "" : "s", instrument->n_unfolded == 1 ? "s" : "");
  }
  htz_arena_free(&memory);
}

void show_prepared(FILE* out, const htz_spec* spec) {
  static const char* const what[HTZ_PREPARED_KINDS] = {
      [HTZ_PREPARED_RATTLE] = "a loose mass that collides with it",
      [HTZ_PREPARED_BRIDGE] = "a loose bridge that collides with it",
      [HTZ_PREPARED_SCREW] = "a mass that it carries",
      [HTZ_PREPARED_RUBBER] = "a damper and a spring",
  };
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    const htz_spec_thing* thing = &spec->prepared->things[i];
    const int n = keys_with(spec, thing);
    if (n > 0) {
      fprintf(out, "  %s on %s, %s: on %d key%s\n", thing->name, spec->bodies[thing->on].name, what[thing->kind], n,
              n == 1 ? "" : "s");
    }
  }
  if (spec->prepared && spec->prepared->n > 0) {
    show_unfolded(out, spec);
  }
}

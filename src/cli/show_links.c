#include "show_links.h"

#include "hertzian/instrument/spec_link.h"

#include "show_instrument.h"

static const char* name_of(const htz_spec* spec, const htz_spec_link_end* end) {
  switch (end->whose) {
  case HTZ_SPEC_END_GROUND:
    return "ground";
  case HTZ_SPEC_END_SHARED:
    return spec->linked_shared[end->body].body.name;
  default:
    return spec->bodies[end->body].name;
  }
}

static const char* type_of(const htz_spec_link* link) {
  static const char* const types[] = {"spring", "damper", "rigid", "contact"};
  return link->type == HTZ_SPEC_LINK_SPRING && link->cubic.n ? "stiffening spring" : types[link->type];
}

/** At how many places a contact along a string is, from the first key that has it to the last. */
static void show_places(FILE* out, const htz_spec* spec, const htz_spec_link* link) {
  const int low = link->keys[0] > spec->key_low ? link->keys[0] : spec->key_low;
  const int high = link->keys[1] < spec->key_high ? link->keys[1] : spec->key_high;
  const size_t first = htz_spec_link_points(spec, link, low), last = htz_spec_link_points(spec, link, high);
  const char* what = htz_spec_barrier_frets(&link->barrier, low) > 0 ? "frets" : "places";
  if (first == last) {
    fprintf(out, " at %zu %s along it", first, what);
  } else {
    fprintf(out, " at %zu to %zu %s along it", first, last, what);
  }
}

/** Keys that are struck when the file is loaded. */
static void show_tuned(FILE* out, const htz_spec* spec) {
  const char* before = "  tuned as they sound, keys between them in proportion:";
  for (int key = 0; key < HTZ_KEYS; ++key) {
    if (spec->whole->tuned[key / 64] >> (key % 64) & 1u) {
      char name[HTZ_KEY_NAME];
      fprintf(out, "%s %s", before, htz_key_name(key, name));
      before = "";
    }
  }
  fputs(*before ? "" : "\n", out);
}

void show_links(FILE* out, const htz_spec* spec) {
  for (size_t l = 0; l < spec->n_links; ++l) {
    const htz_spec_link* link = &spec->links[l];
    char low[HTZ_KEY_NAME], high[HTZ_KEY_NAME];
    fprintf(out, "  linked: %s%s to %s%s, %s", link->end[0].whose == HTZ_SPEC_END_NEXT ? "next " : "",
            name_of(spec, &link->end[0]), link->end[1].whose == HTZ_SPEC_END_NEXT ? "next " : "", name_of(spec, &link->end[1]),
            type_of(link));
    if (link->along) {
      show_places(out, spec, link);
    }
    if (link->keys[0] > spec->key_low || link->keys[1] < spec->key_high) {
      fprintf(out, ", %s-%s", htz_key_name(link->keys[0], low), htz_key_name(link->keys[1], high));
    }
    fprintf(out, "\n");
  }
  if (spec->whole->clock_hz > 0.0) {
    fprintf(out, "  its keys run at %g Hz, whatever rate it is played at\n", spec->whole->clock_hz);
  }
  show_tuned(out, spec);
}

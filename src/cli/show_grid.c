#include "show_grid.h"

#include "json.h"
#include "show_instrument.h"

#include "hertzian/instrument/number.h"

#include <math.h>

enum { CELL = 80, DIGITS = 6 };

static const char* const excites[HTZ_EXCITES] = {"mallet", "bow", "pluck", "throw", "kick"};
static const double rate_hz = 48000.0; // the grids are those of this sample rate

/** Middle key of those that have bodies: its grids stand for all. */
static int middle(const htz_spec* spec) {
  const htz_spec_fingered* hand = &spec->fingered;
  return hand->n ? hand->keys[hand->n / 2] : (spec->key_low + spec->key_high) / 2;
}

/** Lowest and highest key that have bodies: where few strings serve all keys, those of the open ones. */
static int lowest(const htz_spec* spec) {
  return spec->fingered.n ? spec->fingered.keys[0] : spec->key_low;
}

static int highest(const htz_spec* spec) {
  return spec->fingered.n ? spec->fingered.keys[spec->fingered.n - 1] : spec->key_high;
}

static bool look(const htz_spec* spec, int key, htz_spec_grid_look* looks) {
  const char* why;
  char where[HTZ_SPEC_WHERE];
  return htz_spec_grid_try(spec, key, rate_hz, htz_kernels_select(), looks, where, &why) == HTZ_OK;
}

static const char* grid_text(const htz_spec_grid_body* body, const htz_spec_grid_look* l, char text[CELL]) {
  if (l->intervals[1]) {
    snprintf(text, CELL, "%zu x %zu", l->intervals[0], l->intervals[1]);
  } else if (l->intervals[0]) {
    snprintf(text, CELL, "%zu", l->intervals[0]);
  } else {
    snprintf(text, CELL, "%s", body->kind == HTZ_GRID_MASS ? "1 point" : "-");
  }
  return text;
}

static void show_bodies(FILE* out, const htz_spec* spec, const htz_spec_grid_look* low, const htz_spec_grid_look* high) {
  char key[HTZ_KEY_NAME], other[HTZ_KEY_NAME], a[CELL], b[CELL];
  const bool one = lowest(spec) == highest(spec);
  fprintf(out, "\n%-12s %-12s %-12s N AT %-7s ", "BODY", "KIND", "MATERIAL", htz_key_name(lowest(spec), key));
  if (!one) {
    fprintf(out, "N AT %-7s ", htz_key_name(highest(spec), other));
  }
  fprintf(out, "WHAT IT IS\n");
  for (size_t i = 0; i < spec->grid->n_bodies; ++i) {
    const htz_spec_grid_body* body = &spec->grid->bodies[i];
    fprintf(out, "%-12s %-12s %-12s %-12s ", body->name, htz_spec_grid_kind_name(body->kind),
            body->material ? body->material : "-", grid_text(body, &low[i], a));
    if (!one) {
      fprintf(out, "%-12s ", grid_text(body, &high[i], b));
    }
    fprintf(out, "%s\n", htz_spec_grid_kind_about(body->kind));
  }
}

/** How far the grid's partials are off those of the string itself. */
static void show_partials(FILE* out, const htz_spec* spec, int key, const htz_spec_grid_look* looks) {
  char name[HTZ_KEY_NAME], hz[HTZ_NUMBER_TEXT];
  for (size_t i = 0; i < spec->grid->n_bodies; ++i) {
    const htz_spec_grid_look* l = &looks[i];
    if (l->intervals[0] == 0 || l->intervals[1] > 0 || isnan(l->hz)) {
      continue;
    }
    fprintf(out, "  %s at %s: %s Hz, %zu partials; off the string's own by", spec->grid->bodies[i].name,
            htz_key_name(key, name), htz_number_text(l->hz, hz), l->top);
    for (size_t n = 0; n < HTZ_SPEC_GRID_PARTIALS && !isnan(l->cents[n]); ++n) {
      fprintf(out, " %.2f", l->cents[n] == 0.0 ? 0.0 : l->cents[n]);
    }
    fprintf(out, " cent\n");
  }
}

static void show_contacts(FILE* out, const htz_spec* spec) {
  static const char* const forces[] = {"collision", "two-sided connection", "spring"};
  static const char* const methods[] = {"Newton's method", "without iteration, plain", "without iteration, by cases",
                                        "without iteration, emptied at release"};
  static const char* const roles[] = {"", ", the loose bridge", ", a thread", ", a rattle", ", a screw", ", a rubber"};
  const htz_spec_grid* grid = spec->grid;
  for (size_t i = 0; i < grid->n_contacts; ++i) {
    const htz_spec_grid_contact* c = &grid->contacts[i];
    fprintf(out, "  %s under %s: %s%s%s%s\n", grid->bodies[c->below].name, grid->bodies[c->above].name, forces[c->force],
            c->force == HTZ_GRID_SPRING ? "" : ", ", c->force == HTZ_GRID_SPRING ? "" : methods[c->method], roles[c->role]);
  }
  for (size_t i = 0; i < grid->n_stretches; ++i) {
    const htz_spec_grid_stretch* s = &grid->stretches[i];
    char from[HTZ_NUMBER_TEXT], to[HTZ_NUMBER_TEXT];
    fprintf(out, "  %s under %s, from %s to %s of the string: collision at every grid point, %s\n", grid->bodies[s->below].name,
            grid->bodies[s->above].name, htz_number_text(htz_table_at(&s->from, middle(spec)), from),
            htz_number_text(htz_table_at(&s->to, middle(spec)), to), methods[s->method]);
  }
}

static void show_play(FILE* out, const htz_spec* spec) {
  static const char* const does[HTZ_EXCITES] = {[HTZ_EXCITE_MALLET] =
                                                    "throws a mallet at the %s and takes it away when it has come back",
                                                [HTZ_EXCITE_BOW] = "draws a bow over the %s as long as it is held",
                                                [HTZ_EXCITE_PLUCK] = "pulls the %s aside and lets go",
                                                [HTZ_EXCITE_THROW] = "throws the %s",
                                                [HTZ_EXCITE_KICK] = "gives the %s speed"};
  const htz_spec_grid* grid = spec->grid;
  for (size_t i = 0; i < grid->n_gestures; ++i) {
    const htz_excite kind = grid->gesture[i];
    fprintf(out, "  a key ");
    fprintf(out, does[kind], grid->bodies[grid->gestures[kind].body].name);
    fprintf(out, "%s%s\n", grid->n_gestures > 1 ? "; gesture=" : "", grid->n_gestures > 1 ? excites[kind] : "");
  }
}

/** What is driven one way: resonators, and the body all keys share. */
static void show_driven(FILE* out, const htz_spec* spec) {
  for (size_t r = 0; r < spec->n_bodies; ++r) {
    fprintf(out, "  %s, a %s of %zu to %zu modes, is driven and does not act back\n", spec->bodies[r].name,
            spec->bodies[r].kind->name, spec->bodies[r].least_modes, spec->bodies[r].most_modes);
  }
  if (spec->board.given) {
    fprintf(out, "  all keys drive %s, a %s, which does not act back: %s\n", spec->board.body.name, spec->board.body.kind->name,
            htz_spec_one_way_why(spec));
  }
}

void htz_show_grid(FILE* out, const htz_spec* spec) {
  htz_spec_grid_look low[HTZ_SPEC_GRID_BODIES_MAX], mid[HTZ_SPEC_GRID_BODIES_MAX], high[HTZ_SPEC_GRID_BODIES_MAX];
  if (!look(spec, lowest(spec), low) || !look(spec, middle(spec), mid) || !look(spec, highest(spec), high)) {
    fprintf(out, "\nits grids cannot be made at %g Hz\n", rate_hz);
    return;
  }
  show_bodies(out, spec, low, high);
  fprintf(out, "\nPhysical: every body above as a grid in space and time (N: its intervals at %g Hz), the fundamental of\n",
          rate_hz);
  fprintf(out, "  each string tuned in the grid, contacts solved at every sample;\n");
  show_play(out, spec);
  if (spec->bowed) {
    htz_show_bow(out, spec);
  }
  show_contacts(out, spec);
  show_driven(out, spec);
  fprintf(out, "Grids, at most %g semitones up:\n", spec->grid->bend);
  show_partials(out, spec, middle(spec), mid);
}

static void number(FILE* out, const char* name, double value, const char* after) {
  fprintf(out, "\"%s\":", name);
  htz_json_number(out, value, DIGITS);
  fputs(after, out);
}

static void json_body(FILE* out, const htz_spec_grid_body* body, const htz_spec_grid_look* l) {
  fputs("{\"name\":", out);
  htz_json_string(out, body->name);
  fputs(",\"kind\":", out);
  htz_json_string(out, htz_spec_grid_kind_name(body->kind));
  fputs(",\"material\":", out);
  htz_json_string(out, body->material);
  fprintf(out, ",\"points\":%zu,\"intervals\":[%zu,%zu],", l->points, l->intervals[0], l->intervals[1]);
  number(out, "hz", l->hz, ",");
  fprintf(out, "\"partials\":%zu,\"cents\":[", l->top);
  const bool line = l->intervals[0] && !l->intervals[1];
  for (size_t n = 0; line && n < HTZ_SPEC_GRID_PARTIALS && !isnan(l->cents[n]); ++n) {
    fputs(n ? "," : "", out);
    htz_json_number(out, l->cents[n], DIGITS);
  }
  fputs("]}", out);
}

void htz_show_grid_json(FILE* out, const htz_spec* spec) {
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX] = {{0}};
  look(spec, middle(spec), looks);
  fprintf(out, "\"family\":\"grid\",\"excite\":\"%s\",\"gestures\":[", excites[spec->grid->gesture[0]]);
  for (size_t i = 0; i < spec->grid->n_gestures; ++i) {
    fprintf(out, "%s\"%s\"", i ? "," : "", excites[spec->grid->gesture[i]]);
  }
  fputs("],", out);
  number(out, "bend_range", spec->grid->bend, ",");
  fprintf(out, "\"contacts\":%zu,\"stretches\":%zu,\"key\":%d,", spec->grid->n_contacts, spec->grid->n_stretches, middle(spec));
  number(out, "rate_hz", rate_hz, ",\"bodies\":[");
  for (size_t i = 0; i < spec->grid->n_bodies; ++i) {
    fputs(i ? "," : "", out);
    json_body(out, &spec->grid->bodies[i], &looks[i]);
  }
  fputs("]", out);
}

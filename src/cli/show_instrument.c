#include "show_instrument.h"

#include "show_ears.h"
#include "show_grid.h"
#include "show_links.h"
#include "show_prepared.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <string.h>

enum { CELL = 80, PROGRAMS_TEXT = 24 };

const char* htz_key_name(int key, char text[HTZ_KEY_NAME]) {
  static const char* const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  snprintf(text, HTZ_KEY_NAME, "%s%d", names[key % 12], key / 12 - 1);
  return text;
}

static const char* range_name(const htz_spec* spec, char text[2 * HTZ_KEY_NAME]) {
  char low[HTZ_KEY_NAME], high[HTZ_KEY_NAME];
  snprintf(text, 2 * HTZ_KEY_NAME, "%s-%s", htz_key_name(spec->key_low, low), htz_key_name(spec->key_high, high));
  return text;
}

static const char* with_unit(double value, const char* unit, char text[CELL]) {
  char number[HTZ_NUMBER_TEXT];
  snprintf(text, CELL, "%s%s%s", htz_number_text(value, number), unit[0] ? " " : "", unit);
  return text;
}

static const char* interval(double low, double high, const char* unit, char text[CELL]) {
  char a[HTZ_NUMBER_TEXT], b[HTZ_NUMBER_TEXT];
  snprintf(text, CELL, "%s..%s%s%s", htz_number_text(low, a), htz_number_text(high, b), unit[0] ? " " : "", unit);
  return text;
}

/** A table at the ends of the range: one value, or "low..high key". */
static const char* over_keys(const htz_spec* spec, const htz_table* table, const char* unit, char text[CELL]) {
  const double low = htz_table_at(table, spec->key_low), high = htz_table_at(table, spec->key_high);
  return low == high ? with_unit(low, unit, text) : interval(low, high, unit, text);
}

/** What moves a parameter: "11, pressure: 0.2..2", or nothing. */
static void sources_of(const htz_spec* spec, size_t param, char text[2 * CELL]) {
  size_t used = 0;
  const htz_spec_control* last = NULL;
  text[0] = '\0';
  for (size_t i = 0; i < spec->n_controls && used < CELL; ++i) {
    const htz_spec_control* control = &spec->controls[i];
    if ((size_t)control->param != param) {
      continue;
    }
    const char* comma = last ? ", " : "";
    used += (size_t)(control->cc == HTZ_CONTROL_PRESSURE ? snprintf(text + used, CELL - used, "%spressure", comma)
                                                         : snprintf(text + used, CELL - used, "%s%u", comma, control->cc));
    last = control;
  }
  char travel[CELL];
  if (last && used < CELL) {
    snprintf(text + used, 2 * CELL - used, ": %s", interval(last->low, last->high, "", travel));
  }
}

/** Each object starts a parameter from a value of its own. */
static bool differs(const htz_spec* spec, size_t param) {
  bool any = false;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    const htz_spec* object = spec->objects[i];
    any = any || (htz_spec_param_used(object, (htz_param_index)param) && object->params[param] != spec->params[param]);
  }
  return any && !htz_param_of_part(param);
}

static void show_params(FILE* out, const htz_spec* spec) {
  fprintf(out, "\n%-16s %-10s %-18s %-16s %s\n", "PARAM", "DEFAULT", "RANGE", "CC", "WHAT IT DOES");
  for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
    const htz_param_desc param = htz_spec_param(spec, (htz_param_index)i), *desc = &param;
    char initial[CELL], range[CELL], cc[2 * CELL];
    if (!htz_spec_param_used(spec, (htz_param_index)i)) {
      continue;
    }
    sources_of(spec, i, cc);
    const char* const* words = htz_param_words(i);
    if (words) {
      const size_t now = (size_t)spec->params[i];
      snprintf(initial, sizeof initial, "%s", words[now]);
      size_t used = 0;
      range[0] = '\0';
      for (size_t w = 0; words[w] && used < sizeof range; ++w) {
        if (htz_spec_param_has(spec, (htz_param_index)i, (double)w)) {
          used += (size_t)snprintf(range + used, sizeof range - used, "%s%s", used ? ", " : "", words[w]);
        }
      }
    } else {
      if (differs(spec, i)) {
        snprintf(initial, sizeof initial, "object's");
      } else {
        with_unit(spec->params[i], desc->unit, initial);
      }
      interval(desc->minimum, desc->maximum, desc->unit, range);
    }
    fprintf(out, "%-16s %-10s %-18s %-16s %s\n", desc->name, initial, range, cc, desc->doc);
  }
}

/** How many of body `b` a key has, in front of what moves it: "1..3 ", or nothing when it is one. */
static size_t unison(const htz_spec* spec, size_t b, char text[CELL]) {
  size_t least = HTZ_SPEC_UNISON_MAX, most = 1;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    const size_t n = htz_spec_count(&spec->bodies[b], key);
    least = n < least ? n : least;
    most = n > most ? n : most;
  }
  text[0] = '\0';
  if (most == 1) {
    return 0;
  }
  return (size_t)(least < most ? snprintf(text, CELL, "%zu..%zu ", least, most) : snprintf(text, CELL, "%zu ", most));
}

/** What a player does to body `b`. */
static const char* player(const htz_spec* spec, size_t b) {
  bool bowed = false;
  for (size_t i = 0; i < spec->n_bows; ++i) {
    bowed = bowed || spec->bows[i].body == b;
  }
  const bool struck = spec->thrown && b < spec->n_struck;
  return struck && bowed ? "struck by the mallet or bowed" : struck ? "struck by the mallet" : bowed ? "bowed" : "linked";
}

/** What moves body `b`. */
static const char* mover(const htz_spec* spec, size_t b, char text[CELL]) {
  size_t used = unison(spec, b, text);
  used += (size_t)snprintf(text + used, CELL - used, "%s", b >= spec->n_linked ? "driven by " : player(spec, b));
  if (b < spec->n_linked) {
    return text;
  }
  bool first = true;
  for (size_t f = 0; f < spec->n_feeds && used < CELL; ++f) {
    if (spec->feeds[f].to == b) {
      used += (size_t)snprintf(text + used, CELL - used, "%s%s", first ? "" : ", ", spec->bodies[spec->feeds[f].from].name);
      first = false;
    }
  }
  return text;
}

static void show_body(FILE* out, const htz_spec_body* body, const char* moved_by) {
  char modes[CELL];
  if (body->least_modes == body->most_modes) {
    snprintf(modes, sizeof modes, "%zu", body->most_modes);
  } else {
    snprintf(modes, sizeof modes, "%zu..%zu", body->least_modes, body->most_modes);
  }
  fprintf(out, "%-12s %-12s %-12s %-8s %-26s %s\n", body->name, body->kind->name, body->material ? body->material : "-", modes,
          moved_by, body->kind->about);
}

/** What the cap on the number of modes left out, if anything. */
static void show_left_out(FILE* out, const htz_spec_body* body) {
  if (body->left_out) {
    char top[HTZ_NUMBER_TEXT], limit[HTZ_NUMBER_TEXT];
    fprintf(out, "  %s: at most %zu modes, up to %s Hz; %zu more below %s Hz are left out\n", body->name, body->most_modes,
            htz_number_text(floor(body->top_hz + 0.5), top), body->left_out, htz_number_text(body->limit_hz, limit));
  }
}

static void show_bodies(FILE* out, const htz_spec* spec) {
  const htz_spec_board* board = &spec->board;
  char text[CELL];
  fprintf(out, "\n%-12s %-12s %-12s %-8s %-26s %s\n", "BODY", "KIND", "MATERIAL", "MODES", "MOVED BY", "WHAT IT IS");
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    show_body(out, &spec->bodies[b], mover(spec, b, text));
  }
  if (board->given && board->n_drives) {
    snprintf(text, sizeof text, "driven by %s of all keys", spec->bodies[board->drives[0].from].name);
    show_body(out, &board->body, text);
  }
  if (spec->action.given) {
    show_body(out, &spec->action.body, "hit by all keys");
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    show_left_out(out, &spec->bodies[b]);
  }
  show_left_out(out, &board->body);
  show_left_out(out, &spec->action.body);
}

static void show_mallets(FILE* out, const htz_spec* spec) {
  char hardness[HTZ_NUMBER_TEXT], mass[HTZ_NUMBER_TEXT];
  for (size_t i = 0; i < spec->n_kinds; ++i) {
    const htz_spec_mallet_kind* kind = &spec->kinds[i];
    fprintf(out, "  mallet.kind %zu: %s, %s times as hard, %s times as heavy\n", i, kind->name,
            htz_number_text(kind->hardness, hardness), htz_number_text(kind->mass, mass));
  }
}

/** Dampers, the soft pedal and the shared body's modes. */
static void show_hands(FILE* out, const htz_spec* spec) {
  char low[HTZ_KEY_NAME], high[HTZ_KEY_NAME], loss[CELL], top[HTZ_NUMBER_TEXT];
  const int first = spec->damper_keys[0] > spec->key_low ? spec->damper_keys[0] : spec->key_low;
  const int last = spec->damper_keys[1] < spec->key_high ? spec->damper_keys[1] : spec->key_high;
  if (spec->damper.n && first <= last) {
    const double a = htz_table_at(&spec->damper, first), b = htz_table_at(&spec->damper, last);
    fprintf(out, "  dampers on %s-%s, %s\n", htz_key_name(first, low), htz_key_name(last, high),
            a == b ? with_unit(a, "1/s", loss) : interval(a, b, "1/s", loss));
  }
  show_prepared(out, spec);
  show_links(out, spec);
  const bool softer = spec->mallet.soft != 1.0, spared = htz_spec_count(&spec->bodies[0], spec->key_high) > 1;
  if (spec->thrown && (softer || spared)) {
    fprintf(out, "  soft pedal: ");
    if (softer) {
      fprintf(out, "%s times the stiffness%s", htz_number_text(spec->mallet.soft, top), spared ? ", " : "");
    }
    fprintf(out, "%s\n", spared ? "one body of a unison spared" : "");
  }
  if (spec->board.n_drives) {
    fprintf(out, "  %s: %zu modes up to %s Hz, driven at %zu places, heard at %zu\n", spec->board.body.name,
            spec->board.body.most_modes, htz_number_text(floor(spec->board.body.top_hz + 0.5), top), spec->board.body.zones,
            spec->board.n_pickups);
  }
  if (spec->action.given) {
    fprintf(out, "  %s: hit by %zu blows of every key, drives %s\n", spec->action.body.name, spec->action.n_blows,
            spec->board.body.name);
  }
  show_ears(out, spec);
}

/** What is different with a solver other than the house's. */
static void show_solver(FILE* out, const htz_solver_class* solver) {
  if (solver) {
    fprintf(out, "  solver %s: %s\n    (%s);\n", solver->name, solver->about, solver->source);
    fprintf(out, "    it strikes where the file says%s\n",
            solver->strike_with ? "." : ", with one mallet as it is at velocity 127.");
  }
}

/** What becomes of a mallet that does not just fly off. */
static void show_stay(FILE* out, const htz_spec_mallet* mallet) {
  char spring[HTZ_NUMBER_TEXT];
  if (mallet->lift[0].n) {
    fprintf(out, "  the mallet is a pin: it comes up at its speed, takes the body along and lets go when it has lifted it\n");
    fprintf(out, "    far enough, farther the harder the key is struck;\n");
  } else if (mallet->driven) {
    fprintf(out,
            "  an audio signal pushes the mallet (render --drive, play --input) while key or pedal is held; it hangs on\n");
    fprintf(out, "    an arm of %s Hz;\n", htz_number_text(mallet->stay.spring_hz, spring));
  } else if (mallet->stay.rolls) {
    fprintf(out, "  the ball rolls while key or pedal is held, lifted and dropped by the roughness under it; how fast it\n");
    fprintf(out, "    goes is told by the hand, not solved;\n");
  } else if (mallet->falls) {
    fprintf(out, "  the mallet falls back, bounces, and lies there until it is thrown again;\n");
  }
}

/** Few strings for all keys. */
static void show_fingered(FILE* out, const htz_spec_fingered* hand) {
  char name[HTZ_KEY_NAME];
  if (hand->n == 0) {
    return;
  }
  fprintf(out, "  %zu string%s for all keys:", hand->n, hand->n == 1 ? "" : "s");
  for (size_t i = 0; i < hand->n; ++i) {
    fprintf(out, " %s", htz_key_name(hand->keys[i], name));
  }
  fprintf(out, "; %s\n",
          hand->harmonics ? "a key plays the natural harmonic nearest to it, under a light finger"
                          : "a finger moves the pitch of the one below the key, by its tension");
}

static void show_one_bow(FILE* out, const htz_spec* spec, const htz_spec_bow* bow) {
  char force[2][CELL], speed[2][CELL], attack[2][CELL];
  for (size_t i = 0; i < 2; ++i) {
    over_keys(spec, &bow->force[i], "N", force[i]);
    over_keys(spec, &bow->speed[i], "m/s", speed[i]);
    over_keys(spec, &bow->attack[i], "s", attack[i]);
  }
  fprintf(out, "  %s %s, %s at velocity 1; %s, %s at 127; ", bow->turns ? "wheel" : "bow", force[0], speed[0], force[1],
          speed[1]);
  if (bow->turns) {
    fprintf(out, "it turns when the string comes to it\n");
  } else {
    fprintf(out, "at speed after %s to %s, pressing harder at first\n", attack[0], attack[1]);
  }
}

void htz_show_bow(FILE* out, const htz_spec* spec) {
  static const double rate_hz = 48000.0;
  static const char* const laws[] = {"static curve", "elasto-plastic bristles"};
  char low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT];
  for (size_t i = 0; i < spec->n_bows; ++i) {
    show_one_bow(out, spec, &spec->bows[i]);
  }
  const double u[2] = {htz_spec_bow_stiffness(spec, spec->key_low, rate_hz),
                       htz_spec_bow_stiffness(spec, spec->key_high, rate_hz)};
  fprintf(out, "  friction: %s", laws[spec->bows[0].law.kind == HTZ_FRICTION_BRISTLES]);
  if (!isnan(u[0]) && !isnan(u[1])) {
    fprintf(out,
            ", U = %s to %s at velocity 127 and 48000 Hz (above 2.24 a string may stick or slip,\n    and goes on as it did)",
            htz_number_text(floor(10.0 * u[0] + 0.5) / 10.0, low), htz_number_text(floor(10.0 * u[1] + 0.5) / 10.0, high));
  }
  fprintf(out, "\n");
  show_fingered(out, &spec->fingered);
}

/** A bow in place of the mallet. */
static void show_bowed(FILE* out, const htz_spec* spec) {
  fprintf(out, "\nPhysical: every mode of the bodies above, exact in pitch and decay; the friction of the bow, solved in every "
               "sample\n");
  fprintf(out, "  together with the string%s.\n", spec->bows[0].torsion > 0.0 ? ", that twists under it" : "");
  htz_show_bow(out, spec);
  show_hands(out, spec);
  fprintf(out, "Simplified: what is driven does not act back on what drives it.\n");
}

static void show_physics(FILE* out, const htz_spec* spec) {
  if (!spec->thrown) {
    show_bowed(out, spec);
    return;
  }
  const htz_spec_mallet* mallet = &spec->mallet;
  char mass[CELL], low[CELL], high[CELL];
  fprintf(out, "\nPhysical: every mode of the bodies above, exact in pitch and decay; the mallet's flight and its contact\n");
  fprintf(out, "  (%s, %s%s); each key keeps sounding when struck again.\n", mallet->law->name,
          mallet->solver ? "solver: " : "solved in time steps as fine as it needs", mallet->solver ? mallet->solver->name : "");
  show_solver(out, mallet->solver);
  show_stay(out, mallet);
  fprintf(out, "  mallet %s, %s at velocity 1, %s at 127, %zu at a time on one key\n",
          over_keys(spec, &mallet->mass, "kg", mass), over_keys(spec, &mallet->speed[0], "m/s", low),
          over_keys(spec, &mallet->speed[1], "m/s", high), mallet->pool);
  show_mallets(out, spec);
  if (spec->bowed) {
    htz_show_bow(out, spec);
  } else {
    show_fingered(out, &spec->fingered);
  }
  show_hands(out, spec);
  if (htz_spec_two_way(spec)) {
    fprintf(out, "Simplified, unless `board` is two-way: the strings do not feel the board they drive.\n");
  } else if (spec->board.n_drives) {
    fprintf(out, "Simplified: what is driven does not act back on what drives it. No two-way board: %s.\n",
            htz_spec_one_way_why(spec));
  } else if (spec->n_feeds) {
    fprintf(out, "Simplified: what is driven does not act back on what drives it.\n");
  }
}

static bool has_key(const uint64_t keys[2], int key) {
  return key < HTZ_KEYS && (keys[key / 64] >> (key % 64) & 1u);
}

/** Runs of keys: "C2-E2, G2". */
static void show_keys(FILE* out, const uint64_t keys[2]) {
  char low[HTZ_KEY_NAME], high[HTZ_KEY_NAME];
  const char* comma = "";
  for (int first = 0; first < HTZ_KEYS; ++first) {
    int last = first;
    while (has_key(keys, last + 1)) {
      ++last;
    }
    if (!has_key(keys, first)) {
      continue;
    }
    fprintf(out, last > first ? "%s%s-%s" : "%s%s", comma, htz_key_name(first, low), htz_key_name(last, high));
    comma = ", ";
    first = last;
  }
}

static void show_chokes(FILE* out, const htz_spec* spec) {
  for (size_t i = 0; i < spec->n_chokes; ++i) {
    char loss[CELL];
    fprintf(out, i ? "  " : "\nChokes: ");
    show_keys(out, spec->chokes[i].keys);
    fprintf(out, ": a strike on one damps the others, %s\n", over_keys(spec, &spec->chokes[i].loss, "1/s", loss));
  }
}

/** Parameters that move this object alone, what they start from, and what moves them. */
static void show_own_params(FILE* out, const htz_spec* spec, size_t object) {
  for (size_t i = HTZ_PARAM_COUNT; i < htz_spec_n_params(spec); ++i) {
    const htz_param_desc desc = htz_spec_param(spec, i);
    char initial[CELL], range[CELL], cc[2 * CELL];
    if (htz_spec_binding_at(spec, i)->object == object && htz_spec_param_used(spec, i)) {
      sources_of(spec, i, cc);
      fprintf(out, "  %-24s %-10s %-18s %s\n", desc.name, with_unit(htz_spec_param_initial(spec, i), desc.unit, initial),
              interval(desc.minimum, desc.maximum, desc.unit, range), cc);
    }
  }
}

static void show_object(FILE* out, const htz_spec* spec, const htz_spec* object, size_t index) {
  if (object != spec) {
    fprintf(out, "\nOBJECT %zu%s%s, keys ", index + 1, object->name ? " " : "", object->name ? object->name : "");
    show_keys(out, object->keys);
    fprintf(out, "\n");
    show_own_params(out, spec, index);
  }
  if (object->grid) {
    htz_show_grid(out, object);
    return;
  }
  show_bodies(out, object);
  show_physics(out, object);
}

static void show_programs(FILE* out, const char* title, const uint8_t* programs, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "%s%s %u%s", i ? "" : title, i ? "" : ":", (unsigned)programs[i], i + 1 < n ? "" : "\n");
  }
}

void htz_show_instrument(FILE* out, const htz_spec* spec) {
  char range[2 * HTZ_KEY_NAME];
  const bool several = spec->objects[0] != spec;
  fprintf(out, "%s   %s   range %s (MIDI %d-%d%s)\n", spec->id, spec->about[0] ? spec->about : spec->name,
          range_name(spec, range), spec->key_low, spec->key_high,
          several        ? "; keys of no object are silent"
          : spec->strict ? ", silent beyond"
                         : "; keys beyond follow the same scaling");
  show_programs(out, "General MIDI programs (from 0)", spec->programs, spec->n_programs);
  show_programs(out, "Kits (programs of channel 10, from 0)", spec->kits, spec->n_kits);
  show_params(out, spec);
  if (!several) {
    show_own_params(out, spec, 0);
  }
  for (size_t i = 0; i < spec->n_objects; ++i) {
    show_object(out, spec, spec->objects[i], i);
  }
  if (several) {
    show_links(out, spec);
  }
  show_chokes(out, spec);
}

void htz_show_catalog(FILE* out, const htz_spec_catalog* catalog) {
  size_t widest = strlen("NAME");
  for (size_t i = 0; i < catalog->n; ++i) {
    const size_t n = strlen(catalog->entry[i].id);
    widest = n > widest ? n : widest;
  }
  fprintf(out, "%-*s  %-9s %-9s %s\n", (int)widest, "NAME", "RANGE", "PROGRAMS", "ABOUT");
  for (size_t i = 0; i < catalog->n; ++i) {
    const htz_spec_entry* entry = &catalog->entry[i];
    const htz_spec* spec = entry->spec;
    char range[2 * HTZ_KEY_NAME], programs[PROGRAMS_TEXT] = "-";
    if (!spec) {
      fprintf(out, "%-*s  (%zu faults: hertzian instruments validate %s)\n", (int)widest, entry->id, entry->faults,
              entry->path);
      continue;
    }
    size_t used = 0;
    for (size_t p = 0; p < spec->n_programs && used < sizeof programs; ++p) {
      used += (size_t)snprintf(programs + used, sizeof programs - used, "%s%u", p ? "," : "", (unsigned)spec->programs[p]);
    }
    fprintf(out, "%-*s  %-9s %-9s %s\n", (int)widest, entry->id, range_name(spec, range), programs,
            spec->about[0] ? spec->about : spec->name);
  }
}

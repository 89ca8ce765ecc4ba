#include "show_instrument.h"

#include "json.h"
#include "show_ears.h"
#include "show_grid.h"

#include <math.h>

enum { DIGITS = 10 }; // of a number: what a file's author wrote comes back

static void field(FILE* out, const char* name, const char* text) {
  fprintf(out, "\"%s\":", name);
  htz_json_string(out, text);
}

static void number(FILE* out, const char* name, double value) {
  fprintf(out, "\"%s\":", name);
  htz_json_number(out, value, DIGITS);
}

static void pair(FILE* out, const char* name, double low, double high) {
  fprintf(out, "\"%s\":[", name);
  htz_json_number(out, low, DIGITS);
  fputc(',', out);
  htz_json_number(out, high, DIGITS);
  fputc(']', out);
}

/** The names of a choice's values. */
static void show_words(FILE* out, const char* const* words) {
  for (size_t i = 0; words && words[i]; ++i) {
    fputs(i ? "," : ",\"words\":[", out);
    htz_json_string(out, words[i]);
  }
  fputs(words ? "]" : "", out);
}

static void table(FILE* out, const htz_spec* spec, const char* name, const htz_table* values) {
  pair(out, name, htz_table_at(values, spec->key_low), htz_table_at(values, spec->key_high));
}

/** What moves parameter `param`: its controller's number, or "pressure", or a list of several. */
static void show_controls(FILE* out, const htz_spec* spec, size_t param) {
  const htz_spec_control* last = NULL;
  size_t n = 0, count = 0;
  for (size_t c = 0; c < spec->n_controls; ++c) {
    count += (size_t)spec->controls[c].param == param;
  }
  for (size_t c = 0; c < spec->n_controls; ++c) {
    const htz_spec_control* control = &spec->controls[c];
    if ((size_t)control->param != param) {
      continue;
    }
    fputs(n == 0 ? (count > 1 ? ",\"cc\":[" : ",\"cc\":") : ",", out);
    if (control->cc == HTZ_CONTROL_PRESSURE) {
      fputs("\"pressure\"", out);
    } else {
      fprintf(out, "%u", control->cc);
    }
    last = control;
    ++n;
  }
  if (last) {
    fputs(count > 1 ? "]," : ",", out);
    pair(out, "cc_range", last->low, last->high);
  }
}

static void params(FILE* out, const htz_spec* spec) {
  const char* comma = "";
  fprintf(out, "\"params\":[");
  for (size_t i = 0; i < htz_spec_n_params(spec); ++i) {
    const htz_param_desc param = htz_spec_param(spec, i), *desc = &param;
    if (!htz_spec_param_used(spec, i)) {
      continue;
    }
    fprintf(out, "%s{", comma);
    comma = ",";
    field(out, "name", desc->name);
    fputc(',', out);
    field(out, "unit", desc->unit);
    fputc(',', out);
    number(out, "default", htz_spec_param_initial(spec, i));
    fputc(',', out);
    pair(out, "range", desc->minimum, desc->maximum);
    fputc(',', out);
    field(out, "scale", desc->scale == HTZ_SCALE_LOG ? "log" : desc->scale == HTZ_SCALE_STEPS ? "steps" : "linear");
    show_words(out, htz_spec_param_words(spec, i));
    show_controls(out, spec, i);
    fputc(',', out);
    field(out, "doc", desc->doc);
    fputc('}', out);
  }
  fputc(']', out);
}

/** Keys of the open strings that serve all keys. */
static void strings(FILE* out, const htz_spec* spec) {
  fprintf(out, "\"strings\":[");
  for (size_t i = 0; i < spec->fingered.n; ++i) {
    fprintf(out, "%s%d", i ? "," : "", spec->fingered.keys[i]);
  }
  fputc(']', out);
}

static void bow(FILE* out, const htz_spec* spec) {
  static const double rate_hz = 48000.0;
  const double low = htz_spec_bow_stiffness(spec, spec->key_low, rate_hz);
  const double high = htz_spec_bow_stiffness(spec, spec->key_high, rate_hz);
  fprintf(out, "\"bow\":{");
  field(out, "friction", spec->bows[0].law.kind == HTZ_FRICTION_BRISTLES ? "bristles" : "static");
  if (!isnan(low) && !isnan(high)) {
    fputc(',', out);
    pair(out, "u", low, high);
  }
  fputc(',', out);
  strings(out, spec);
  fputc('}', out);
}

static void board(FILE* out, const htz_spec* spec) {
  const htz_spec_board* b = &spec->board;
  if (!b->given) {
    return;
  }
  fprintf(out, "\"shared\":{");
  field(out, "name", b->body.name);
  fputc(',', out);
  field(out, "kind", b->body.kind->name);
  fputc(',', out);
  field(out, "material", b->body.material);
  fprintf(out, ",\"modes\":%zu,", b->body.most_modes);
  number(out, "top_hz", b->body.top_hz);
  fprintf(out, ",\"zones\":%zu,\"pickups\":%zu,\"driven_by\":[", b->body.zones, b->n_pickups);
  for (size_t d = 0; d < b->n_drives; ++d) {
    fputs(d ? "," : "", out);
    htz_json_string(out, spec->bodies[b->drives[d].from].name);
  }
  fputs("]},", out);
}

static void action(FILE* out, const htz_spec* spec) {
  const htz_spec_action* a = &spec->action;
  if (!a->given) {
    return;
  }
  fprintf(out, "\"action\":{");
  field(out, "name", a->body.name);
  fputc(',', out);
  field(out, "kind", a->body.kind->name);
  fprintf(out, ",\"modes\":%zu,", a->body.most_modes);
  number(out, "top_hz", a->body.top_hz);
  fputs(",\"blows\":[", out);
  for (size_t b = 0; b < a->n_blows; ++b) {
    fprintf(out, "%s{\"when\":\"%s\",", b ? "," : "", a->blows[b].release ? "release" : "press");
    table(out, spec, "mass", &a->blows[b].thrown.mass);
    fputc('}', out);
  }
  fputs("]},", out);
}

static void kinds(FILE* out, const htz_spec* spec) {
  fputs(",\"kinds\":[", out);
  for (size_t i = 0; i < spec->n_kinds; ++i) {
    fputs(i ? ",{" : "{", out);
    field(out, "name", spec->kinds[i].name);
    fputc(',', out);
    number(out, "hardness", spec->kinds[i].hardness);
    fputc(',', out);
    number(out, "mass", spec->kinds[i].mass);
    fputc('}', out);
  }
  fputc(']', out);
}

static void dampers(FILE* out, const htz_spec* spec) {
  if (spec->damper.n) {
    fputs("\"damper\":{", out);
    table(out, spec, "loss_per_s", &spec->damper);
    fprintf(out, ",\"keys\":[%d,%d]},", spec->damper_keys[0], spec->damper_keys[1]);
  }
}

static void bodies(FILE* out, const htz_spec* spec) {
  fprintf(out, "\"bodies\":[");
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    const htz_spec_body* body = &spec->bodies[b];
    fprintf(out, "%s{", b ? "," : "");
    field(out, "name", body->name);
    fputc(',', out);
    field(out, "kind", body->kind->name);
    fputc(',', out);
    field(out, "material", body->material);
    fprintf(out, ",\"count\":[%zu,%zu],\"modes\":[%zu,%zu],\"left_out\":%zu,\"struck\":%s,\"driven_by\":[",
            htz_spec_count(body, spec->key_low), htz_spec_count(body, spec->key_high), body->least_modes, body->most_modes,
            body->left_out, b < spec->n_struck + spec->n_bowed ? "true" : "false");
    const char* comma = "";
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      if (spec->feeds[f].to == b) {
        fputs(comma, out);
        htz_json_string(out, spec->bodies[spec->feeds[f].from].name);
        comma = ",";
      }
    }
    fprintf(out, "]}");
  }
  fputc(']', out);
}

static void mallet(FILE* out, const htz_spec* spec) {
  const htz_spec_mallet* m = &spec->mallet;
  fprintf(out, "\"mallet\":{");
  field(out, "law", m->law->name);
  fputc(',', out);
  field(out, "solver", m->solver ? m->solver->name : "house");
  fputc(',', out);
  table(out, spec, "mass_kg", &m->mass);
  fputc(',', out);
  table(out, spec, "speed_low_m_per_s", &m->speed[0]);
  fputc(',', out);
  table(out, spec, "speed_high_m_per_s", &m->speed[1]);
  fputc(',', out);
  table(out, spec, "stiffness", &m->stiffness);
  fputc(',', out);
  table(out, spec, "exponent", &m->exponent);
  fputc(',', out);
  table(out, spec, "viscosity_s_per_m", &m->viscosity);
  if (m->law->remember) {
    fputc(',', out);
    table(out, spec, "hysteresis", &m->hysteresis);
    fputc(',', out);
    table(out, spec, "relaxation_s", &m->relaxation);
  }
  if (m->law == &htz_law_wound) {
    fputc(',', out);
    table(out, spec, "core", &m->core);
    fputc(',', out);
    table(out, spec, "core_exponent", &m->core_exponent);
    fputc(',', out);
    table(out, spec, "depth_m", &m->depth);
  }
  fputc(',', out);
  number(out, "soft_pedal_hardness", m->soft);
  kinds(out, spec);
  fprintf(out, ",\"pool\":%zu}", m->pool);
}

static void programs(FILE* out, const char* name, const uint8_t* chosen_by, size_t n) {
  fprintf(out, "\"%s\":[", name);
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "%s%u", i ? "," : "", (unsigned)chosen_by[i]);
  }
  fputc(']', out);
}

static void head(FILE* out, const htz_spec* spec) {
  field(out, "id", spec->id);
  fputc(',', out);
  field(out, "file", spec->file);
  fputc(',', out);
  field(out, "name", spec->name);
  fputc(',', out);
  field(out, "about", spec->about);
  fprintf(out, ",\"keys\":[%d,%d],\"strict\":%s,", spec->key_low, spec->key_high, spec->strict ? "true" : "false");
  programs(out, "programs", spec->programs, spec->n_programs);
  fputc(',', out);
  programs(out, "kits", spec->kits, spec->n_kits);
}

/** What plays the keys of one object, and what it plays on. */
static void content(FILE* out, const htz_spec* spec) {
  if (spec->grid) {
    dampers(out, spec);
    htz_show_grid_json(out, spec);
    if (spec->bowed) {
      fputc(',', out);
      bow(out, spec);
    }
    return;
  }
  bodies(out, spec);
  fputc(',', out);
  board(out, spec);
  action(out, spec);
  show_ears_json(out, spec);
  dampers(out, spec);
  if (spec->thrown) {
    mallet(out, spec);
  }
  if (spec->bowed) {
    fputs(spec->thrown ? "," : "", out);
    bow(out, spec);
  } else if (spec->fingered.n) {
    fputc(',', out);
    strings(out, spec);
  }
}

static void keys_of(FILE* out, const uint64_t keys[2]) {
  const char* comma = "";
  fputc('[', out);
  for (int key = 0; key < HTZ_KEYS; ++key) {
    if (keys[key / 64] >> (key % 64) & 1u) {
      fprintf(out, "%s%d", comma, key);
      comma = ",";
    }
  }
  fputc(']', out);
}

/** An object that stands beside others, with the keys it has and the parameters it starts from otherwise than the others. */
static void object(FILE* out, const htz_spec* spec) {
  const char* comma = "";
  fputc('{', out);
  field(out, "name", spec->name);
  fputs(",\"keys\":", out);
  keys_of(out, spec->keys);
  fputs(",\"defaults\":{", out);
  for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
    if (spec->params[i] != spec->whole->params[i] && htz_spec_param_used(spec, (htz_param_index)i)) {
      fputs(comma, out);
      number(out, htz_instrument_params[i].name, spec->params[i]);
      comma = ",";
    }
  }
  fputs("},", out);
  content(out, spec);
  fputc('}', out);
}

static void chokes(FILE* out, const htz_spec* spec) {
  fputs(spec->n_chokes ? ",\"chokes\":[" : "", out);
  for (size_t i = 0; i < spec->n_chokes; ++i) {
    fputs(i ? ",{\"keys\":" : "{\"keys\":", out);
    keys_of(out, spec->chokes[i].keys);
    fputc(',', out);
    table(out, spec, "loss_per_s", &spec->chokes[i].loss);
    fputc('}', out);
  }
  fputs(spec->n_chokes ? "]" : "", out);
}

void htz_show_instrument_json(FILE* out, const htz_spec* spec) {
  fputc('{', out);
  head(out, spec);
  fputc(',', out);
  params(out, spec);
  fputc(',', out);
  if (spec->objects[0] == spec) {
    content(out, spec);
  } else {
    fputs("\"objects\":[", out);
    for (size_t i = 0; i < spec->n_objects; ++i) {
      fputs(i ? "," : "", out);
      object(out, spec->objects[i]);
    }
    fputc(']', out);
  }
  chokes(out, spec);
  fputs("}\n", out);
}

void htz_show_catalog_json(FILE* out, const htz_spec_catalog* catalog) {
  fputc('[', out);
  for (size_t i = 0; i < catalog->n; ++i) {
    const htz_spec_entry* entry = &catalog->entry[i];
    fputs(i ? ",\n{" : "{", out);
    if (entry->spec) {
      head(out, entry->spec);
    } else {
      field(out, "id", entry->id);
      fputc(',', out);
      field(out, "file", entry->path);
    }
    fprintf(out, ",\"faults\":%zu}", entry->faults);
  }
  fputs("]\n", out);
}

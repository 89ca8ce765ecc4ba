#include "options_private.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 100 }; // bytes of a value in a message

/** One flag being carried out. */
typedef struct {
  const htz_flag* flag;
  const char* shown; ///< up to where its value begins
  const char* value;
  htz_parse_result* result;
} one;

static bool refuse(const one* f, const char* what) {
  const size_t length = strlen(f->shown);
  const bool joined = length > 0 && f->shown[length - 1] == '=';
  // A value that is empty has to be seen all the same.
  snprintf(f->result->error, sizeof f->result->error, "%s%s%.*s: %s", f->shown, joined ? "" : " ", SHOWN_MAX,
           f->value[0] || joined ? f->value : "\"\"", what);
  return false;
}

static bool number_between(const one* f, double low, double high, bool whole, double* out) {
  double value = 0.0;
  char what[HTZ_USAGE_TEXT / 2], least[HTZ_NUMBER_TEXT], most[HTZ_NUMBER_TEXT];
  const bool is_number = htz_number_parse(f->value, strlen(f->value), &value);
  if (is_number && value >= low && value <= high && (!whole || value == floor(value))) {
    *out = value;
    return true;
  }
  snprintf(what, sizeof what, "%s, %s to %s is allowed",
           !is_number                    ? "not a number"
           : value < low || value > high ? "out of range"
                                         : "not a whole number",
           htz_number_text(low, least), htz_number_text(high, most));
  return refuse(f, what);
}

static bool number(const one* f, double* out) {
  return number_between(f, f->flag->low, f->flag->high, false, out);
}

static bool whole(const one* f, int* out) {
  double value = 0.0;
  if (!number_between(f, f->flag->low, f->flag->high, true, &value)) {
    return false;
  }
  *out = (int)value;
  return true;
}

static bool whole_unsigned(const one* f, unsigned* out) {
  int value = 0;
  if (!whole(f, &value)) {
    return false;
  }
  *out = (unsigned)value; // the ranges of these flags begin at 1 or above
  return true;
}

static bool not_empty(const one* f, const char** out) {
  if (!f->value[0]) {
    return refuse(f, "is empty");
  }
  *out = f->value;
  return true;
}

// Pick one of `count` names.
static bool choice(const one* f, const char* const* names, unsigned count, const char* what, unsigned* out) {
  for (unsigned i = 0; i < count; i++) {
    if (strcmp(f->value, names[i]) == 0) {
      *out = i;
      return true;
    }
  }
  char text[HTZ_USAGE_TEXT / 2];
  size_t used = (size_t)snprintf(text, sizeof text, "unknown %s; there are", what);
  for (unsigned i = 0; i < count && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "", names[i]);
  }
  return refuse(f, text);
}

static bool set_container(const one* f, htz_options* options) {
  const char* names[HTZ_CONTAINER_COUNT];
  for (unsigned i = 0; i < HTZ_CONTAINER_COUNT; i++) {
    names[i] = htz_container_name((htz_container)i);
  }
  unsigned chosen = 0;
  if (!choice(f, names, HTZ_CONTAINER_COUNT, "format", &chosen)) {
    return false;
  }
  options->container = (htz_container)chosen;
  options->container_given = true;
  return true;
}

static bool set_encoding(const one* f, htz_options* options) {
  const char* names[HTZ_ENCODING_COUNT];
  for (unsigned i = 0; i < HTZ_ENCODING_COUNT; i++) {
    names[i] = htz_encoding_name((htz_encoding)i);
  }
  unsigned chosen = 0;
  if (!choice(f, names, HTZ_ENCODING_COUNT, "encoding", &chosen)) {
    return false;
  }
  options->encoding = (htz_encoding)chosen;
  options->encoding_given = true;
  return true;
}

static bool set_progress(const one* f, htz_options* options) {
  static const char* const names[] = {"auto", "always", "never"};
  unsigned chosen = 0;
  if (!choice(f, names, sizeof names / sizeof names[0], "choice", &chosen)) {
    return false;
  }
  options->progress = (htz_progress)chosen;
  return true;
}

static bool set_switch(const one* f, const char* const names[2], bool* second) {
  unsigned chosen = 0;
  if (!choice(f, names, 2, "choice", &chosen)) {
    return false;
  }
  *second = chosen == 1;
  return true;
}

static bool set_limiter(const one* f, htz_options* options) {
  static const char* const names[] = {"off", "on"};
  return set_switch(f, names, &options->limiter);
}

static bool set_midi_delay(const one* f, htz_options* options) {
  static const char* const names[] = {"constant", "asap"};
  return set_switch(f, names, &options->midi_asap);
}

static bool set_pedal(const one* f, htz_options* options) {
  static const char* const names[] = {"normal", "inverted", "auto"}; // in the order of htz_pedal
  unsigned chosen = 0;
  if (!choice(f, names, sizeof names / sizeof names[0], "choice", &chosen)) {
    return false;
  }
  options->pedal = (htz_pedal)chosen;
  return true;
}

static bool set_law(const one* f, htz_options* options) {
  static const char* const names[] = {"hunt-crossley", "stulov"};
  options->lab.law_given = true;
  return set_switch(f, names, &options->lab.stulov);
}

static bool add_name(const one* f, const char** names, size_t* n) {
  if (*n == HTZ_SOURCES_MAX) {
    return refuse(f, "one too many; 16 are allowed");
  }
  return not_empty(f, &names[(*n)++]);
}

static bool set_realtime(const one* f, htz_options* options) {
  if (strcmp(f->value, "off") == 0) {
    options->realtime = -1;
    return true;
  }
  return whole(f, &options->realtime);
}

static bool set_fail_on(const one* f, htz_options* options) {
  for (const char* at = f->value;;) {
    const size_t length = strcspn(at, ",");
    if (length == strlen("xrun") && strncmp(at, "xrun", length) == 0) {
      options->fail_on |= HTZ_FAIL_ON_XRUN;
    } else if (length == strlen("clip") && strncmp(at, "clip", length) == 0) {
      options->fail_on |= HTZ_FAIL_ON_CLIP;
    } else {
      return refuse(f, "neither xrun nor clip");
    }
    if (at[length] == '\0') {
      return true;
    }
    at += length + 1;
  }
}

static bool set_wait(const one* f, htz_options* options) {
  options->wait_s = INFINITY;
  return !f->value || number(f, &options->wait_s);
}

static bool set_tail(const one* f, htz_options* options) {
  options->tail_s = 0.0;
  if (strcmp(f->value, "auto") == 0) {
    options->tail = HTZ_TAIL_AUTO;
  } else if (strcmp(f->value, "eot") == 0) {
    options->tail = HTZ_TAIL_EOT;
  } else if (strcmp(f->value, "none") == 0) {
    options->tail = HTZ_TAIL_SECONDS;
  } else if (number(f, &options->tail_s)) {
    options->tail = HTZ_TAIL_SECONDS;
  } else {
    return refuse(f, "neither auto, none, eot nor a number of seconds up to 86400");
  }
  return true;
}

static bool set_channel(const one* f, htz_options* options) {
  if (strcmp(f->value, "omni") == 0) {
    options->channel = HTZ_CHANNEL_OMNI;
    return true;
  }
  if (!whole(f, &options->channel)) {
    return refuse(f, "neither a channel, 1 to 16, nor omni");
  }
  return true;
}

static bool set_rate(const one* f, bool may_be_auto, htz_options* options) {
  if (may_be_auto && strcmp(f->value, "auto") == 0) {
    return true; // a file has no device to ask: the default stands
  }
  options->rate_given = true;
  return number_between(f, f->flag->low, f->flag->high, true, &options->rate_hz);
}

static bool unknown_param(const one* f, const char* name) {
  const char* names[HTZ_PARAM_NAMED];
  char text[HTZ_USAGE_TEXT / 2];
  for (unsigned i = 0; i < HTZ_PARAM_NAMED; i++) {
    names[i] = htz_instrument_params[i].name;
  }
  const char* near = htz_suggest(name, names, HTZ_PARAM_NAMED);
  size_t used = 0;
  if (near) {
    used = (size_t)snprintf(text, sizeof text, "unknown parameter, did you mean %s? There are", near);
  } else {
    used = (size_t)snprintf(text, sizeof text, "unknown parameter; there are");
  }
  for (unsigned i = 0; i < HTZ_PARAM_NAMED && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "", names[i]);
  }
  return refuse(f, text);
}

/** None of the words of a choice. */
static bool refuse_word(const one* f, const char* const* words) {
  char text[HTZ_USAGE_TEXT / 2];
  size_t used = (size_t)snprintf(text, sizeof text, "must be");
  for (size_t i = 0; words[i] && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? " or" : "", words[i]);
  }
  return refuse(f, text);
}

/** The parameter of every instrument that `name` is, or that stands behind the name of an object of a file: "drum.level". */
static size_t param_behind(const char* name) {
  const size_t index = htz_param_find(htz_instrument_params, HTZ_PARAM_NAMED, name);
  const char* behind = strchr(name, '.');
  return index == HTZ_PARAM_NAMED && behind ? param_behind(behind + 1) : index;
}

/** The same where one of several things of a kind is meant: "rattle2.gap" is like "rattle.gap". */
static size_t param_like(const char* name) {
  char kind[HTZ_SETTING_NAME];
  size_t n = 0;
  for (const char* at = name; *at; ++at) {
    const size_t digits = strspn(at, "0123456789");
    at += digits > 0 && at[digits] == '.' ? digits : 0;
    kind[n++] = *at;
  }
  kind[n] = '\0';
  return param_behind(kind);
}

/** Behind its last point stands what some parameter is called there: it may be one of a thing that a file names, "wheel.speed". */
static bool may_be_own(const char* name) {
  const char* field = strrchr(name, '.');
  bool any = false;
  for (size_t i = 0; field && field != name && i < HTZ_PARAM_NAMED; ++i) {
    const char* usual = strrchr(htz_instrument_params[i].name, '.');
    any = any || (usual && strcmp(usual, field) == 0);
  }
  return any;
}

/** A parameter of a file's own, held against its range when the instrument is known. */
static bool set_own(const one* f, const char* name, htz_options* options, htz_setting* settings) {
  htz_setting setting = {.param = HTZ_PARAM_COUNT};
  strcpy(setting.name, name);
  if (!number_between(f, -HUGE_VAL, HUGE_VAL, false, &setting.value)) {
    return false;
  }
  settings[options->n_settings++] = setting;
  return true;
}

static bool set_param(const one* f, htz_options* options, htz_setting* settings) {
  enum { NAME_MAX_BYTES = HTZ_SETTING_NAME };
  const char* equals = strchr(f->value, '=');
  const size_t length = equals ? (size_t)(equals - f->value) : 0;
  if (!equals || length == 0 || length >= NAME_MAX_BYTES) {
    return refuse(f, "not of the form PARAM=VALUE");
  }
  char name[NAME_MAX_BYTES];
  memcpy(name, f->value, length);
  name[length] = '\0';
  const size_t index = param_like(name);
  if (index == HTZ_PARAM_NAMED && may_be_own(name)) {
    one of_value = *f;
    of_value.value = equals + 1;
    return set_own(&of_value, name, options, settings);
  }
  if (index == HTZ_PARAM_NAMED) {
    return unknown_param(f, name);
  }
  htz_setting setting = {.param = index};
  if (strcmp(name, htz_instrument_params[index].name) != 0) {
    setting.param = HTZ_PARAM_COUNT;
    strcpy(setting.name, name);
  }
  const htz_param_desc* desc = &htz_instrument_params[index];
  one of_value = *f;
  of_value.value = equals + 1;
  char shown[NAME_MAX_BYTES * 2];
  snprintf(shown, sizeof shown, "%s %s=", f->shown, name);
  of_value.shown = shown;
  const int word = htz_param_word_value(index, of_value.value);
  if (word >= 0) {
    setting.value = word;
    settings[options->n_settings++] = setting;
    return true;
  }
  if (htz_param_words(index)) {
    return refuse_word(&of_value, htz_param_words(index));
  }
  if (!number_between(&of_value, desc->minimum, desc->maximum, desc->scale == HTZ_SCALE_STEPS, &setting.value)) {
    return false;
  }
  settings[options->n_settings++] = setting;
  return true;
}

static bool of_songs(const one* f, htz_options* options) {
  options->song_flag = options->song_flag ? options->song_flag : f->flag->name;
  return true;
}

bool htz_flag_apply(htz_flag_id id, const char* shown, const char* value, htz_options* options, htz_setting* settings,
                    htz_parse_result* result) {
  const one f = {&htz_flags[id], shown, value, result};
  switch (id) {
  case HTZ_FLAG_INSTRUMENT:
    return not_empty(&f, &options->instrument);
  case HTZ_FLAG_SET:
    return set_param(&f, options, settings);
  case HTZ_FLAG_GAIN:
    return number(&f, &options->gain_db);
  case HTZ_FLAG_BIND:
    return options->n_bind < HTZ_BINDS_MAX ? not_empty(&f, &options->bind[options->n_bind++])
                                           : refuse(&f, "one too many; 32 are allowed");
  case HTZ_FLAG_TUNING:
    options->tuned = true;
    return not_empty(&f, &options->tuning.scale);
  case HTZ_FLAG_KEYMAP:
    options->tuned = true;
    return not_empty(&f, &options->tuning.keymap);
  case HTZ_FLAG_A4:
    options->tuned = true;
    return number(&f, &options->tuning.a4_hz);
  case HTZ_FLAG_TRANSPOSE:
    return whole(&f, &options->transpose);
  case HTZ_FLAG_VELOCITY: {
    char why[HTZ_USAGE_TEXT / 2];
    return htz_velocity_parse(value, &options->velocity, why, sizeof why) == HTZ_OK || refuse(&f, why);
  }
  case HTZ_FLAG_CHANNEL:
    return set_channel(&f, options);
  case HTZ_FLAG_RATE:
    return set_rate(&f, true, options);
  case HTZ_FLAG_LAB_RATE:
    return set_rate(&f, false, options);
  case HTZ_FLAG_BUFFER:
    return whole_unsigned(&f, &options->buffer);
  case HTZ_FLAG_QUIET:
    options->verbosity = -1;
    return true;
  case HTZ_FLAG_VERBOSE:
    options->verbosity = options->verbosity < 0 ? 1 : options->verbosity + 1;
    return true;
  case HTZ_FLAG_LOG_FILE:
    return not_empty(&f, &result->log_file);
  case HTZ_FLAG_JSON:
    options->json = true;
    return true;
  case HTZ_FLAG_AUDIO:
    return not_empty(&f, &options->audio);
  case HTZ_FLAG_INPUT:
    return not_empty(&f, &options->input);
  case HTZ_FLAG_MIDI:
    return add_name(&f, options->midi, &options->n_midi);
  case HTZ_FLAG_MIDI_RAW:
    return add_name(&f, options->midi_raw, &options->n_midi_raw);
  case HTZ_FLAG_MIDI_DELAY:
    return set_midi_delay(&f, options);
  case HTZ_FLAG_NO_SENSING:
    options->no_sensing = true;
    return true;
  case HTZ_FLAG_PEDAL:
    return set_pedal(&f, options);
  case HTZ_FLAG_NO_HOTPLUG:
    options->hotplug = false;
    return true;
  case HTZ_FLAG_REQUIRE_MIDI:
    options->require_midi = true;
    return true;
  case HTZ_FLAG_WAIT:
    return set_wait(&f, options);
  case HTZ_FLAG_RT:
    return set_realtime(&f, options);
  case HTZ_FLAG_RECORD:
    return not_empty(&f, &options->record);
  case HTZ_FLAG_RECORD_MIDI:
    return not_empty(&f, &options->record_midi);
  case HTZ_FLAG_DURATION:
    return number(&f, &options->duration_s);
  case HTZ_FLAG_LIMITER:
    return set_limiter(&f, options);
  case HTZ_FLAG_FAIL_ON:
    return set_fail_on(&f, options);
  case HTZ_FLAG_STATS:
    options->stats = true;
    return true;
  case HTZ_FLAG_OUTPUT:
    return not_empty(&f, &options->output);
  case HTZ_FLAG_DRIVE:
    return not_empty(&f, &options->drive);
  case HTZ_FLAG_FORMAT:
    return set_container(&f, options);
  case HTZ_FLAG_ENCODING:
    return set_encoding(&f, options);
  case HTZ_FLAG_TAIL:
    return set_tail(&f, options);
  case HTZ_FLAG_START:
    return of_songs(&f, options) && number(&f, &options->start_s);
  case HTZ_FLAG_END:
    return of_songs(&f, options) && number(&f, &options->end_s);
  case HTZ_FLAG_TEMPO:
    return of_songs(&f, options) && number(&f, &options->tempo);
  case HTZ_FLAG_LOOP:
    options->loop = true;
    return of_songs(&f, options);
  case HTZ_FLAG_NORMALIZE:
    options->normalize = true;
    return !value || number(&f, &options->normalize_db);
  case HTZ_FLAG_STRICT:
    options->strict = true;
    return of_songs(&f, options);
  case HTZ_FLAG_JOBS:
    return whole_unsigned(&f, &options->jobs);
  case HTZ_FLAG_NO_CLOBBER:
    options->no_clobber = true;
    return true;
  case HTZ_FLAG_PROGRESS:
    return set_progress(&f, options);
  case HTZ_FLAG_CSV:
    return not_empty(&f, &options->csv);
  case HTZ_FLAG_PHASES:
    return whole_unsigned(&f, &options->phases);
  case HTZ_FLAG_OUT:
    return not_empty(&f, &options->out);
  case HTZ_FLAG_PLOT:
    return not_empty(&f, &options->plot);
  case HTZ_FLAG_SOLVER:
    return not_empty(&f, &options->lab.solver);
  case HTZ_FLAG_LAW:
    return set_law(&f, options);
  case HTZ_FLAG_MASS:
    return number(&f, &options->lab.mass);
  case HTZ_FLAG_STIFFNESS:
    return number(&f, &options->lab.stiffness);
  case HTZ_FLAG_EXPONENT:
    return number(&f, &options->lab.exponent);
  case HTZ_FLAG_VISCOSITY:
    return number(&f, &options->lab.viscosity);
  case HTZ_FLAG_HYSTERESIS:
    return number(&f, &options->lab.hysteresis);
  case HTZ_FLAG_RELAXATION:
    return number(&f, &options->lab.relaxation);
  case HTZ_FLAG_SPEED:
    return number(&f, &options->lab.speed);
  case HTZ_FLAG_AT:
    return number(&f, &options->lab.at);
  case HTZ_FLAG_KEY:
    return whole(&f, &options->lab.key);
  case HTZ_FLAG_LAB_VELOCITY:
    return number(&f, &options->lab.velocity);
  case HTZ_FLAG_FORCE:
    options->force = true;
    return true;
  case HTZ_FLAG_HELP:
    result->what = HTZ_PARSE_HELP;
    result->topic = value;
    return true;
  case HTZ_FLAG_VERSION:
    result->what = HTZ_PARSE_VERSION;
    return true;
  case HTZ_FLAG_COUNT:
    break;
  }
  return true;
}

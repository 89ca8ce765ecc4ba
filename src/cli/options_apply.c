#include "key_list.h"
#include "options_private.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool number(const htz_flag_use* f, double* out) {
  return htz_flag_number(f, f->flag->low, f->flag->high, false, out);
}

static bool whole(const htz_flag_use* f, int* out) {
  double value = 0.0;
  if (!htz_flag_number(f, f->flag->low, f->flag->high, true, &value)) {
    return false;
  }
  *out = (int)value;
  return true;
}

static bool whole_unsigned(const htz_flag_use* f, unsigned* out) {
  int value = 0;
  if (!whole(f, &value)) {
    return false;
  }
  *out = (unsigned)value; // the ranges of these flags begin at 1 or above
  return true;
}

static bool not_empty(const htz_flag_use* f, const char** out) {
  if (!f->value[0]) {
    return htz_flag_refuse(f, "is empty");
  }
  *out = f->value;
  return true;
}

// Pick one of `count` names.
static bool choice(const htz_flag_use* f, const char* const* names, unsigned count, const char* what, unsigned* out) {
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
  return htz_flag_refuse(f, text);
}

static bool set_goal(const htz_flag_use* f, htz_level_goal goal, htz_options* options) {
  static const double peak_db = -1.0; // unless told
  if (options->goal != HTZ_GOAL_NONE && options->goal != goal) {
    snprintf(f->result->error, sizeof f->result->error, "%s: a file has one level: --normalize or --loudness", f->shown);
    return false;
  }
  options->goal = goal;
  options->goal_db = peak_db;
  return !f->value || number(f, &options->goal_db);
}

static bool set_container(const htz_flag_use* f, htz_options* options) {
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

static bool set_encoding(const htz_flag_use* f, htz_options* options) {
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

// One of two or three words; without a value the first.
static bool word(const htz_flag_use* f, const char* const* names, unsigned count, unsigned* out) {
  *out = 0;
  return !f->value || choice(f, names, count, "choice", out);
}

static bool set_progress(const htz_flag_use* f, htz_options* options) {
  static const char* const names[] = {"auto", "always", "never"}; // in the order of htz_progress
  unsigned chosen = 0;
  const bool ok = word(f, names, sizeof names / sizeof names[0], &chosen);
  options->progress = (htz_progress)chosen;
  return ok;
}

static bool set_pedal(const htz_flag_use* f, htz_options* options) {
  static const char* const names[] = {"normal", "inverted", "auto"}; // in the order of htz_pedal
  unsigned chosen = 0;
  const bool ok = word(f, names, sizeof names / sizeof names[0], &chosen);
  options->pedal = (htz_pedal)chosen;
  return ok;
}

static bool set_mpe(const htz_flag_use* f, htz_options* options) {
  static const char* const names[] = {"lower", "upper"};
  unsigned chosen = 0;
  const bool ok = word(f, names, sizeof names / sizeof names[0], &chosen);
  options->mpe = chosen == 0 ? HTZ_MPE_LOWER : HTZ_MPE_UPPER;
  return ok;
}

static bool set_switch(const htz_flag_use* f, const char* const names[2], bool* second) {
  unsigned chosen = 0;
  if (!choice(f, names, 2, "choice", &chosen)) {
    return false;
  }
  *second = chosen == 1;
  return true;
}

static bool set_keys(const htz_flag_use* f, htz_options* options) {
  options->n_keys = htz_list_read(f->value, htz_key_read, HTZ_TRY_KEYS_MAX, options->keys);
  return options->n_keys > 0 || htz_flag_refuse(f, "not up to 16 keys with commas, as C3,F#4,60");
}

static bool set_velocities(const htz_flag_use* f, htz_options* options) {
  options->n_velocities = htz_list_read(f->value, htz_velocity_read, HTZ_TRY_VELOCITIES_MAX, options->velocities);
  return options->n_velocities > 0 || htz_flag_refuse(f, "not up to 8 velocities from 1 to 127 with commas");
}

static bool set_law(const htz_flag_use* f, htz_options* options) {
  static const char* const names[] = {"hunt-crossley", "stulov"};
  options->lab.law_given = true;
  return set_switch(f, names, &options->lab.stulov);
}

static bool add_name(const htz_flag_use* f, const char** names, size_t* n) {
  if (*n == HTZ_SOURCES_MAX) {
    return htz_flag_refuse(f, "one too many; 16 are allowed");
  }
  return not_empty(f, &names[(*n)++]);
}

static bool set_history(const htz_flag_use* f, htz_options* options) {
  const bool off = strcmp(f->value, "off") == 0;
  options->no_history = off;
  options->history_mib = HTZ_HISTORY_MIB;
  return off || strcmp(f->value, "on") == 0 || whole_unsigned(f, &options->history_mib);
}

static bool set_realtime(const htz_flag_use* f, htz_options* options) {
  if (strcmp(f->value, "off") == 0) {
    options->realtime = -1;
    return true;
  }
  return whole(f, &options->realtime);
}

static bool set_fail_on(const htz_flag_use* f, htz_options* options) {
  for (const char* at = f->value;;) {
    const size_t length = strcspn(at, ",");
    if (length == strlen("xrun") && strncmp(at, "xrun", length) == 0) {
      options->fail_on |= HTZ_FAIL_ON_XRUN;
    } else if (length == strlen("clip") && strncmp(at, "clip", length) == 0) {
      options->fail_on |= HTZ_FAIL_ON_CLIP;
    } else {
      return htz_flag_refuse(f, "neither xrun nor clip");
    }
    if (at[length] == '\0') {
      return true;
    }
    at += length + 1;
  }
}

static bool set_wait(const htz_flag_use* f, htz_options* options) {
  options->wait_s = INFINITY;
  return !f->value || number(f, &options->wait_s);
}

static bool set_tail(const htz_flag_use* f, htz_options* options) {
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
    return htz_flag_refuse(f, "neither auto, none, eot nor a number of seconds up to 86400");
  }
  return true;
}

static bool set_channel(const htz_flag_use* f, htz_options* options) {
  if (strcmp(f->value, "omni") == 0) {
    options->channel = HTZ_CHANNEL_OMNI;
    return true;
  }
  if (!whole(f, &options->channel)) {
    return htz_flag_refuse(f, "neither a channel, 1 to 16, nor omni");
  }
  return true;
}

static bool set_rate(const htz_flag_use* f, bool may_be_auto, htz_options* options) {
  if (may_be_auto && strcmp(f->value, "auto") == 0) {
    return true; // a file has no device to ask: the default stands
  }
  options->rate_given = true;
  return htz_flag_number(f, f->flag->low, f->flag->high, true, &options->rate_hz);
}

static bool of_songs(const htz_flag_use* f, htz_options* options) {
  options->song_flag = options->song_flag ? options->song_flag : f->flag->name;
  return true;
}

// A length in seconds, minutes or hours.
static bool span(const htz_flag_use* f, double* out) {
  const size_t length = strlen(f->value);
  const char unit = length > 1 ? f->value[length - 1] : 's';
  const double seconds = unit == 'h' ? 3600.0 : unit == 'm' ? 60.0 : 1.0;
  char text[HTZ_NUMBER_TEXT];
  if ((unit != 'h' && unit != 'm') || length >= sizeof text) {
    return number(f, out);
  }
  memcpy(text, f->value, length - 1);
  text[length - 1] = '\0';
  const htz_flag_use plain = {f->flag, f->shown, text, f->result};
  if (!htz_flag_number(&plain, f->flag->low / seconds, f->flag->high / seconds, false, out)) {
    return false;
  }
  *out *= seconds;
  return true;
}

void htz_flag_forget(htz_flag_id id, htz_options* options) {
  if (id != HTZ_FLAG_SET) { // which adds up
    htz_flag_forget_played(id, options);
  }
  switch (id) {
  case HTZ_FLAG_MIDI:
    options->n_midi = 0;
    break;
  case HTZ_FLAG_MIDI_RAW:
    options->n_midi_raw = 0;
    break;
  case HTZ_FLAG_BIND:
    options->n_bind = 0;
    break;
  case HTZ_FLAG_FAIL_ON:
    options->fail_on = 0;
    break;
  case HTZ_FLAG_INSTRUMENT:
    options->orchestra.instrument = NULL;
    memset(options->orchestra.of_channel, 0, sizeof options->orchestra.of_channel);
    break;
  case HTZ_FLAG_LAYER:
  case HTZ_FLAG_SPLIT:
    htz_layers_forget(&options->orchestra, id == HTZ_FLAG_SPLIT);
    break;
  case HTZ_FLAG_RATE:
    options->rate_given = false;
    options->rate_hz = htz_usual_rate_hz;
    break;
  case HTZ_FLAG_NORMALIZE:
  case HTZ_FLAG_LOUDNESS:
    options->goal = HTZ_GOAL_NONE;
    break;
  default:
    break; // the next replaces it
  }
}

bool htz_flag_apply(htz_flag_id id, const char* shown, const char* value, htz_options* options, htz_setting* settings,
                    htz_parse_result* result) {
  const htz_flag_use f = {&htz_flags[id], shown, value, result};
  htz_flag_note_played(id, &f, options);
  switch (id) {
  case HTZ_FLAG_INSTRUMENT:
    return htz_flag_instrument(&f, options);
  case HTZ_FLAG_LAYER:
    return htz_flag_layer(&f, options);
  case HTZ_FLAG_SPLIT:
    return htz_flag_is_length(&f, options) ? span(&f, &options->split_s) : htz_flag_split(&f, options);
  case HTZ_FLAG_SET:
    return htz_flag_set_param(&f, options, settings);
  case HTZ_FLAG_HUMAN:
    return htz_flag_set_human(&f, options, settings);
  case HTZ_FLAG_GAIN:
    return number(&f, &options->gain_db);
  case HTZ_FLAG_BIND:
    return options->n_bind < HTZ_BINDS_MAX ? not_empty(&f, &options->bind[options->n_bind++])
                                           : htz_flag_refuse(&f, "one too many; 32 are allowed");
  case HTZ_FLAG_MPE:
    return set_mpe(&f, options);
  case HTZ_FLAG_MPE_BEND:
    return whole_unsigned(&f, &options->mpe_bend);
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
    return htz_velocity_parse(value, &options->velocity, why, sizeof why) == HTZ_OK || htz_flag_refuse(&f, why);
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
  case HTZ_FLAG_CHANNELS:
    return htz_flag_channels(&f, options);
  case HTZ_FLAG_INPUT:
    return not_empty(&f, &options->input);
  case HTZ_FLAG_MIDI:
    return add_name(&f, options->midi, &options->n_midi);
  case HTZ_FLAG_MIDI_RAW:
    return add_name(&f, options->midi_raw, &options->n_midi_raw);
  case HTZ_FLAG_MIDI_DELAY:
    return set_switch(&f, (const char* const[]){"constant", "asap"}, &options->midi_asap);
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
  case HTZ_FLAG_TAKES:
    return not_empty(&f, &options->takes);
  case HTZ_FLAG_PREROLL:
    return number(&f, &options->preroll_s);
  case HTZ_FLAG_RECORD_BY:
    return whole(&f, &options->record_by);
  case HTZ_FLAG_MARK_BY:
    return whole(&f, &options->mark_by);
  case HTZ_FLAG_HISTORY:
    return set_history(&f, options);
  case HTZ_FLAG_DURATION:
    return number(&f, &options->duration_s);
  case HTZ_FLAG_LIMITER:
    return set_switch(&f, (const char* const[]){"off", "on"}, &options->limiter);
  case HTZ_FLAG_FAIL_ON:
    return set_fail_on(&f, options);
  case HTZ_FLAG_OSC:
    return whole_unsigned(&f, &options->osc_port);
  case HTZ_FLAG_OSC_BIND:
    return not_empty(&f, &options->osc_bind);
  case HTZ_FLAG_CONTROL:
    options->control = value ? value : "";
    return !value || not_empty(&f, &options->control);
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
    return set_goal(&f, HTZ_GOAL_PEAK, options);
  case HTZ_FLAG_LOUDNESS:
    return set_goal(&f, HTZ_GOAL_LOUDNESS, options);
  case HTZ_FLAG_STEMS:
    options->stems = strcmp(value, "channel") == 0;
    return options->stems || htz_flag_refuse(&f, "there are stems of each channel; --stems channel");
  case HTZ_FLAG_DIALLED:
    return set_switch(&f, (const char* const[]){"off", "on"}, &options->dialled) && of_songs(&f, options);
  case HTZ_FLAG_STRICT:
    options->strict = true;
    return of_songs(&f, options);
  case HTZ_FLAG_JOBS:
    return whole_unsigned(&f, &options->jobs);
  case HTZ_FLAG_DRY_RUN:
    options->dry_run = true;
    return true;
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
  case HTZ_FLAG_KEYS:
    return set_keys(&f, options);
  case HTZ_FLAG_TRY_VELOCITY:
    return set_velocities(&f, options);
  case HTZ_FLAG_FORCE:
    options->force = true;
    return true;
  case HTZ_FLAG_CONFIG:
    return *value || htz_flag_refuse(&f, "is empty"); // read before the flags are
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

#include "options_private.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* `-s PARAM=VALUE`, and what it and every other flag refuse. */

enum { SHOWN_MAX = 100 }; // bytes of a value in a message

bool htz_flag_refuse(const htz_flag_use* f, const char* what) {
  const size_t length = strlen(f->shown);
  const bool joined = length > 0 && f->shown[length - 1] == '=';
  // A value that is empty has to be seen all the same.
  snprintf(f->result->error, sizeof f->result->error, "%s%s%.*s: %s", f->shown, joined ? "" : " ", SHOWN_MAX,
           f->value[0] || joined ? f->value : "\"\"", what);
  return false;
}

bool htz_flag_number(const htz_flag_use* f, double low, double high, bool whole, double* out) {
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
  return htz_flag_refuse(f, what);
}

static bool unknown_param(const htz_flag_use* f, const char* name) {
  const char* names[HTZ_PARAM_NAMED];
  char text[HTZ_USAGE_TEXT / 2];
  for (unsigned i = 0; i < HTZ_PARAM_NAMED; i++) {
    names[i] = htz_instrument_params[i].name;
  }
  const char* near = htz_suggest(name, names, HTZ_PARAM_NAMED);
  for (unsigned i = 0; i < HTZ_PARAM_NAMED; i++) {
    const char* field = strrchr(names[i], '.');
    near = field && strcasecmp(field + 1, name) == 0 ? names[i] : near; // what it is a part of was left out
  }
  size_t used = 0;
  if (near) {
    used = (size_t)snprintf(text, sizeof text, "unknown parameter, did you mean %s? There are", near);
  } else {
    used = (size_t)snprintf(text, sizeof text, "unknown parameter; there are");
  }
  for (unsigned i = 0; i < HTZ_PARAM_NAMED && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "", names[i]);
  }
  return htz_flag_refuse(f, text);
}

/** None of the words of a choice. */
static bool refuse_word(const htz_flag_use* f, const char* const* words) {
  char text[HTZ_USAGE_TEXT / 2];
  size_t used = (size_t)snprintf(text, sizeof text, "must be");
  for (size_t i = 0; words[i] && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? " or" : "", words[i]);
  }
  return htz_flag_refuse(f, text);
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
static bool set_own(const htz_flag_use* f, const char* name, htz_options* options, htz_setting* settings) {
  htz_setting setting = {.param = HTZ_PARAM_COUNT};
  strcpy(setting.name, name);
  if (!htz_flag_number(f, -HUGE_VAL, HUGE_VAL, false, &setting.value)) {
    return false;
  }
  settings[options->n_settings++] = setting;
  return true;
}

bool htz_flag_set_param(const htz_flag_use* f, htz_options* options, htz_setting* settings) {
  enum { NAME_MAX_BYTES = HTZ_SETTING_NAME };
  const char* equals = strchr(f->value, '=');
  const size_t length = equals ? (size_t)(equals - f->value) : 0;
  if (!equals || length == 0 || length >= NAME_MAX_BYTES) {
    return htz_flag_refuse(f, "not of the form PARAM=VALUE");
  }
  char name[NAME_MAX_BYTES];
  memcpy(name, f->value, length);
  name[length] = '\0';
  const size_t index = param_like(name);
  if (index == HTZ_PARAM_NAMED && may_be_own(name)) {
    htz_flag_use of_value = *f;
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
  htz_flag_use of_value = *f;
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
  if (!htz_flag_number(&of_value, desc->minimum, desc->maximum, desc->scale == HTZ_SCALE_STEPS, &setting.value)) {
    return false;
  }
  settings[options->n_settings++] = setting;
  return true;
}

bool htz_flag_set_human(const htz_flag_use* f, htz_options* options, htz_setting* settings) {
  char text[HTZ_NUMBER_TEXT + sizeof "human="], number[HTZ_NUMBER_TEXT];
  double share = 0.0;
  if (!htz_flag_number(f, f->flag->low, f->flag->high, false, &share)) {
    return false;
  }
  snprintf(text, sizeof text, "human=%s", htz_number_text(share, number));
  const htz_flag_use set = {&htz_flags[HTZ_FLAG_SET], f->shown, text, f->result};
  return htz_flag_set_param(&set, options, settings);
}

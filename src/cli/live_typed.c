#include "live_typed.h"

#include "live_commands.h"
#include "live_session.h"

#include "hertzian/instrument/catalog.h"
#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shown_s = 3.0; // [s]

enum { STEPS = 40, WORD = 160 }; // left and right move a parameter by that part of its range

static void show(htz_session* session, const char* text, double now_s) {
  snprintf(session->typed.text, sizeof session->typed.text, "%s", text);
  session->typed.said_s = now_s;
}

const char* htz_typed_text(const htz_session* session, double now_s) {
  return now_s - session->typed.said_s < shown_s ? session->typed.text : "";
}

/** As `hertzian ctl` would have it. @return whether it was done; if not, why is shown */
static bool command(htz_session* session, const char* const* words, size_t n, double now_s) {
  htz_control_reply reply = {0};
  htz_live_request request = {.words = words, .n = n, .reply = &reply};
  if (!htz_live_command_at_once(session, &request)) {
    htz_live_command(session, &request);
  }
  if (reply.text) {
    reply.text[strcspn(reply.text, "\n")] = '\0';
  }
  if (reply.code != HTZ_EXIT_DONE || n > 1) {
    show(session, reply.text ? reply.text : "", now_s);
  }
  free(reply.text);
  return reply.code == HTZ_EXIT_DONE;
}

/** One that left and right can move: a number that the instrument has a use for. */
static bool can_move(const htz_spec* spec, size_t param) {
  const htz_param_desc desc = htz_spec_param(spec, param);
  return htz_spec_param_used(spec, param) && !htz_spec_param_words(spec, param) && desc.maximum > desc.minimum;
}

static void begin(htz_session* session, const htz_spec* spec) {
  htz_typed* typed = &session->typed;
  typed->known = true;
  typed->param = HTZ_PARAM_NAMED;
  for (size_t p = 0; p < HTZ_PARAM_NAMED; p++) {
    typed->value[p] = htz_spec_param_initial(spec, p);
  }
  for (size_t i = 0; i < session->options->n_settings; i++) {
    const htz_setting* setting = &session->options->settings[i];
    const size_t p = htz_setting_param(setting, spec);
    if (p < HTZ_PARAM_NAMED) {
      typed->value[p] = setting->value;
    }
  }
}

static void show_param(htz_session* session, const htz_spec* spec, double now_s) {
  const htz_typed* typed = &session->typed;
  char text[HTZ_TYPED_TEXT], number[HTZ_NUMBER_TEXT];
  const htz_param_desc desc = htz_spec_param(spec, typed->param);
  const bool known = isfinite(typed->value[typed->param]);
  snprintf(text, sizeof text, "%.40s %s %.20s", desc.name,
           known ? htz_number_text(typed->value[typed->param], number) : "as each key's", known ? desc.unit : "");
  show(session, text, now_s);
}

static void choose(htz_session* session, const htz_spec* spec, int step, double now_s) {
  htz_typed* typed = &session->typed;
  size_t param = typed->param;
  for (size_t i = 0; i < HTZ_PARAM_NAMED; i++) {
    param = param >= HTZ_PARAM_NAMED
                ? (step > 0 ? 0 : HTZ_PARAM_NAMED - 1)
                : (param + HTZ_PARAM_NAMED + (size_t)(step > 0 ? 1 : HTZ_PARAM_NAMED - 1)) % HTZ_PARAM_NAMED;
    if (can_move(spec, param)) {
      typed->param = param;
      show_param(session, spec, now_s);
      return;
    }
  }
  show(session, "nothing to move on this instrument", now_s);
}

static double moved(const htz_param_desc* desc, double from, int step) {
  const bool log_scale = desc->scale == HTZ_SCALE_LOG && desc->minimum > 0.0;
  double to = from + step * (desc->maximum - desc->minimum) / STEPS;
  if (log_scale) {
    to = from * pow(desc->maximum / desc->minimum, (double)step / STEPS);
  } else if (desc->scale == HTZ_SCALE_STEPS) {
    to = round(from) + step;
  }
  return htz_param_clamp(desc, to);
}

static void move(htz_session* session, const htz_spec* spec, int step, double now_s) {
  htz_typed* typed = &session->typed;
  char text[WORD], number[HTZ_NUMBER_TEXT];
  if (typed->param >= HTZ_PARAM_NAMED) {
    choose(session, spec, 1, now_s);
  }
  if (typed->param >= HTZ_PARAM_NAMED) {
    return;
  }
  const htz_param_desc desc = htz_spec_param(spec, typed->param);
  const double middle = desc.scale == HTZ_SCALE_LOG && desc.minimum > 0.0 ? sqrt(desc.minimum * desc.maximum)
                                                                          : 0.5 * (desc.minimum + desc.maximum);
  const double from = isfinite(typed->value[typed->param]) ? typed->value[typed->param] : middle;
  const double to = moved(&desc, from, step);
  snprintf(text, sizeof text, "%.100s=%s", desc.name, htz_number_text(to, number));
  if (command(session, (const char* const[]){"set", text}, 2, now_s)) {
    typed->value[typed->param] = to;
    show_param(session, spec, now_s);
  }
}

/** The instruments that digits choose: the one that plays, then those that are made for a program, by the program. */
static void find_instruments(htz_session* session) {
  htz_typed* typed = &session->typed;
  htz_spec_catalog catalog;
  const char* main = session->orchestra.role[0].spec->id;
  snprintf(typed->instrument[typed->n_instruments++], HTZ_TYPED_TEXT, "%s", main);
  if (htz_spec_list_heads(&catalog)) {
    return;
  }
  for (unsigned program = 0; program < HTZ_PROGRAMS && typed->n_instruments < HTZ_TYPED_INSTRUMENTS; program++) {
    const htz_spec_entry* entry = htz_spec_for_program(&catalog, false, program);
    bool listed = !entry;
    for (size_t i = 0; entry && i < typed->n_instruments; i++) {
      listed = listed || strcmp(typed->instrument[i], entry->id) == 0;
    }
    if (!listed) {
      snprintf(typed->instrument[typed->n_instruments++], HTZ_TYPED_TEXT, "%s", entry->id);
    }
  }
  htz_spec_list_free(&catalog);
}

static void list_keys(htz_session* session) {
  char line[2 * HTZ_TYPED_INSTRUMENTS * HTZ_TYPED_TEXT];
  size_t used = 0;
  line[0] = '\0';
  for (size_t i = 0; i < session->typed.n_instruments && used < sizeof line; i++) {
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%zu %s", i ? ", " : "", (i + 1) % HTZ_TYPED_INSTRUMENTS,
                             session->typed.instrument[i]);
  }
  htz_session_say(session, HTZ_LOG_NOTICE, "keys: q ends, %s, x silence, r record, up and down a parameter, + and - %smove it",
                  session->songs.n > 0 ? "space pauses, b and n another song" : "space silence",
                  session->songs.n > 0 ? "" : "or the arrows ");
  htz_session_say(session, HTZ_LOG_NOTICE, "digits: %s", line);
}

static void choose_instrument(htz_session* session, unsigned digit, double now_s) {
  htz_typed* typed = &session->typed;
  const size_t number = (digit + HTZ_TYPED_INSTRUMENTS - 1) % HTZ_TYPED_INSTRUMENTS; // 0 is the tenth
  if (number < typed->n_instruments) {
    command(session, (const char* const[]){"instrument", typed->instrument[number]}, 2, now_s);
  }
}

void htz_typed_obey(htz_session* session, htz_key_pressed key, double now_s) {
  const htz_spec* spec = session->orchestra.role[0].spec;
  const bool songs = session->songs.n > 0;
  if (!session->typed.known) {
    begin(session, spec);
  }
  if ((key == HTZ_KEY_HELP || key >= HTZ_KEY_DIGIT) && session->typed.n_instruments == 0) {
    find_instruments(session);
  }
  if (key == HTZ_KEY_SILENCE || (key == HTZ_KEY_PAUSE && !songs)) {
    command(session, (const char* const[]){"panic"}, 1, now_s);
    show(session, "silence", now_s);
  } else if (key == HTZ_KEY_RECORD) {
    command(session, (const char* const[]){"record", session->takes.recording ? "stop" : "start"}, 2, now_s);
  } else if (key == HTZ_KEY_UP || key == HTZ_KEY_DOWN) {
    choose(session, spec, key == HTZ_KEY_UP ? -1 : 1, now_s);
  } else if (key == HTZ_KEY_MORE || (key == HTZ_KEY_RIGHT && !songs)) {
    move(session, spec, 1, now_s);
  } else if (key == HTZ_KEY_LESS || (key == HTZ_KEY_LEFT && !songs)) {
    move(session, spec, -1, now_s);
  } else if (key == HTZ_KEY_HELP) {
    list_keys(session);
  } else if (key >= HTZ_KEY_DIGIT) {
    choose_instrument(session, (unsigned)(key - HTZ_KEY_DIGIT), now_s);
  }
}

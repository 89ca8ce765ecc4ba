#include "exit_code.h"
#include "json.h"
#include "options.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/io/audio.h"
#include "hertzian/io/machine.h"
#include "hertzian/io/midi_in.h"
#include "hertzian/lab/load.h"

#include <stdlib.h>
#include <string.h>

/* Whether it will work here: what the system allows, what is plugged in, and whether the machine is fast enough. */

enum { TEXT = 512, ROWS = 8 };

typedef struct {
  const char* what;
  bool good;
  bool needed; ///< without it nothing is heard
  char found[TEXT];
  char advice[TEXT]; ///< what to do, or ""
} row;

typedef struct {
  const htz_options* options;
  size_t n;
  row rows[ROWS];
  htz_load load;
} report;

static row* add(report* r, const char* what, bool good) {
  row* added = &r->rows[r->n++];
  *added = (row){.what = what, .good = good};
  return added;
}

static void look_at_priority(report* r) {
  char hint[HTZ_MACHINE_HINT];
  const int priority = htz_machine_priority(hint);
  row* added = add(r, "real-time priority", priority > 0);
  if (priority > 0) {
    snprintf(added->found, TEXT, "yes, %d", priority);
  } else {
    snprintf(added->found, TEXT, "no: other programs can hold the sound up");
    snprintf(added->advice, TEXT, "%s", hint);
  }
}

static void look_at_memory(report* r) {
  char hint[HTZ_MACHINE_HINT];
  row* added = add(r, "locked memory", htz_machine_may_lock(hint));
  snprintf(added->found, TEXT, added->good ? "yes" : "no: memory that was swapped out makes a gap");
  snprintf(added->advice, TEXT, "%s", hint);
}

static void look_at_governor(report* r) {
  char name[32], hint[HTZ_MACHINE_HINT];
  const bool known = htz_machine_governor(name, hint);
  row* added = add(r, "processor speed", !known || !hint[0]);
  snprintf(added->found, TEXT, known ? "governor %s" : "this system does not say how it is chosen", name);
  snprintf(added->advice, TEXT, "%s", hint);
}

static htz_status look_at_audio(report* r) {
  htz_audio_device* list = NULL;
  size_t n = 0;
  const htz_status status = htz_audio_list(&list, &n);
  const htz_audio_device* usual = NULL;
  for (size_t i = 0; i < n; i++) {
    usual = list[i].preferred ? &list[i] : usual;
  }
  row* added = add(r, "audio output", usual != NULL);
  added->needed = true;
  if (usual) {
    snprintf(added->found, TEXT, "%s (%s)", usual->name, usual->api);
  } else if (n > 0) {
    snprintf(added->found, TEXT, "none that others could use at the same time; of its own would be %s", list[0].name);
    snprintf(added->advice, TEXT, "name one with -a; hertzian devices lists them");
  } else {
    snprintf(added->found, TEXT, "none");
    snprintf(added->advice, TEXT, "connect one, or load its driver; hertzian render needs none");
  }
  free(list);
  return status;
}

static htz_status look_at_midi(report* r) {
  htz_midi_port* list = NULL;
  size_t n = 0, used = 0, chosen = 0;
  char why[TEXT / 2];
  const htz_status status = htz_midi_list(&list, &n, why, sizeof why);
  row* added = add(r, "MIDI input", false);
  for (size_t i = 0; i < n && used < TEXT; i++) {
    if (list[i].preferred) {
      used += (size_t)snprintf(added->found + used, TEXT - used, "%s%s", chosen++ ? ", " : "", list[i].name);
    }
  }
  added->good = chosen > 0;
  if (!added->good) {
    snprintf(added->found, TEXT, "none%s%s", why[0] ? ": " : "", why);
    snprintf(added->advice, TEXT, "connect a keyboard, now or while hertzian plays; songs need none");
  }
  free(list);
  return status;
}

static void judge(const htz_options* o, const htz_spec* spec, const htz_load* load, row* out) {
  const bool fits = load->frames > 0 && load->frames <= o->buffer;
  out->good = fits || (o->buffer < load->frames && load->frames == 64);
  snprintf(out->found, TEXT,
           "%s at %.9g Hz: ten-note chords, %u keys ringing, take %.0f %% of the time, the worst block of %u frames %.0f %%",
           spec->id, o->rate_hz, load->ringing, 100.0 * load->mean, o->buffer, 100.0 * load->worst);
  if (load->frames == 0) {
    snprintf(out->advice, TEXT,
             "too much for this machine: when many keys ring the quietest are damped; %stry others with hertzian check -i NAME",
             htz_spec_two_way(spec) ? "-s board=one-way takes less, or " : "");
  } else if (!out->good) {
    snprintf(out->advice, TEXT, "take a larger buffer: -b %u", load->frames);
  } else if (load->disturbed > 1.0 && load->worst < 0.7) {
    snprintf(out->advice, TEXT, "other programs held it up for longer than a block lasts: end them, or see real-time priority");
  }
}

static int look_at_speed(report* r) {
  const htz_options* o = r->options;
  htz_orchestra orchestra;
  const char* why = "";
  int code =
      htz_exit_for_input(htz_orchestra_load(&orchestra, o->orchestra.instrument ? o->orchestra.instrument : "piano", o->log));
  if (code) {
    return code;
  }
  const htz_spec* spec = orchestra.fallback;
  const htz_status status = htz_load_measure(spec, o->rate_hz, o->buffer, &r->load, &why);
  if (status) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s%s%s", spec->id, htz_status_text(status), why && why[0] ? ": " : "",
                why ? why : "");
  } else {
    judge(o, spec, &r->load, add(r, "speed", true));
  }
  htz_orchestra_free(&orchestra);
  return htz_exit_for_input(status);
}

static void print_text(const report* r) {
  for (size_t i = 0; i < r->n; i++) {
    const row* at = &r->rows[i];
    printf("%-4s %-19s %s\n", at->good ? "ok" : "!", at->what, at->found);
    if (at->advice[0]) {
      printf("%24s -> %s\n", "", at->advice);
    }
  }
}

static void print_json(const report* r) {
  enum { DIGITS = 4 };
  fputs("{\"checks\": [", stdout);
  for (size_t i = 0; i < r->n; i++) {
    const row* at = &r->rows[i];
    fputs(i ? ",\n  {\"what\": " : "\n  {\"what\": ", stdout);
    htz_json_string(stdout, at->what);
    printf(", \"ok\": %s, \"found\": ", at->good ? "true" : "false");
    htz_json_string(stdout, at->found);
    fputs(", \"advice\": ", stdout);
    htz_json_string(stdout, at->advice[0] ? at->advice : NULL);
    fputs("}", stdout);
  }
  fputs("],\n \"load_mean\": ", stdout);
  htz_json_number(stdout, r->load.mean, DIGITS);
  fputs(", \"load_worst\": ", stdout);
  htz_json_number(stdout, r->load.worst, DIGITS);
  printf(", \"buffer\": %u, \"buffer_that_fits\": ", r->options->buffer);
  printf(r->load.frames ? "%u}\n" : "null}\n", r->load.frames);
}

int htz_cmd_check(const htz_options* options) {
  report r = {.options = options};
  if (options->n_args > 0) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "check: %s: takes no argument; name an instrument with -i", options->args[0]);
    return HTZ_EXIT_USAGE;
  }
  look_at_priority(&r);
  look_at_memory(&r);
  look_at_governor(&r);
  htz_status status = look_at_audio(&r);
  status = status ? status : look_at_midi(&r);
  if (status) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "check: %s", htz_status_text(status));
    return HTZ_EXIT_INTERNAL;
  }
  int code = look_at_speed(&r);
  if (code == HTZ_EXIT_DONE && options->json) {
    print_json(&r);
  } else if (code == HTZ_EXIT_DONE) {
    print_text(&r);
  }
  for (size_t i = 0; i < r.n && code == HTZ_EXIT_DONE; i++) {
    code = r.rows[i].needed && !r.rows[i].good ? HTZ_EXIT_DEVICE : code;
  }
  return code;
}

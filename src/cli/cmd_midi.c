#include "binds.h"
#include "exit_code.h"
#include "json.h"
#include "live_signals.h"
#include "midi_dump.h"
#include "midi_words.h"
#include "whole_file.h"

#include "hertzian/io/audio.h"
#include "hertzian/io/midi_in.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Listening without playing: events in words, and the controller that moves. */

static const double glance_s = 0.01; // [s] between two looks at the rings

enum { PATH = 1024, REMARK = 256, TRAVEL_LEAST = 8 }; // a knob that is meant moves by more than its noise

typedef struct {
  const htz_options* options;
  htz_signals signals;
  htz_ring rings[HTZ_MIDI_SOURCES_MAX];
  htz_midi_parser parser[HTZ_MIDI_SOURCES_MAX];
  htz_arena memory;
  htz_midi_in* midi;
  double began_s;
  htz_bind bind; // to be learnt
  uint8_t least[HTZ_CONTROL_PRESSURE + 1], most[HTZ_CONTROL_PRESSURE + 1];
  bool heard[HTZ_CONTROL_PRESSURE + 1], refused[HTZ_CONTROL_PRESSURE + 1];
} listener;

/** @return true when that is all that is wanted */
typedef bool (*hear)(listener* l, size_t source, const htz_midi_stamped* stamp, const htz_midi_message* m);

static htz_status lay(listener* l, htz_arena* arena) {
  htz_status status = HTZ_OK;
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX && !status; i++) {
    status = htz_ring_init(&l->rings[i], HTZ_MIDI_RING, sizeof(htz_midi_stamped), arena);
  }
  return status;
}

static int open_inputs(listener* l) {
  const htz_options* options = l->options;
  htz_arena sizes;
  char remark[REMARK] = "";
  htz_arena_measure(&sizes);
  htz_status status = lay(l, &sizes);
  status = status ? status : htz_arena_init(&l->memory, sizes.used);
  htz_arena_free(&sizes);
  status = status ? status : lay(l, &l->memory);
  if (status) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(status));
    return HTZ_EXIT_INTERNAL;
  }
  const htz_midi_wish wish = {.names = options->midi,
                              .n_names = options->n_midi,
                              .raw = options->midi_raw,
                              .n_raw = options->n_midi_raw,
                              .hotplug = options->hotplug,
                              .verbose = options->verbosity > 0};
  status = htz_midi_in_open(&wish, l->rings, NULL, NULL, &l->midi, remark, sizeof remark);
  if (status) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", remark);
    return htz_exit_for(status, HTZ_EXIT_DEVICE);
  }
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = htz_midi_in_sources(l->midi, sources);
  if (n == 0) {
    htz_log_say(options->log, HTZ_LOG_NOTICE, "waiting for a MIDI device%s%s", remark[0] ? ": " : "", remark);
  }
  for (size_t i = 0; i < n; i++) {
    htz_log_say(options->log, HTZ_LOG_NOTICE, "listening to \"%s\"", sources[i].name);
  }
  return HTZ_EXIT_DONE;
}

/** Take what there is. @return true when `with` is content */
static bool drain(listener* l, hear with) {
  htz_midi_stamped stamp;
  htz_midi_message m;
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; i++) {
    while (htz_ring_pop(&l->rings[i], &stamp)) {
      if (stamp.kind == HTZ_MIDI_IN_LOST) {
        htz_midi_parser_reset(&l->parser[i]);
        continue;
      }
      for (bool more = htz_midi_parser_feed(&l->parser[i], stamp.byte, 0, &m); more;
           more = htz_midi_parser_more(&l->parser[i], 0, &m)) {
        if (with(l, i, &stamp, &m)) {
          return true;
        }
      }
    }
  }
  return false;
}

/** Listen until `with` is content, the input ends, time is up or a signal comes. @return whether it was */
static bool listen_to(listener* l, hear with) {
  while (atomic_load_explicit(&l->signals.stop, memory_order_relaxed) == 0) {
    const bool ended = htz_midi_in_ended(l->midi); // asked before the rings are found empty
    if (drain(l, with)) {
      return true;
    }
    fflush(stdout);
    if (ended || htz_audio_now() - l->began_s >= l->options->duration_s) {
      break;
    }
    htz_signals_wait(&l->signals, glance_s);
  }
  return false;
}

static bool print_event(listener* l, size_t source, const htz_midi_stamped* stamp, const htz_midi_message* m) {
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  char text[HTZ_MIDI_WORDS];
  const size_t n = htz_midi_in_sources(l->midi, sources);
  const char* name = source < n ? sources[source].name : "?";
  const double at_s = fmax(stamp->time_s - l->began_s, 0.0);
  htz_midi_words(m, text);
  if (l->options->json) {
    printf("{\"time_s\": ");
    htz_json_number(stdout, at_s, 6);
    printf(", \"source\": ");
    htz_json_string(stdout, name);
    printf(", \"status\": %u, \"data1\": %u, \"data2\": %u, \"words\": ", m->status, m->data1, m->data2);
    htz_json_string(stdout, text);
    printf("}\n");
  } else if (n > 1) {
    printf("%9.3f  %-20.20s  %s\n", at_s, name, text);
  } else {
    printf("%9.3f  %s\n", at_s, text);
  }
  return ferror(stdout) != 0;
}

static bool learn_event(listener* l, size_t source, const htz_midi_stamped* stamp, const htz_midi_message* m) {
  (void)source;
  (void)stamp;
  const uint8_t kind = m->status & HTZ_MIDI_KIND_MASK;
  if (kind != HTZ_MIDI_CONTROL && kind != HTZ_MIDI_CHANNEL_PRESSURE) {
    return false;
  }
  const unsigned cc = kind == HTZ_MIDI_CONTROL ? m->data1 : HTZ_CONTROL_PRESSURE;
  const uint8_t value = kind == HTZ_MIDI_CONTROL ? m->data2 : m->data1;
  if (cc >= 120 && cc != HTZ_CONTROL_PRESSURE) {
    return false; // channel mode messages move nothing
  }
  if (htz_bind_is_reserved(cc) && !l->options->force) {
    if (!l->refused[cc]) {
      htz_log_say(l->options->log, HTZ_LOG_NOTICE, "controller %u (%s) is left what it is; --force binds it", cc,
                  htz_midi_controller_name(cc));
    }
    l->refused[cc] = true;
    return false;
  }
  l->least[cc] = !l->heard[cc] || value < l->least[cc] ? value : l->least[cc];
  l->most[cc] = !l->heard[cc] || value > l->most[cc] ? value : l->most[cc];
  l->heard[cc] = true;
  l->bind.cc = (uint8_t)cc;
  return l->most[cc] - l->least[cc] >= TRAVEL_LEAST;
}

/** The folder of `path`, and the one above it, which may not be there yet. */
static void make_folders(const char* path) {
  char folder[HTZ_PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  char* last = strrchr(folder, '/');
  if (!last) {
    return;
  }
  *last = '\0';
  char* above = strrchr(folder, '/');
  if (above) {
    *above = '\0';
    mkdir(folder, 0777);
    *above = '/';
  }
  mkdir(folder, 0777); // what could not be made is said when the file cannot
}

/** The lines of `from`, if there is such a file, without those that are replaced, and the new one. @return 0 or an errno */
static int write_lines(const listener* l, FILE* from, FILE* to) {
  char line[PATH], text[PATH];
  htz_bind old;
  bool ok = true;
  while (ok && from && fgets(line, sizeof line, from)) {
    const bool replaced = htz_bind_of_line(line, &old) && (old.cc == l->bind.cc || strcmp(old.name, l->bind.name) == 0);
    ok = replaced || fputs(line, to) >= 0;
  }
  htz_bind_text(&l->bind, text, sizeof text);
  ok = ok && !(from && ferror(from)) && fprintf(to, "%s\n", text) > 0;
  return ok ? 0 : errno ? errno : EIO;
}

/** Write the file with the line of this controller, and of this parameter, replaced by the new one: whole, or left as it was. */
static int keep(const listener* l, const char* path) {
  htz_whole_file to;
  FILE* from = fopen(path, "r");
  int fault = !from && errno != ENOENT ? errno : 0; // what is there and cannot be read is not to be lost
  const char* why = NULL;
  if (!fault) {
    make_folders(path);
    fault = htz_whole_open(&to, path);
    why = to.why;
  }
  if (!fault) {
    errno = 0;
    fault = write_lines(l, from, to.stream);
    const int end = htz_whole_close(&to, !fault);
    why = to.why;
    fault = fault ? fault : end;
  }
  if (from) {
    fclose(from);
  }
  if (fault) {
    return htz_whole_say(l->options->log, path, fault, why);
  }
  htz_log_say(l->options->log, HTZ_LOG_NOTICE, "kept in %s; play, record and render take it from there unless --bind is given",
              path);
  return HTZ_EXIT_DONE;
}

/** What is to be bound: a parameter of the instrument, or of any, and how far it goes. */
static int find_parameter(listener* l, const char* text) {
  htz_orchestra orchestra;
  htz_options binding = *l->options;
  char with_cc[HTZ_USAGE_TEXT];
  snprintf(with_cc, sizeof with_cc, "1=%s", text);
  binding.bind[0] = with_cc;
  binding.n_bind = 1;
  binding.n_binds = 0;
  int code = htz_binds_load(&binding);
  if (code) {
    return code;
  }
  l->bind = binding.binds[0];
  code = htz_exit_for_input(htz_orchestra_load(&orchestra, l->options->orchestra.instrument, l->options->log));
  code = code ? code : htz_binds_check(&binding, &orchestra);
  htz_orchestra_free(&orchestra);
  return code;
}

static int learn(listener* l) {
  char path[HTZ_PATH_MAX], text[PATH];
  const htz_options* options = l->options;
  if (options->n_args != 2) {
    htz_log_say(options->log, HTZ_LOG_ERROR,
                "midi learn: one parameter is learnt at a time: hertzian midi learn mallet.hardness");
    return HTZ_EXIT_USAGE;
  }
  if (options->output) {
    snprintf(path, sizeof path, "%s", options->output);
  } else if (!htz_binds_path(path)) {
    htz_log_say(options->log, HTZ_LOG_ERROR,
                "no place for the file of controllers: neither XDG_CONFIG_HOME nor HOME is set; -o FILE says where");
    return HTZ_EXIT_OUTPUT;
  }
  int code = find_parameter(l, options->args[1]);
  code = code ? code : open_inputs(l);
  if (code) {
    return code;
  }
  htz_log_say(options->log, HTZ_LOG_NOTICE, "move the controller that is to move %s", l->bind.name);
  if (!listen_to(l, learn_event)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "no controller was moved; nothing is bound");
    return HTZ_EXIT_DEVICE;
  }
  l->bind.pickup = true;
  htz_bind_text(&l->bind, text, sizeof text);
  printf("%s\n", text);
  return keep(l, path);
}

int htz_cmd_midi(const htz_options* options) {
  const bool monitors = options->n_args == 1 && strcmp(options->args[0], "monitor") == 0;
  const bool learns = options->n_args > 0 && strcmp(options->args[0], "learn") == 0;
  if (options->n_args == 2 && strcmp(options->args[0], "dump") == 0) {
    return htz_midi_dump(options, options->args[1]);
  }
  if (options->n_args > 0 && strcmp(options->args[0], "dump") == 0) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "midi dump: which song? hertzian midi dump SONG.mid shows one");
    return HTZ_EXIT_USAGE;
  }
  if (!monitors && !learns) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "midi%s%s: there are midi monitor, midi learn PARAM and midi dump SONG.mid",
                options->n_args > 0 ? " " : "", options->n_args > 0 ? options->args[0] : "");
    return HTZ_EXIT_USAGE;
  }
  listener* l = calloc(1, sizeof *l);
  if (!l || htz_signals_open(&l->signals)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(l ? HTZ_NO_THREAD : HTZ_NO_MEMORY));
    free(l);
    return HTZ_EXIT_INTERNAL;
  }
  l->options = options;
  l->began_s = htz_audio_now();
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; i++) {
    htz_midi_parser_init(&l->parser[i]);
  }
  int code = HTZ_EXIT_DONE;
  if (learns) {
    code = learn(l);
  } else {
    code = open_inputs(l);
    if (code == HTZ_EXIT_DONE) {
      listen_to(l, print_event);
    }
  }
  htz_midi_in_close(l->midi);
  htz_signals_close(&l->signals);
  htz_arena_free(&l->memory);
  free(l);
  return code;
}

#include "live_dial.h"

#include "exit_code.h"
#include "live_session.h"
#include "options_private.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/number.h"
#include "hertzian/instrument/performance_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { EVERY_CHANNEL = 0xFFFF, WORD = 160 };

// ---- instruments

/** A file that is named is the same from everywhere. */
static void words_for(const char* word, uint16_t channels, const char* name, char text[HTZ_DIAL_WORDS]) {
  char channel[4] = "all";
  struct stat info;
  const bool file = strpbrk(name, "./") && stat(name, &info) == 0 && S_ISREG(info.st_mode);
  char* whole = file ? realpath(name, NULL) : NULL;
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS && channels != EVERY_CHANNEL; c++) {
    if (channels == 1u << c) {
      snprintf(channel, sizeof channel, "%u", c + 1);
    }
  }
  snprintf(text, HTZ_DIAL_WORDS, "%s %s %s", word, channel, whole ? whole : name);
  free(whole);
}

// Faults are said where hertzian runs, too; whoever asked gets the first.
static int turn(htz_session* session, const char* name, bool anew, uint16_t channels, FILE* out) {
  uint8_t cast = 0;
  const char* why = NULL;
  char* said = NULL;
  size_t size = 0;
  FILE* heard = open_memstream(&said, &size);
  htz_log log = *session->options->log;
  log.file = heard;
  htz_report_clear_status(session);
  htz_status status = heard ? htz_orchestra_add(&session->orchestra, name, anew, &cast, &log) : HTZ_NO_MEMORY;
  if (heard) {
    fclose(heard);
  }
  if (status) {
    const char* fault = said ? strstr(said, ": ") : NULL; // behind the time and the level
    fprintf(out, "%s\n", fault ? fault + 2 : htz_status_text(status));
    free(said);
    return htz_exit_for_input(status);
  }
  free(said);
  char text[HTZ_DIAL_WORDS];
  words_for(anew ? "again" : "instrument", channels, name, text);
  const uint32_t words = htz_history_say(session->takes.history, text);
  status = htz_live_pool_turn(&session->pool, &session->orchestra, cast, channels, words, &why);
  if (status) {
    fprintf(out, "%s: %s\n", name,
            why                  ? why
            : status == HTZ_FULL ? "no audio device takes it now; try again"
                                 : htz_status_text(status));
    return htz_exit_for_input(status);
  }
  fprintf(out, "playing %s\n", name);
  return HTZ_EXIT_DONE;
}

int htz_live_change_instrument(htz_session* session, const htz_live_request* request, FILE* out) {
  uint16_t channels = (uint16_t)EVERY_CHANNEL;
  if (request->n > 2) {
    double channel = 0.0;
    const char* word = request->words[2];
    if (!htz_number_parse(word, strlen(word), &channel) || channel != floor(channel) || channel < 1.0 ||
        channel > HTZ_MIDI_CHANNELS) {
      fprintf(out, "%.60s: not a channel, 1 to 16\n", word);
      return HTZ_EXIT_USAGE;
    }
    channels = (uint16_t)(1u << ((unsigned)channel - 1));
  }
  return turn(session, request->words[1], false, channels, out);
}

// Whether the file is another than it was when it was read; also when that cannot be found out.
static bool changed(htz_session* session, const char* name) {
  char path[HTZ_PATH_MAX];
  struct stat info;
  struct timespec now;
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  const bool found = diags && htz_spec_find(name, path, diags) == HTZ_OK && stat(path, &info) == 0;
  free(diags);
  const struct timespec* read = &session->read_at;
  const bool same = found && (info.st_ctim.tv_sec < read->tv_sec ||
                              (info.st_ctim.tv_sec == read->tv_sec && info.st_ctim.tv_nsec < read->tv_nsec));
  clock_gettime(CLOCK_REALTIME, &now);
  session->read_at = now;
  return !same;
}

void htz_live_reload(htz_session* session) {
  const char* name = session->options->orchestra.instrument;
  char* said = NULL;
  size_t size = 0;
  // One that is as it was goes on as it is: keys keep what they have been through, and a take is what its MIDI says.
  FILE* out = name && changed(session, name) ? open_memstream(&said, &size) : NULL;
  if (out) {
    const int code = turn(session, name, true, (uint16_t)EVERY_CHANNEL, out);
    fclose(out);
    if (code == HTZ_EXIT_DONE) {
      htz_session_say(session, HTZ_LOG_NOTICE, "read %s again", name);
    }
  }
  free(said);
}

// ---- parameters

static int refuse(const htz_session* session, const char* name, const htz_setting* setting, size_t has, FILE* out) {
  const htz_orchestra* o = &session->orchestra;
  if (has < o->n_roles) {
    char least[HTZ_NUMBER_TEXT], most[HTZ_NUMBER_TEXT];
    const htz_spec* spec = o->role[has].spec;
    const htz_param_desc desc = htz_spec_param(spec, htz_setting_param(setting, spec));
    fprintf(out, "%s: out of range, %s to %s is allowed on %s\n", name, htz_number_text(desc.minimum, least),
            htz_number_text(desc.maximum, most), spec->id);
  } else {
    fprintf(out, "%s: has no effect on what is played\n", name);
  }
  return HTZ_EXIT_USAGE;
}

int htz_live_set(htz_session* session, const htz_live_request* request, FILE* out) {
  char text[2 * WORD];
  htz_options scratch = {0};
  htz_setting setting = {0};
  htz_parse_result result = {.what = HTZ_PARSE_RUN};
  if (request->n > 2) { // as OSC has it
    snprintf(text, sizeof text, "%.*s=%.*s", (int)WORD - 1, request->words[1], (int)WORD - 1, request->words[2]);
  } else {
    snprintf(text, sizeof text, "%s", request->words[1]);
  }
  const htz_flag_use use = {&htz_flags[HTZ_FLAG_SET], "set", text, &result};
  if (!htz_flag_set_param(&use, &scratch, &setting)) {
    fprintf(out, "%s\n", result.error);
    return HTZ_EXIT_USAGE;
  }
  htz_dial_moved moved[HTZ_ROLES_MAX];
  size_t has = 0;
  const size_t n = htz_dial_moves(&session->orchestra, &setting, moved, &has);
  text[strcspn(text, "=")] = '\0';
  if (n == 0) {
    return refuse(session, text, &setting, has, out);
  }
  char words[HTZ_DIAL_WORDS];
  snprintf(words, sizeof words, "set %s %.17g", text, setting.value);
  if (htz_live_pool_set(&session->pool, moved, n, setting.value, htz_history_say(session->takes.history, words))) {
    fprintf(out, "%s: too much was set, or no audio device takes it now\n", text);
    return HTZ_EXIT_DEVICE;
  }
  return HTZ_EXIT_DONE;
}

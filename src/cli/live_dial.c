#include "live_dial.h"

#include "exit_code.h"
#include "live_session.h"
#include "options_private.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/number.h"
#include "hertzian/instrument/performance_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { EVERY_CHANNEL = 0xFFFF, WORD = 160 };

// ---- instruments

static size_t put_channels(uint16_t channels, char* text, size_t size) {
  size_t used = channels == EVERY_CHANNEL ? (size_t)snprintf(text, size, "all") : 0;
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS && channels != EVERY_CHANNEL; c++) {
    if (channels >> c & 1u) {
      used += (size_t)snprintf(text + used, size - used, "%s%u", used ? "," : "", c + 1);
    }
  }
  return used;
}

/** A file that is named is the same from everywhere. @param name NULL: what plays them, each file of it read again */
static void words_for(uint32_t reading, uint16_t channels, const char* name, char text[HTZ_DIAL_WORDS]) {
  struct stat info;
  const bool file = name && strpbrk(name, "./") && stat(name, &info) == 0 && S_ISREG(info.st_mode);
  char* whole = file ? realpath(name, NULL) : NULL;
  size_t used = (size_t)snprintf(text, HTZ_DIAL_WORDS, "%s ", reading > 0 ? "again" : "instrument");
  used += put_channels(channels, text + used, HTZ_DIAL_WORDS - used);
  if (reading > 0) {
    used += (size_t)snprintf(text + used, HTZ_DIAL_WORDS - used, ".%" PRIu32, reading);
  }
  if (name) {
    snprintf(text + used, HTZ_DIAL_WORDS - used, " %s", whole ? whole : name);
  }
  free(whole);
}

/** An instrument or performance on its way to channels. */
typedef struct {
  const char* name; ///< NULL: cast `from` again
  unsigned from;
  bool anew;
  uint16_t channels; ///< bits
} choice;

static const char* name_of(const htz_session* session, const choice* c) {
  const htz_orchestra* o = &session->orchestra;
  return c->name ? c->name : o->role[o->cast[c->from].role[0]].spec->id;
}

// Faults are said where hertzian runs, too; whoever asked gets the first.
static int turn(htz_session* session, const choice* c, FILE* out) {
  htz_orchestra* o = &session->orchestra;
  uint8_t cast = 0;
  const char* why = NULL;
  char* said = NULL;
  size_t size = 0;
  FILE* heard = open_memstream(&said, &size);
  htz_log log = *session->options->log;
  log.file = heard;
  htz_report_clear_status(session);
  const uint32_t reading = c->anew ? htz_orchestra_next_reading(o) : 0;
  htz_status status = !heard    ? HTZ_NO_MEMORY
                      : c->name ? htz_orchestra_add(o, c->name, reading, &cast, &log)
                                : htz_orchestra_add_again(o, c->from, reading, &cast, &log);
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
  words_for(reading, c->channels, c->name, text);
  const uint32_t words = htz_history_say(session->takes.history, text);
  status = htz_live_pool_turn(&session->pool, o, cast, c->channels, words, &why);
  if (status) {
    fprintf(out, "%s: %s\n", name_of(session, c),
            why                  ? why
            : status == HTZ_FULL ? "no audio device takes it now; try again"
                                 : htz_status_text(status));
    return htz_exit_for_input(status);
  }
  fprintf(out, "playing %s\n", name_of(session, c));
  return HTZ_EXIT_DONE;
}

// What channels were told to play last, by its name; without memory the file is read again, and no performance.
static void remember(htz_session* session, const char* name, uint16_t channels) {
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    if (channels >> c & 1u) {
      free(session->chosen[c]);
      session->chosen[c] = strdup(name);
    }
  }
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
  const choice chosen = {.name = request->words[1], .channels = channels};
  const int code = turn(session, &chosen, out);
  if (code == HTZ_EXIT_DONE) {
    remember(session, chosen.name, channels);
  }
  return code;
}

// Whether the file is another than it was when it was read; also when that cannot be found out.
static bool changed(const htz_session* session, const char* path) {
  struct stat info;
  const struct timespec* read = &session->read_at;
  return stat(path, &info) != 0 || info.st_ctim.tv_sec > read->tv_sec ||
         (info.st_ctim.tv_sec == read->tv_sec && info.st_ctim.tv_nsec >= read->tv_nsec);
}

// By which name channel `channel` is played; NULL: by several, one laid beside the other.
static const char* name_of_channel(const htz_session* session, unsigned channel) {
  const htz_orchestra_wish* wish = &session->options->orchestra;
  const char* given = wish->of_channel[channel] ? wish->of_channel[channel] : wish->instrument;
  return session->chosen[channel] ? session->chosen[channel] : wish->n_layers == 0 ? given : NULL;
}

// The instrument's file, or the performance's.
static bool changed_by_name(const htz_session* session, const char* name) {
  char path[HTZ_PATH_MAX];
  bool performance = false;
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  const bool found = diags && htz_orchestra_find(name, path, &performance, diags) == HTZ_OK;
  free(diags);
  return !found || changed(session, path);
}

static bool changed_files(const htz_session* session, unsigned number) {
  const htz_orchestra* o = &session->orchestra;
  bool any = false;
  for (unsigned i = 0; i < o->cast[number].n; i++) {
    any = any || changed(session, o->role[o->cast[number].role[i]].spec->file);
  }
  return any;
}

// One that is as it was goes on as it is: keys keep what they have been through, and a take is what its MIDI says.
static void read_again(htz_session* session, const choice* c) {
  char* said = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&said, &size);
  char name[HTZ_PATH_MAX];
  snprintf(name, sizeof name, "%s", name_of(session, c));
  if (out && turn(session, c, out) == HTZ_EXIT_DONE) {
    htz_session_say(session, HTZ_LOG_NOTICE, "read %s again", name);
  }
  if (out) {
    fclose(out);
  }
  free(said);
}

void htz_live_reload(htz_session* session) {
  const htz_orchestra* o = &session->orchestra;
  choice again[HTZ_MIDI_CHANNELS];
  size_t n = 0;
  uint16_t seen = 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    const uint8_t cast = o->cast_of[channel];
    if (cast == HTZ_CAST_BY_PROGRAM || (seen >> channel & 1u)) {
      continue;
    }
    choice c = {.from = cast, .anew = true};
    for (unsigned other = channel; other < HTZ_MIDI_CHANNELS; other++) {
      c.channels = (uint16_t)(c.channels | (o->cast_of[other] == cast ? 1u << other : 0u));
    }
    seen |= c.channels;
    c.name = name_of_channel(session, channel);
    if (changed_files(session, cast) || (c.name && changed_by_name(session, c.name))) {
      again[n++] = c;
    }
  }
  for (size_t i = 0; i < n; i++) {
    read_again(session, &again[i]);
  }
  session->read_at = now;
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

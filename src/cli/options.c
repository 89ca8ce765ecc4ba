#include "config.h"

#include "hertzian/instrument/diag.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define PLAY (1u << HTZ_CMD_PLAY)
#define LIVE (PLAY | 1u << HTZ_CMD_RECORD)
#define RENDER (1u << HTZ_CMD_RENDER)
#define DEVICES (1u << HTZ_CMD_DEVICES)
#define INSTRUMENTS (1u << HTZ_CMD_INSTRUMENTS)
#define BENCH (1u << HTZ_CMD_BENCH)
#define LAB (1u << HTZ_CMD_LAB)
#define LISTEN (1u << HTZ_CMD_MIDI)
#define CTL (1u << HTZ_CMD_CTL)
#define TRY (1u << HTZ_CMD_TRY)
#define LEVEL (1u << HTZ_CMD_LEVEL)
#define HISTORY (1u << HTZ_CMD_HISTORY)
#define REPAIR (1u << HTZ_CMD_REPAIR)
#define CHECK (1u << HTZ_CMD_CHECK)
#define COMPLETION (1u << HTZ_CMD_COMPLETION)
#define EVERY                                                                                                                  \
  (LIVE | RENDER | DEVICES | INSTRUMENTS | BENCH | LAB | LISTEN | CTL | CHECK | HISTORY | REPAIR | TRY | LEVEL | COMPLETION)

const htz_flag htz_flags[HTZ_FLAG_COUNT] = {
#define HTZ_FLAG(id, name, letter, commands, argument, takes, low, high)                                                       \
  [HTZ_FLAG_##id] = {name, letter, commands, HTZ_ARGUMENT_##argument, takes, low, high},
#include "options_flags.def"
#undef HTZ_FLAG
};

const unsigned htz_config_commands = LIVE | RENDER | DEVICES | LISTEN | CTL | CHECK | HISTORY;

// What files mostly have.
const double htz_usual_rate_hz = 48000.0;

const char* const htz_command_names[HTZ_CMD_COUNT] = {
    [HTZ_CMD_PLAY] = "play",
    [HTZ_CMD_RECORD] = "record",
    [HTZ_CMD_RENDER] = "render",
    [HTZ_CMD_INSTRUMENTS] = "instruments",
    [HTZ_CMD_BENCH] = "bench",
    [HTZ_CMD_LAB] = "lab",
    [HTZ_CMD_HISTORY] = "history",
    [HTZ_CMD_REPAIR] = "repair",
    [HTZ_CMD_DEVICES] = "devices",
    [HTZ_CMD_MIDI] = "midi",
    [HTZ_CMD_CTL] = "ctl",
    [HTZ_CMD_TRY] = "try",
    [HTZ_CMD_LEVEL] = "level",
    [HTZ_CMD_CHECK] = "check",
    [HTZ_CMD_COMPLETION] = "completion",
};

enum { SHOWN_MAX = 64 }; // bytes of a flag in a message

/** Where the reading of the command line stands. */
typedef struct {
  int argc;
  char** argv;
  int next;
  unsigned commands; ///< commands whose flags are known now
  bool named;        ///< the command was written, not understood
  htz_options* options;
  htz_setting* settings;
  htz_parse_result* result;
  htz_config* config; ///< or NULL
} reader;

static htz_flag_id find_long(const char* name, size_t length, unsigned commands) {
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    const htz_flag* flag = &htz_flags[id];
    if (flag->commands & commands && strlen(flag->name) == length && memcmp(flag->name, name, length) == 0) {
      return (htz_flag_id)id;
    }
  }
  return HTZ_FLAG_COUNT;
}

static htz_flag_id find_letter(char letter, unsigned commands) {
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    if (htz_flags[id].commands & commands && htz_flags[id].letter == letter) {
      return (htz_flag_id)id;
    }
  }
  return HTZ_FLAG_COUNT;
}

static bool unknown_flag(const reader* r, const char* shown, const char* word) {
  const char* names[HTZ_FLAG_COUNT];
  size_t n = 0;
  const unsigned commands = r->named ? r->commands : EVERY;
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    if (htz_flags[id].commands & commands) {
      names[n++] = htz_flags[id].name;
    }
  }
  const char* near = word ? htz_suggest(word, names, n) : NULL;
  char hint[SHOWN_MAX] = "";
  for (unsigned c = 0; word && r->named && c < HTZ_CMD_COUNT; c++) {
    if (find_long(word, strlen(word), 1u << c) != HTZ_FLAG_COUNT) {
      snprintf(r->result->error, sizeof r->result->error, "%s: unknown flag of %s; %s has it", shown,
               htz_command_names[r->options->command], htz_command_names[c]);
      return false;
    }
  }
  if (near && strcmp(near, word) != 0) {
    snprintf(hint, sizeof hint, "did you mean --%s?", near);
  } else if (near) {
    snprintf(hint, sizeof hint, "it belongs to another command, see hertzian --help");
  } else {
    snprintf(hint, sizeof hint, "see hertzian %s%s--help", r->named ? htz_command_names[r->options->command] : "",
             r->named ? " " : "");
  }
  snprintf(r->result->error, sizeof r->result->error, "%s: unknown flag; %s", shown, hint);
  return false;
}

static void forget_below(reader* r, htz_flag_id id) {
  if (r->config->from_below[id]) {
    htz_flag_forget(id, r->options);
    r->config->from_below[id] = false;
  }
}

static bool apply(reader* r, htz_flag_id id, const char* shown, const char* value) {
  if (r->config) {
    forget_below(r, id);
    if (id == HTZ_FLAG_NORMALIZE || id == HTZ_FLAG_LOUDNESS) { // two ways to say one thing
      forget_below(r, id == HTZ_FLAG_NORMALIZE ? HTZ_FLAG_LOUDNESS : HTZ_FLAG_NORMALIZE);
    }
  }
  return htz_flag_apply(id, shown, value, r->options, r->settings, r->result);
}

// The argument of a flag that must have one: what is attached, or the next word whatever it looks like.
static bool take_value(reader* r, htz_flag_id id, const char* shown, const char* attached, const char** value) {
  *value = attached;
  if (htz_flags[id].argument == HTZ_ARGUMENT_REQUIRED && !attached) {
    if (r->next >= r->argc) {
      snprintf(r->result->error, sizeof r->result->error, "%s: takes %s", shown, htz_flags[id].takes);
      return false;
    }
    *value = r->argv[r->next++];
  }
  return true;
}

static bool read_long(reader* r, const char* word) {
  const char* equals = strchr(word, '=');
  const size_t length = equals ? (size_t)(equals - word) : strlen(word);
  char name[SHOWN_MAX], shown[SHOWN_MAX + 2];
  snprintf(name, sizeof name, "%.*s", (int)(length < SHOWN_MAX ? length : SHOWN_MAX - 1), word);
  snprintf(shown, sizeof shown, "--%s", name);
  const htz_flag_id id = find_long(word, length, r->commands);
  if (id == HTZ_FLAG_COUNT) {
    return unknown_flag(r, shown, name);
  }
  if (equals && htz_flags[id].argument == HTZ_ARGUMENT_NONE) {
    snprintf(r->result->error, sizeof r->result->error, "%s: takes no value", shown);
    return false;
  }
  const char* value = NULL;
  return take_value(r, id, shown, equals ? equals + 1 : NULL, &value) && apply(r, id, shown, value);
}

// A cluster: flags without an argument, and at most one with, which takes the rest of the word.
static bool read_short(reader* r, const char* letters) {
  for (const char* at = letters; *at; at++) {
    const char shown[] = {'-', *at, '\0'};
    const htz_flag_id id = find_letter(*at, r->commands);
    if (*at == '=' && at > letters) {
      snprintf(r->result->error, sizeof r->result->error, "-%c: takes no value", at[-1]);
      return false;
    }
    if (id == HTZ_FLAG_COUNT) {
      // The whole word, so that a long flag written with one dash is recognised.
      return unknown_flag(r, at == letters && at[1] ? letters - 1 : shown, at[1] ? letters : NULL);
    }
    const bool takes = htz_flags[id].argument == HTZ_ARGUMENT_REQUIRED;
    const char* value = NULL;
    if (!take_value(r, id, shown, takes && at[1] ? at + 1 : NULL, &value) || !apply(r, id, shown, value)) {
      return false;
    }
    if (takes) {
      return true;
    }
  }
  return true;
}

static bool is_flag(const char* word) {
  return word[0] == '-' && word[1] != '\0';
}

// The flag of a word that must have an argument, HTZ_FLAG_COUNT for none; `*attached`: that argument, when it stands in the same word.
static htz_flag_id takes_next(const char* word, const char** attached) {
  htz_flag_id id = HTZ_FLAG_COUNT;
  *attached = NULL;
  if (word[1] == '-') {
    const char* equals = strchr(word, '=');
    *attached = equals ? equals + 1 : NULL;
    id = find_long(word + 2, strcspn(word + 2, "="), EVERY);
  } else {
    // Only the first letter of a cluster with an argument matters: the rest of the word is the argument.
    const char* at = word + 1;
    for (id = find_letter(*at, EVERY); *at && id != HTZ_FLAG_COUNT && htz_flags[id].argument != HTZ_ARGUMENT_REQUIRED;) {
      at++;
      id = *at ? find_letter(*at, EVERY) : HTZ_FLAG_COUNT;
    }
    *attached = *at && at[1] ? at + 1 : NULL;
  }
  return id != HTZ_FLAG_COUNT && htz_flags[id].argument == HTZ_ARGUMENT_REQUIRED ? id : HTZ_FLAG_COUNT;
}

/*
   The first word that is not a flag, nor the argument of one, names the command: flags may stand before it.
   @return its index, or argc
*/
static int find_command(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    const char* word = argv[i];
    if (!is_flag(word)) {
      return i;
    }
    if (strcmp(word, "--") == 0) {
      return i + 1 < argc ? i + 1 : argc;
    }
    const char* attached = NULL;
    i += takes_next(word, &attached) != HTZ_FLAG_COUNT && !attached;
  }
  return argc;
}

// A word that is no command: a song, by its ending, or because it is there.
static bool names_song(const char* word) {
  static const char* const endings[] = {".mid", ".midi", ".kar", ".rmi", ".smf"};
  const size_t length = strlen(word);
  struct stat info;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    const size_t n = strlen(endings[i]);
    if (length > n && strcasecmp(word + length - n, endings[i]) == 0) {
      return true;
    }
  }
  // No command has a slash: a path that is not there, or is a folder, is told as such.
  return strcmp(word, "-") == 0 || strchr(word, '/') || (stat(word, &info) == 0 && !S_ISDIR(info.st_mode));
}

static bool is_command(const char* word) {
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    if (strcmp(word, htz_command_names[c]) == 0) {
      return true;
    }
  }
  return false;
}

void htz_list_commands(char text[HTZ_COMMANDS_TEXT]) {
  size_t used = 0;
  for (unsigned c = 0; c < HTZ_CMD_COUNT && used < HTZ_COMMANDS_TEXT; c++) {
    used += (size_t)snprintf(text + used, HTZ_COMMANDS_TEXT - used, "%s%s", c == 0 ? "" : ", ", htz_command_names[c]);
  }
}

static bool read_command(reader* r, int at) {
  for (unsigned c = 0; c < HTZ_CMD_COUNT; c++) {
    if (strcmp(r->argv[at], htz_command_names[c]) == 0) {
      r->options->command = (htz_command)c;
      r->commands = 1u << c;
      if (c == HTZ_CMD_HISTORY && at + 1 < r->argc && strcmp(r->argv[at + 1], "render") == 0) {
        r->commands |= RENDER; // it is one
      }
      return true;
    }
  }
  const char* near = htz_suggest(r->argv[at], htz_command_names, HTZ_CMD_COUNT);
  if (near) {
    snprintf(r->result->error, sizeof r->result->error, "%.*s: unknown command; did you mean %s?", SHOWN_MAX, r->argv[at],
             near);
  } else {
    char commands[HTZ_COMMANDS_TEXT];
    htz_list_commands(commands);
    snprintf(r->result->error, sizeof r->result->error, "%.*s: unknown command; there are %s", SHOWN_MAX, r->argv[at],
             commands);
  }
  return false;
}

static void set_defaults(htz_options* options, const char** args, htz_setting* settings) {
  // Rate and block size unless told: what players and files mostly have. Live, the device's own rate goes first.
  *options = (htz_options){.args = args,
                           .settings = settings,
                           .channel = HTZ_CHANNEL_DEFAULT,
                           .rate_hz = htz_usual_rate_hz,
                           .buffer = 128,
                           .duration_s = INFINITY,
                           .limiter = true,
                           .dialled = true,
                           .hotplug = true,
                           .record_by = -1,
                           .history_mib = HTZ_HISTORY_MIB,
                           .mark_by = -1,
                           .container = HTZ_CONTAINER_WAV,
                           .encoding = HTZ_ENCODING_S24,
                           .end_s = INFINITY,
                           .tempo = 1.0,
                           .jobs = 1,
                           .phases = 20,
                           .lab = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, .velocity = NAN, .key = -1}};
  htz_velocity_linear(&options->velocity);
}

// What of the songs to be played cannot be. @return NULL when all can
static const char* refuse_songs(const htz_options* options) {
  size_t piped = 0;
  for (size_t i = 0; i < options->n_args; i++) {
    if (!options->args[i][0]) {
      return "play: a song's name is empty";
    }
    piped += strcmp(options->args[i], "-") == 0;
  }
  for (size_t i = 0; i < options->n_midi_raw && piped > 0; i++) {
    piped += strcmp(options->midi_raw[i], "-") == 0;
  }
  return piped > 1 ? "-: standard input can be read only once" : NULL;
}

char* htz_options_keep(htz_options* options, const char* text) {
  const size_t size = strlen(text) + 1;
  if (size > sizeof options->kept - options->n_kept) {
    return NULL;
  }
  char* copy = memcpy(options->kept + options->n_kept, text, size);
  options->n_kept += size;
  return copy;
}

static bool check_together(const htz_options* options, htz_parse_result* result) {
  const char* why = htz_layers_refuse(&options->orchestra);
  const bool plays = options->command == HTZ_CMD_PLAY;
  if (why) {
    snprintf(result->error, sizeof result->error, "%s", why);
    return false;
  }
  if ((plays || options->command == HTZ_CMD_RENDER) && !(options->end_s > options->start_s)) {
    why = "--end: must be later than --start";
  } else if (options->stems && htz_stems_refused(options)) {
    why = htz_stems_refused(options);
  } else if (options->tuning.keymap && options->tuning.a4_hz > 0.0) {
    why = "--a4: goes with no --keymap, which says itself what sounds where";
  } else if (plays && options->song_flag && options->n_args == 0) {
    snprintf(result->error, sizeof result->error, "--%s: of which song? hertzian play SONG.mid", options->song_flag);
    return false;
  } else if (options->osc_bind && options->osc_port == 0) {
    why = "--osc-bind: which port? --osc PORT";
  } else if (plays) {
    why = refuse_songs(options);
  }
  if (why) {
    snprintf(result->error, sizeof result->error, "%s", why);
  }
  return !why;
}

static bool read_all(reader* r, int command_at, const char** args) {
  bool flags = true;
  for (r->next = 1; r->next < r->argc;) {
    const int at = r->next++;
    const char* word = r->argv[at];
    if (flags && strcmp(word, "--") == 0) {
      flags = false;
    } else if (flags && is_flag(word)) {
      if (!(word[1] == '-' ? read_long(r, word + 2) : read_short(r, word + 1))) {
        return false;
      }
      if (r->result->what == HTZ_PARSE_HELP || r->result->what == HTZ_PARSE_VERSION) {
        return true;
      }
    } else if (at != command_at) {
      args[r->options->n_args++] = word;
    }
  }
  return true;
}

// Where the command is named; argc: it is play, which need not be written.
static int named_at(int argc, char** argv) {
  const int at = find_command(argc, argv);
  return at < argc && !is_command(argv[at]) && names_song(argv[at]) ? argc : at; // hertzian SONG.mid plays it
}

bool htz_options_configured(int argc, char** argv, const char** file) {
  const int command_at = named_at(argc, argv);
  bool reads = command_at >= argc;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "-h") == 0 || strncmp(argv[i], "--help", strlen("--help")) == 0 || strcmp(argv[i], "--version") == 0) {
      return false; // asks for nothing that a setting could change, and is wanted where one is wrong
    }
  }
  for (unsigned c = 0; c < HTZ_CMD_COUNT && !reads; c++) {
    reads = htz_config_commands >> c & 1u && strcmp(argv[command_at], htz_command_names[c]) == 0;
  }
  *file = NULL;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char* attached = NULL;
    const htz_flag_id id = is_flag(argv[i]) ? takes_next(argv[i], &attached) : HTZ_FLAG_COUNT;
    const char* value = attached ? attached : i + 1 < argc ? argv[i + 1] : NULL;
    *file = id == HTZ_FLAG_CONFIG ? value : *file;
    i += id != HTZ_FLAG_COUNT && !attached;
  }
  return reads;
}

/** A flag before `end` that nobody knows is named before what comes behind it, which may be its argument. @return whether there is one */
static bool name_unknown(const reader* r, int end) {
  for (int i = 1; i < end; i++) {
    const char* word = r->argv[i];
    const char* attached = NULL;
    const htz_flag_id takes = takes_next(word, &attached);
    if (takes != HTZ_FLAG_COUNT) {
      i += !attached;
    } else if (is_flag(word) && word[1] == '-') {
      char name[SHOWN_MAX], shown[SHOWN_MAX + 2];
      const size_t length = strcspn(word + 2, "=");
      snprintf(name, sizeof name, "%.*s", (int)(length < SHOWN_MAX ? length : SHOWN_MAX - 1), word + 2);
      snprintf(shown, sizeof shown, "--%s", name);
      if (find_long(word + 2, length, EVERY) == HTZ_FLAG_COUNT) {
        unknown_flag(r, shown, name);
        return true;
      }
    } else if (is_flag(word) && find_letter(word[1], EVERY) == HTZ_FLAG_COUNT) {
      unknown_flag(r, word, word[2] ? word + 1 : NULL);
      return true;
    }
  }
  return false;
}

htz_parse_result htz_options_parse(int argc, char** argv, htz_config* config, htz_options* options, const char** args,
                                   htz_setting* settings) {
  htz_parse_result result = {.what = HTZ_PARSE_RUN};
  set_defaults(options, args, settings);
  const int command_at = named_at(argc, argv);
  reader r = {argc, argv, 1, EVERY, command_at < argc, options, settings, &result, config};
  if (command_at < argc && !read_command(&r, command_at)) {
    r.named = false;
    name_unknown(&r, command_at);
    result.what = HTZ_PARSE_ERROR;
    return result;
  }
  if (command_at >= argc) {
    r.commands = PLAY; // as if it had been written
  }
  if ((config && !htz_config_apply(config, options, settings, &result)) || !read_all(&r, command_at, args)) {
    result.what = HTZ_PARSE_ERROR;
    return result;
  }
  if (result.what == HTZ_PARSE_HELP && !result.topic && command_at < argc) {
    result.topic = htz_command_names[options->command];
  }
  if (result.what == HTZ_PARSE_RUN && !check_together(options, &result)) {
    result.what = HTZ_PARSE_ERROR;
  }
  return result;
}

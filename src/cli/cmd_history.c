#include "cmd_history.h"

#include "history_folder.h"
#include "history_trim.h"
#include "json.h"
#include "render_report.h"

#include "hertzian/midi/smf.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was played, as it is kept: lists it, makes sound of it again, removes it. */

enum { PATH = HTZ_PATH_MAX + 257 }; // a folder, and a name in it

typedef struct {
  char folder[HTZ_PATH_MAX];
  struct dirent** entry; // by name, which is by time
  int n;
} kept;

static int open_kept(kept* k, htz_log* log) {
  *k = (kept){0};
  if (!htz_history_folder(k->folder)) {
    htz_log_say(log, HTZ_LOG_ERROR, "history: no place for it, neither XDG_STATE_HOME nor HOME is set");
    return HTZ_EXIT_INPUT;
  }
  k->n = htz_history_scan(k->folder, &k->entry);
  if (k->n < 0 && errno != ENOENT) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", k->folder, strerror(errno));
    return HTZ_EXIT_INPUT;
  }
  k->n = k->n < 0 ? 0 : k->n;
  return HTZ_EXIT_DONE;
}

static void close_kept(kept* k) {
  for (int i = 0; i < k->n; i++) {
    free(k->entry[i]);
  }
  free(k->entry);
}

static void path_of(const kept* k, int index, char path[PATH]) {
  snprintf(path, PATH, "%s/%s", k->folder, k->entry[index]->d_name);
}

/** A performance, in a few words. */
typedef struct {
  char path[PATH];
  double seconds;
  uint64_t notes;
  char instrument[HTZ_RECORDER_PATH]; // as it was given, empty: by program changes
} summary;

static bool summarise(const kept* k, int index, summary* out) {
  htz_smf* song = NULL;
  htz_smf_diag diag;
  char* words[HTZ_HISTORY_ARGUMENTS];
  static const char given[] = "instrument=";
  *out = (summary){0};
  path_of(k, index, out->path);
  if (htz_smf_load_file(out->path, &song, &diag)) {
    return false;
  }
  const htz_smf_info* info = htz_smf_get_info(song);
  out->seconds = htz_smf_seconds(song, info->end);
  out->notes = info->notes;
  htz_smf_free(song);
  const size_t n = htz_history_arguments(out->path, words);
  for (size_t i = 0; i < n; i++) {
    if (strncmp(words[i], given, sizeof given - 1) == 0) {
      snprintf(out->instrument, sizeof out->instrument, "%s", words[i] + sizeof given - 1);
    }
    free(words[i]);
  }
  return true;
}

static void print_row(const kept* k, int index, const summary* s) {
  char length[HTZ_TIME_TEXT];
  const char* name = k->entry[index]->d_name;
  printf("%4d  %-22.*s %10s %8" PRIu64 "  %s\n", k->n - index, (int)strcspn(name, "."), name, htz_time_text(s->seconds, length),
         s->notes, s->instrument[0] ? s->instrument : "-");
}

static void print_json(const kept* k, int index, const summary* s) {
  printf("%s\n  {\"number\": %d, \"path\": ", index > 0 ? "," : "", k->n - index);
  htz_json_string(stdout, s->path);
  printf(", \"seconds\": ");
  htz_json_number(stdout, s->seconds, 9);
  printf(", \"notes\": %" PRIu64 ", \"instrument\": ", s->notes);
  htz_json_string(stdout, s->instrument[0] ? s->instrument : NULL);
  printf("}");
}

static int list(const htz_options* options) {
  kept k;
  int code = open_kept(&k, options->log);
  summary* s = malloc(sizeof *s);
  if (!code && s) {
    printf(options->json ? "[" : k.n > 0 ? "   N  PLAYED                     LENGTH    NOTES  INSTRUMENT\n" : "");
    for (int i = 0; i < k.n; i++) {
      const bool readable = summarise(&k, i, s); // else it is listed all the same
      (void)readable;
      (options->json ? print_json : print_row)(&k, i, s);
    }
    printf(options->json ? "\n]\n" : "");
    if (k.n == 0 && !options->json) {
      htz_log_say(options->log, HTZ_LOG_NOTICE, "nothing is kept in %s", k.folder);
    }
    htz_history_gone gone;
    if (htz_history_trimmed(k.folder, &gone)) {
      htz_log_say(options->log, HTZ_LOG_NOTICE,
                  "%u older one%s, up to %s, %s removed: %u MiB and the last 24 hours are kept (--history keeps more)", gone.n,
                  gone.n == 1 ? "" : "s", gone.newest, gone.n == 1 ? "was" : "were", gone.mib);
    }
  }
  code = code || s ? code : HTZ_EXIT_INTERNAL;
  free(s);
  close_kept(&k);
  return code;
}

static int clear(const htz_options* options) {
  kept k;
  int code = open_kept(&k, options->log), removed = 0, held = 0;
  for (int i = 0; i < k.n && !code; i++) {
    char path[PATH];
    path_of(&k, i, path);
    if (htz_history_held(path)) {
      held++;
    } else if (unlink(path) == 0) {
      removed++;
    } else {
      htz_log_say(options->log, HTZ_LOG_ERROR, "%s: %s", path, strerror(errno));
      code = HTZ_EXIT_OUTPUT;
    }
  }
  if (!code) {
    htz_history_trim_forget(k.folder);
    htz_log_say(options->log, HTZ_LOG_NOTICE, "%d removed%s", removed, held > 0 ? "; what is being played is left" : "");
  }
  close_kept(&k);
  return code;
}

// `last`, a number of the list, a name in it, or any file. @return whether there is one
static bool find(const kept* k, const char* which, char path[PATH], bool* ours) {
  char* end = NULL;
  const long number = strcmp(which, "last") == 0 ? 1 : strtol(which, &end, 10);
  const bool counted = !end || (*end == '\0' && end != which);
  *ours = true;
  if (counted && number >= 1 && number <= k->n) {
    path_of(k, k->n - (int)number, path);
    return true;
  }
  for (int i = 0; i < k->n; i++) {
    const char* name = k->entry[i]->d_name;
    if (strcmp(name, which) == 0 || (strlen(which) == strcspn(name, ".") && strncmp(name, which, strlen(which)) == 0)) {
      path_of(k, i, path);
      return true;
    }
  }
  *ours = false;
  snprintf(path, PATH, "%s", which);
  return !counted && access(path, F_OK) == 0;
}

static bool is_positional(const htz_options* options, const char* word) {
  for (size_t i = 0; i < options->n_args; i++) {
    if (options->args[i] == word) {
      return true;
    }
  }
  return false;
}

// Whether a flag of the command line takes the place of what was noted; settings add up.
static bool overruled(const htz_options* options, const char* noted) {
  const size_t length = strcspn(noted, "=");
  for (size_t i = 0; i < options->n_played; i++) {
    const char* name = options->played[i].name;
    if (strcmp(name, "set") != 0 && strlen(name) == length && strncmp(name, noted, length) == 0) {
      return true;
    }
  }
  return false;
}

static char** join(const htz_options* options, int argc, char** argv, const char* path, bool ours) {
  char* noted[HTZ_HISTORY_ARGUMENTS];
  const size_t n_noted = htz_history_arguments(path, noted);
  char** words = calloc((size_t)argc + n_noted + 5, sizeof *words);
  size_t n = 0;
  bool ok = words != NULL, named = false;
  if (ok) {
    words[n++] = strdup(argv[0]);
    words[n++] = strdup("render");
    for (size_t i = 0; i < n_noted && ok; i++) {
      if (overruled(options, noted[i])) {
        continue;
      }
      char* word = malloc(strlen(noted[i]) + 3);
      ok = word != NULL;
      if (word) {
        sprintf(word, "--%s", noted[i]);
        words[n++] = word;
      }
    }
    if (ours) {
      words[n++] = strdup("--output=."); // not beside what is kept
    }
    for (int i = 1; i < argc; i++) {
      const bool command = !named && strcmp(argv[i], "history") == 0;
      named = named || command;
      if (!command && !is_positional(options, argv[i])) {
        words[n++] = strdup(argv[i]);
      }
    }
    words[n++] = strdup(path);
  }
  for (size_t i = 0; i < n_noted; i++) {
    free(noted[i]);
  }
  for (size_t i = 0; ok && i < n; i++) {
    ok = words[i] != NULL;
  }
  if (!ok) {
    htz_history_words_free(words);
    return NULL;
  }
  return words;
}

int htz_history_words(const htz_options* options, int argc, char** argv, char*** out) {
  kept k;
  char path[PATH];
  bool ours = false;
  *out = NULL;
  if (options->n_args > 2) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "history render: one at a time, not %s, too", options->args[2]);
    return HTZ_EXIT_USAGE;
  }
  int code = open_kept(&k, options->log);
  const char* which = options->n_args > 1 ? options->args[1] : "last";
  if (!code && !find(&k, which, path, &ours)) {
    htz_log_say(options->log, HTZ_LOG_ERROR,
                k.n > 0 ? "history render %s: there is none; hertzian history list shows them"
                        : "history render %s: nothing is kept",
                which);
    code = HTZ_EXIT_INPUT;
  }
  if (!code) {
    *out = join(options, argc, argv, path, ours);
    code = *out ? HTZ_EXIT_DONE : HTZ_EXIT_INTERNAL;
  }
  close_kept(&k);
  return code;
}

void htz_history_words_free(char** words) {
  for (char** word = words; word && *word; word++) {
    free(*word);
  }
  free(words);
}

int htz_cmd_history(const htz_options* options) {
  const char* what = options->n_args > 0 ? options->args[0] : "list";
  if (options->n_args > 1) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "history %s: takes nothing more", what);
    return HTZ_EXIT_USAGE;
  }
  if (strcmp(what, "list") == 0) {
    return list(options);
  }
  if (strcmp(what, "clear") == 0) {
    return clear(options);
  }
  htz_log_say(options->log, HTZ_LOG_ERROR, "history %s: unknown; there are list, render and clear", what);
  return HTZ_EXIT_USAGE;
}

#include "render_names.h"

#include "take.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* base_of(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// The ending without its dot, NULL when there is none; a leading dot makes a hidden file and no ending.
static const char* ending_of(const char* path) {
  const char* base = base_of(path);
  const char* dot = strrchr(base, '.');
  return dot && dot > base ? dot + 1 : NULL;
}

static bool equal_ignoring_case(const char* a, const char* b) {
  while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

static bool is_folder(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// An existing thing without a format of its own: a device, a FIFO.
static bool is_special(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static bool same_file(const char* a, const char* b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino &&
         S_ISREG(first.st_mode);
}

// FOLDER/SONG<suffix>.ENDING, with the song's own folder when `folder` is NULL. @return NULL without memory
static char* renamed(const char* folder, const char* song, const char* suffix, const char* ending) {
  const char* from = folder ? base_of(song) : song;
  const char* old = ending_of(song);
  const size_t stem = old ? (size_t)(old - from) - 1 : strlen(from);
  const char* slash = folder && folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "";
  const size_t size = (folder ? strlen(folder) : 0) + strlen(slash) + stem + strlen(suffix) + strlen(ending) + 2; // dot and end
  char* name = malloc(size);
  if (name) {
    snprintf(name, size, "%s%s%.*s%s.%s", folder ? folder : "", slash, (int)stem, from, suffix, ending);
  }
  return name;
}

size_t htz_render_count(const htz_options* options) {
  return options->n_args == 0 && options->drive ? 1 : options->n_args;
}

static int usage(char error[HTZ_USAGE_TEXT], const char* path, const char* what) {
  snprintf(error, HTZ_USAGE_TEXT, "%.*s: %s", HTZ_USAGE_TEXT / 2, path, what);
  return HTZ_EXIT_USAGE;
}

static int container_by_ending(const char* output, htz_container* container, char error[HTZ_USAGE_TEXT]) {
  const char* ending = ending_of(output);
  if (strcmp(output, "-") == 0 || is_special(output)) {
    *container = HTZ_CONTAINER_WAV;
    return HTZ_EXIT_DONE;
  }
  for (unsigned i = 0; ending && i < HTZ_CONTAINER_COUNT; i++) {
    if (equal_ignoring_case(ending, htz_container_name((htz_container)i))) {
      *container = (htz_container)i;
      return HTZ_EXIT_DONE;
    }
  }
  return usage(error, output,
               ending ? "unknown ending; there are wav, rf64, w64, flac and raw, or say -f FORMAT"
                      : "no ending to tell the format by; say -f wav, rf64, w64, flac or raw");
}

static int check_format(const htz_options* options, htz_container container, char error[HTZ_USAGE_TEXT]) {
  if (!htz_sound_pair_ok(container, options->encoding)) {
    snprintf(error, HTZ_USAGE_TEXT, "-e %s: %s takes s16 and s24", htz_encoding_name(options->encoding),
             htz_container_name(container));
    return HTZ_EXIT_USAGE;
  }
  const htz_status status = htz_sound_rate_ok(container, options->encoding, (unsigned)options->rate_hz, HTZ_TAKE_CHANNELS);
  if (htz_status_starved(status)) {
    snprintf(error, HTZ_USAGE_TEXT, "%s", htz_status_text(status));
    return HTZ_EXIT_INTERNAL;
  }
  if (status) {
    snprintf(error, HTZ_USAGE_TEXT, "-r %.0f: %s cannot hold this rate; allowed: %s", options->rate_hz,
             htz_container_name(container), htz_sound_rates(container));
    return HTZ_EXIT_USAGE;
  }
  return HTZ_EXIT_DONE;
}

static int check_songs(const htz_options* options, bool named_file, char error[HTZ_USAGE_TEXT]) {
  if (htz_render_count(options) == 0) {
    return usage(error, "render", "which song? SONG.mid, or - for standard input");
  }
  if (options->n_args > 1 && named_file) {
    return usage(error, options->output, "several songs need a folder that exists, or no -o");
  }
  for (size_t i = 0; i < options->n_args; i++) {
    if (strcmp(options->args[i], "-") == 0 && !named_file) {
      return usage(error, "-", "a song from standard input needs -o FILE or -o -");
    }
    if (!options->args[i][0]) {
      return usage(error, "render", "a song's name is empty");
    }
  }
  return HTZ_EXIT_DONE;
}

static int check_stdout(const htz_options* options, char error[HTZ_USAGE_TEXT]) {
  if (options->json) {
    return usage(error, "--json", "standard output is taken by -o -");
  }
  if (isatty(STDOUT_FILENO)) {
    return usage(error, "-o -", "standard output is a terminal; pipe it somewhere");
  }
  return HTZ_EXIT_DONE;
}

static int check_outputs(const htz_options* options, const htz_job* jobs, char error[HTZ_USAGE_TEXT]) {
  for (size_t i = 0; i < htz_render_count(options); i++) {
    const char* const inputs[] = {jobs[i].song, options->drive};
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
      if (inputs[k] && (same_file(inputs[k], jobs[i].output) || same_file(inputs[k], jobs[i].part))) {
        return usage(error, inputs[k], "would be overwritten by its own sound; give another -o");
      }
    }
    for (size_t k = 0; k < i; k++) {
      if (strcmp(jobs[i].output, jobs[k].output) == 0) {
        snprintf(error, HTZ_USAGE_TEXT, "%.300s: would be written from both %.300s and %.300s", jobs[i].output, jobs[k].song,
                 jobs[i].song);
        return HTZ_EXIT_USAGE;
      }
    }
  }
  return HTZ_EXIT_DONE;
}

static int name_one(const htz_options* options, bool folder, bool named_file, htz_container container, htz_job* job,
                    char error[HTZ_USAGE_TEXT]) {
  char part[HTZ_SOUND_PATH_MAX];
  job->output = named_file ? strdup(options->output)
                           : renamed(folder ? options->output : NULL, job->song, job->alone ? "-driven" : "",
                                     htz_container_name(container));
  if (job->output && htz_sound_part_name(job->output, part)) {
    snprintf(error, HTZ_USAGE_TEXT, "%.300s: %s", job->output,
             errno == ENAMETOOLONG ? "the name is too long" : strerror(errno));
    return HTZ_EXIT_OUTPUT;
  }
  job->part = job->output ? strdup(part) : NULL;
  if (!job->part) {
    snprintf(error, HTZ_USAGE_TEXT, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  job->container = container;
  job->encoding = options->encoding;
  return HTZ_EXIT_DONE;
}

int htz_render_names(const htz_options* options, htz_job* jobs, char error[HTZ_USAGE_TEXT]) {
  const bool folder = options->output && is_folder(options->output);
  const bool named_file = options->output && !folder;
  const bool to_stdout = named_file && strcmp(options->output, "-") == 0;
  htz_container container = options->container;
  int code = check_songs(options, named_file, error);
  if (code == HTZ_EXIT_DONE && named_file && !options->container_given) {
    code = container_by_ending(options->output, &container, error);
  }
  if (code == HTZ_EXIT_DONE) {
    code = check_format(options, container, error);
  }
  if (code == HTZ_EXIT_DONE && to_stdout) {
    code = check_stdout(options, error);
  }
  for (size_t i = 0; i < htz_render_count(options) && code == HTZ_EXIT_DONE; i++) {
    jobs[i].alone = options->n_args == 0;
    jobs[i].song = jobs[i].alone ? options->drive : options->args[i];
    code = name_one(options, folder, named_file, container, &jobs[i], error);
  }
  return code == HTZ_EXIT_DONE ? check_outputs(options, jobs, error) : code;
}

#include "plot.h"

#include "whole_file.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static const char* ending_of(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? dot + 1 : "";
}

bool htz_plot_ending(const char* path) {
  const char* ending = ending_of(path);
  return strcmp(ending, "png") == 0 || strcmp(ending, "svg") == 0;
}

static void begin(FILE* script, const char* path, int width) {
  if (strcmp(ending_of(path), "svg") == 0) {
    fprintf(script, "set terminal svg noenhanced size %d,640 background 'white'\n", width);
  } else {
    fprintf(script,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo noenhanced size %d,640;"
            " else set terminal png noenhanced size %d,640\n",
            width, width);
  }
  fputs("set decimalsign '.'\nset format '%g'\nset grid\n", script);
}

void htz_plot_begin(FILE* script, const char* path) {
  enum { WIDTH = 960 };
  begin(script, path, WIDTH);
}

void htz_plot_begin_wide(FILE* script, const char* path) {
  enum { WIDTH = 1600 };
  begin(script, path, WIDTH);
}

void htz_plot_text(FILE* script, const char* text) {
  fputc('\'', script);
  for (; *text; ++text) {
    fputs(*text == '\'' ? "'" : "", script); // doubled inside quotes
    fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
  }
  fputc('\'', script);
}

void htz_plot_number(FILE* script, double value) {
  if (isfinite(value)) {
    fprintf(script, " %.9g", value); // 9 digits: finer than any pixel
  } else {
    fputs(" NaN", script);
  }
}

/** Run gnuplot between three files. @return 0, an errno when it cannot be started, or -1 when it ended badly */
static int run_gnuplot(FILE* script, FILE* drawn, FILE* said) {
  char* const arguments[] = {(char[]){"gnuplot"}, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  pid_t child = 0;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE); // which this program ignores, as the next
  sigaddset(&usual, SIGXFSZ);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(drawn), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(said), STDERR_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int fault = posix_spawnp(&child, "gnuplot", &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  int how = 0;
  while (!fault && waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  return fault ? fault : how == 0 ? 0 : -1;
}

static int copy_into(FILE* drawn, const char* path, const char** why) {
  htz_whole_file file;
  char chunk[4096];
  size_t got;
  int fault = htz_whole_open(&file, path);
  if (fault) {
    *why = file.why;
    return fault;
  }
  rewind(drawn);
  while ((got = fread(chunk, 1, sizeof chunk, drawn)) > 0 && fwrite(chunk, 1, got, file.stream) == got) {
  }
  const bool whole = !ferror(drawn);
  fault = htz_whole_close(&file, whole);
  *why = file.why;
  return fault ? fault : whole ? 0 : EIO;
}

static void say_gnuplot(FILE* said, const char* path, htz_log* log) {
  char line[200] = ""; // as much as a message shows
  rewind(said);
  while (fgets(line, sizeof line, said) && line[strspn(line, " \t\r\n^")] == '\0') {
  }
  line[strcspn(line, "\r\n")] = '\0';
  htz_log_say(log, HTZ_LOG_ERROR, "%s: gnuplot failed: %s", path, line[0] ? line : "it does not say why");
}

static htz_plot_result draw(FILE* script, FILE* drawn, FILE* said, const char* path, htz_log* log) {
  if (fflush(script) != 0 || ferror(script) || fseek(script, 0, SEEK_SET) != 0) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: the script for gnuplot cannot be written: %s", path, strerror(errno));
    return HTZ_PLOT_FAILED;
  }
  // The child reads from where the file stands, whatever this program has buffered.
  if (lseek(fileno(script), 0, SEEK_SET) < 0) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", path, strerror(errno));
    return HTZ_PLOT_FAILED;
  }
  const int fault = run_gnuplot(script, drawn, said);
  if (fault == ENOENT || fault == EACCES) {
    return HTZ_PLOT_NO_GNUPLOT;
  }
  if (fault > 0) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: gnuplot cannot be started: %s", path, strerror(fault));
    return fault == EAGAIN || htz_status_starved(htz_status_of_errno(fault, HTZ_IO)) ? HTZ_PLOT_STARVED : HTZ_PLOT_FAILED;
  }
  if (fault < 0 || fseek(drawn, 0, SEEK_END) != 0 || ftell(drawn) <= 0) {
    say_gnuplot(said, path, log);
    return HTZ_PLOT_FAILED;
  }
  const char* why = NULL;
  const int unwritten = copy_into(drawn, path, &why);
  if (unwritten) {
    return htz_whole_say(log, path, unwritten, why) == HTZ_EXIT_INTERNAL ? HTZ_PLOT_STARVED : HTZ_PLOT_FAILED;
  }
  return HTZ_PLOT_DRAWN;
}

htz_plot_result htz_plot_draw(FILE* script, const char* path, htz_log* log) {
  FILE* drawn = NULL;
  FILE* said = NULL;
  char why[HTZ_SOUND_WHY];
  htz_plot_result result = HTZ_PLOT_FAILED;
  htz_status status = htz_temporary_file(&drawn, why);
  status = status ? status : htz_temporary_file(&said, why);
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", path, why);
    result = htz_status_starved(status) ? HTZ_PLOT_STARVED : HTZ_PLOT_FAILED;
  } else {
    result = draw(script, drawn, said, path, log);
  }
  if (drawn) {
    fclose(drawn);
  }
  if (said) {
    fclose(said);
  }
  return result;
}

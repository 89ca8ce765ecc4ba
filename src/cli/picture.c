#include "picture.h"

#include "plot.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>

static int say_kept(const htz_options* o, const char* path) {
  htz_log_say(o->log, HTZ_LOG_WARNING, "%s: not drawn, gnuplot is not installed; its numbers are in %s", o->plot, path);
  return HTZ_EXIT_DONE;
}

static int write_numbers(const htz_options* o, const htz_picture* picture) {
  const size_t room = strlen(o->plot) + sizeof ".csv";
  char* path = malloc(room);
  if (!path) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->plot, htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  snprintf(path, room, "%s.csv", o->plot);
  htz_whole_file file;
  int fault = htz_whole_open(&file, path);
  if (!fault) {
    picture->numbers(file.stream, picture->what);
    fault = htz_whole_close(&file, true);
  }
  const int code = fault ? htz_whole_say(o->log, path, fault, file.why) : say_kept(o, path);
  free(path);
  return code;
}

int htz_picture_draw(const htz_options* o, const htz_picture* picture) {
  FILE* script = NULL;
  char why[HTZ_SOUND_WHY];
  const htz_status status = htz_temporary_file(&script, why);
  if (status) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->plot, why);
    return htz_exit_for(status, HTZ_EXIT_OUTPUT);
  }
  picture->script(script, o->plot, picture->what);
  const htz_plot_result result = htz_plot_draw(script, o->plot, o->log);
  fclose(script);
  if (result == HTZ_PLOT_NO_GNUPLOT) {
    return picture->kept ? say_kept(o, htz_whole_shown(picture->kept)) : write_numbers(o, picture);
  }
  return result == HTZ_PLOT_STARVED ? HTZ_EXIT_INTERNAL : result == HTZ_PLOT_FAILED ? HTZ_EXIT_OUTPUT : HTZ_EXIT_DONE;
}

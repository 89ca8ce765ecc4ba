#include "lab_impact.h"

#include "lab_impact_private.h"

#include <math.h>
#include <stdlib.h>

/** One line on standard error when rows have no figures; the rows themselves say why. */
static void say_failed(const htz_options* o, const lab_impacts* all, const htz_lab_impact_result* results) {
  size_t failed = 0;
  size_t first = 0;
  for (size_t i = 0; i < all->n; ++i) {
    if (isnan(results[i].v_out.mean)) {
      first = failed ? first : i;
      ++failed;
    }
  }
  if (failed && all->table) {
    htz_log_say(o->log, HTZ_LOG_WARNING, "lab impact: %zu of %zu rows without figures; row %zu: %s", failed, all->n, first + 1,
                results[first].note);
  } else if (failed) {
    htz_log_say(o->log, HTZ_LOG_WARNING, "lab impact: no figures: %s", results[first].note);
  }
}

static int run_all(const htz_options* o, const lab_impacts* all) {
  htz_lab_impact_result* results = calloc(all->n + 1, sizeof *results);
  htz_lab_trace* trace = o->plot ? calloc(1, sizeof *trace) : NULL;
  htz_status st = results && (trace || !o->plot) ? HTZ_OK : HTZ_NO_MEMORY;
  for (size_t i = 0; i < all->n && !st; ++i) {
    st = htz_lab_throw_run(&all->what[i], trace, &results[i]);
  }
  int code = st ? HTZ_EXIT_INTERNAL : HTZ_EXIT_DONE;
  if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: %s", htz_status_text(st));
  } else {
    lab_impact_print(o, all, results);
    say_failed(o, all, results);
    code = trace ? lab_impact_draw(o, all, trace) : code;
  }
  free(trace);
  free(results);
  return code; // whether standard output could be written is looked at once, where the program ends
}

int htz_lab_impact_command(const htz_options* o) {
  lab_impacts all;
  int code = lab_impact_read(o, &all);
  if (!code) {
    code = run_all(o, &all);
  }
  lab_impact_free(&all);
  return code;
}

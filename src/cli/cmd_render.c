#include "render_control.h"
#include "render_names.h"
#include "render_report.h"

#include <signal.h>
#include <stdlib.h>

static int first_failure(const htz_job* jobs, size_t n_jobs) {
  for (size_t i = 0; i < n_jobs; i++) {
    if (jobs[i].result.code != HTZ_EXIT_DONE) {
      return jobs[i].result.code;
    }
  }
  return HTZ_EXIT_DONE;
}

static int perform(const htz_options* options, htz_job* jobs) {
  htz_orchestra orchestra;
  htz_control control;
  int code = htz_orchestra_load(&orchestra, options->instrument, options->log);
  if (code == HTZ_EXIT_DONE) {
    for (size_t i = 0; i < options->n_args; i++) {
      jobs[i].options = options;
      jobs[i].orchestra = &orchestra;
      jobs[i].control = &control;
    }
    const int number = htz_control_run(&control, options, jobs, options->n_args);
    code = number != 0 ? HTZ_EXIT_SIGNAL + number : first_failure(jobs, options->n_args);
    if (number != 0) {
      htz_log_say(options->log, HTZ_LOG_NOTICE, "interrupted; what was not finished is not written");
    }
    if (options->json) {
      htz_report_json(jobs, options->n_args);
    }
  }
  htz_orchestra_free(&orchestra);
  return code;
}

int htz_cmd_render(const htz_options* options) {
  char error[HTZ_USAGE_TEXT] = "";
  // A shell starts background jobs with SIGINT ignored; whoever sends one by hand means it.
  signal(SIGINT, SIG_DFL);
  htz_job* jobs = calloc(options->n_args > 0 ? options->n_args : 1, sizeof *jobs);
  if (!jobs) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  int code = htz_render_names(options, jobs, error);
  if (code == HTZ_EXIT_DONE) {
    code = perform(options, jobs);
  } else {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", error);
  }
  for (size_t i = 0; i < options->n_args; i++) {
    htz_job_free(&jobs[i]);
  }
  free(jobs);
  return code;
}

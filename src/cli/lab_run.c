#include "lab_run.h"

#include "picture.h"
#include "plot.h"
#include "whole_file.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double bar_every_s = 0.1; // [s] the progress line moves no faster

/** Progress of one experiment on a terminal. */
typedef struct {
  const char* name;
  double shown_at; // [s]
  bool shown;
} bar;

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

static void tell(void* context, double share) {
  enum { HUNDRED = 100 };
  bar* b = context;
  const double now = now_s();
  if (now - b->shown_at >= bar_every_s) {
    fprintf(stderr, "\r%s  %3.0f%% ", b->name, floor(HUNDRED * (share < 1.0 ? share : 1.0)));
    fflush(stderr);
    b->shown_at = now;
    b->shown = true;
  }
}

static void clear(const bar* b) {
  enum { COUNT = 7 }; // of the share
  if (b->shown) {
    fprintf(stderr, "\r%*s\r", (int)strlen(b->name) + COUNT, "");
  }
}

static bool bar_wanted(const htz_options* o, const htz_lab_experiment* e) {
  return o->progress == HTZ_PROGRESS_ALWAYS ||
         (o->progress == HTZ_PROGRESS_AUTO && e->slow && o->verbosity >= 0 && isatty(STDERR_FILENO));
}

static int write_csv(const htz_options* o, const char* path, const htz_lab_experiment* e, const htz_lab_report* report) {
  htz_whole_file file;
  int fault = htz_whole_open(&file, path);
  if (!fault) {
    htz_lab_csv(file.stream, e, report);
    fault = htz_whole_close(&file, true);
  }
  return htz_whole_say(o->log, path, fault, file.why);
}

/** What there is to be drawn. */
typedef struct {
  const htz_lab_experiment* e;
  const htz_lab_report* report;
} results;

static void write_script(FILE* out, const char* path, const void* what) {
  const results* r = what;
  htz_lab_script(out, path, r->e, r->report);
}

static void write_numbers(FILE* out, const void* what) {
  const results* r = what;
  htz_lab_csv(out, r->e, r->report);
}

static int draw(const htz_options* o, const htz_lab_experiment* e, const htz_lab_report* report) {
  const results what = {e, report};
  const htz_picture picture = {.script = write_script, .numbers = write_numbers, .what = &what, .kept = o->out};
  return htz_picture_draw(o, &picture);
}

static void say_verdict(const htz_options* o, const htz_lab_experiment* e, const htz_lab_report* report) {
  size_t judged = 0, differing = 0;
  for (size_t i = 0; i < htz_lab_findings(report); ++i) {
    const htz_lab_verdict verdict = htz_lab_judge(htz_lab_finding_at(report, i));
    judged += verdict != HTZ_LAB_NOT_JUDGED;
    differing += verdict == HTZ_LAB_DISAGREES;
  }
  if (differing) {
    htz_log_say(o->log, HTZ_LOG_WARNING, "%s: %zu of %zu judged findings differ from the paper by more than allowed", e->name,
                differing, judged);
  }
}

static int run_one(const htz_options* o, const htz_lab_experiment* e, bool first) {
  htz_lab_report* report = NULL;
  const char* why = NULL;
  bar b = {.name = e->name, .shown_at = now_s()};
  const htz_status st = htz_lab_run(e, bar_wanted(o, e) ? tell : NULL, &b, &report, &why);
  clear(&b);
  if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab run %s: %s", e->name, why);
    return HTZ_EXIT_INTERNAL;
  }
  int code = o->out ? write_csv(o, o->out, e, report) : HTZ_EXIT_DONE;
  if (!code && o->plot) {
    code = draw(o, e, report);
  }
  if (!code && o->json) {
    fputs(first ? "\n  {" : ",\n  {", stdout);
    htz_lab_json(stdout, e, report);
    fputs("}", stdout);
  } else if (!code && !(o->out && strcmp(o->out, "-") == 0)) {
    fputs(first ? "" : "\n", stdout);
    htz_lab_table(stdout, e, report);
  }
  if (!code) {
    say_verdict(o, e, report);
  }
  htz_lab_report_free(report);
  return code;
}

/** What is wrong with the flags and names together, NULL: nothing. */
static const char* fault_of(const htz_options* o, bool several, const htz_lab_experiment* only) {
  const htz_lab_options* f = &o->lab;
  if (o->csv || o->orchestra.instrument || o->rate_given || f->solver || f->law_given || f->key >= 0 || !isnan(f->mass) ||
      !isnan(f->stiffness) || !isnan(f->exponent) || !isnan(f->viscosity) || !isnan(f->hysteresis) || !isnan(f->relaxation) ||
      !isnan(f->speed) || !isnan(f->at)) {
    return "an experiment sets its own parameters; it takes --out, --plot, --json and --progress";
  }
  if (several && (o->out || o->plot)) {
    return "--out and --plot take one experiment at a time";
  }
  if (o->plot && !htz_plot_ending(o->plot)) {
    return "--plot: the file's name must end in .png or .svg";
  }
  if (o->plot && only && only->plot.n_curves == 0) {
    return "this experiment has nothing to draw; --out writes its numbers";
  }
  if (o->out && o->plot && htz_whole_same(o->out, o->plot)) {
    return "--out and --plot name the same file";
  }
  if (o->out && strcmp(o->out, "-") == 0 && o->json) {
    return "--out - and --json both write to standard output";
  }
  return NULL;
}

/** See before a long run whether its files can be written. */
static int try_outputs(const htz_options* o) {
  const char* const paths[] = {o->out, o->plot};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
    const char* why = NULL;
    const int fault = paths[i] ? htz_whole_try(paths[i], &why) : 0;
    if (fault) {
      return htz_whole_say(o->log, paths[i], fault, why);
    }
  }
  return HTZ_EXIT_DONE;
}

static int run_named(const htz_options* o, const char* const* names, size_t n) {
  const bool all = n == 1 && strcmp(names[0], "all") == 0;
  for (size_t i = 0; i < n && !all; ++i) {
    if (!htz_lab_find(names[i])) {
      return htz_lab_unknown(o, names[i]);
    }
  }
  const char* fault = fault_of(o, all || n > 1, all ? NULL : htz_lab_find(names[0]));
  if (fault) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab run: %s", fault);
    return HTZ_EXIT_USAGE;
  }
  int code = try_outputs(o);
  if (code) {
    return code;
  }
  if (o->json) {
    fprintf(stdout, "{\"hertzian\": \"%s\", \"experiments\": [", HTZ_VERSION);
  }
  for (size_t i = 0; all ? htz_lab_at(i) != NULL : i < n; ++i) {
    const int one = run_one(o, all ? htz_lab_at(i) : htz_lab_find(names[i]), i == 0);
    code = code ? code : one;
  }
  fputs(o->json ? "\n]}\n" : "", stdout);
  return code;
}

int htz_lab_run_command(const htz_options* o) {
  if (o->n_args < 2) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab run: needs the name of an experiment, or all; hertzian lab list has them");
    return HTZ_EXIT_USAGE;
  }
  return run_named(o, o->args + 1, o->n_args - 1);
}

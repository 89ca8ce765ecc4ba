#include "binds.h"
#include "exit_code.h"
#include "render_control.h"
#include "render_names.h"
#include "render_report.h"
#include "settings.h"

#include "hertzian/host/drive_file.h"
#include "hertzian/midi/smf.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int first_failure(const htz_job* jobs, size_t n_jobs) {
  for (size_t i = 0; i < n_jobs; i++) {
    if (jobs[i].result.code != HTZ_EXIT_DONE) {
      return jobs[i].result.code;
    }
  }
  for (size_t i = 0; i < n_jobs; i++) {
    if (!jobs[i].result.finished) {
      return HTZ_EXIT_INTERNAL; // never success without a file
    }
  }
  return HTZ_EXIT_DONE;
}

// What drives is the same for all songs: one line when it cannot be used, and nothing is rendered.
static int check_drive(const htz_options* options) {
  htz_drive_file* drive = NULL;
  char why[HTZ_DRIVE_WHY];
  const htz_status status = htz_drive_file_open(options->drive, options->rate_hz, &drive, why);
  if (htz_status_starved(status)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), options->drive);
  } else if (status) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s: %s", options->drive, why);
  }
  htz_drive_file_free(drive);
  return htz_exit_for_input(status);
}

// What is not a file, a FIFO say, gives what it has once.
static bool is_read_again(const char* path) {
  struct stat info;
  return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

/**
   The programs that the songs can ask for: those that any channel changes to, since what a channel plays may go by another's.

   @return false when that cannot be told beforehand: of a song that can be read only once, of one with what was dialled in, which moves all
           that was loaded then, and of controllers that are bound to what the instruments at hand have
*/
static bool asked_for(const htz_options* options, htz_program_set* out) {
  bool known = options->n_binds == 0;
  *out = (htz_program_set){{1u}}; // what plays where nothing was asked for
  for (size_t i = 0; i < options->n_args && known; i++) {
    htz_smf* song = NULL;
    htz_smf_diag diag;
    known = strcmp(options->args[i], "-") != 0 && is_read_again(options->args[i]);
    // What is wrong with it is said when it is played.
    if (known && htz_smf_load_file(options->args[i], &song, &diag) == HTZ_OK && htz_smf_unfold(&song) == HTZ_OK) {
      known = htz_smf_get_info(song)->dials == 0;
      for (size_t word = 0; word < HTZ_SMF_PROGRAM_WORDS; word++) {
        out->word[word] |= htz_smf_get_info(song)->changes[word];
      }
    }
    htz_smf_free(song);
  }
  return known;
}

/** Of all that is installed only what the songs ask for, unless a `-s` is meant for something else. */
static int load_instruments(const htz_options* options, htz_orchestra* orchestra) {
  htz_program_set asked;
  htz_orchestra_wish wish = options->orchestra;
  wish.asked = !wish.instrument && asked_for(options, &asked) ? &asked : NULL;
  htz_status status = htz_orchestra_open(orchestra, &wish, options->log);
  if (!status && wish.asked && !htz_settings_suit(options, orchestra)) {
    htz_orchestra_free(orchestra);
    status = htz_orchestra_open(orchestra, &options->orchestra, options->log);
  }
  return htz_exit_for_input(status);
}

static int load(const htz_options* options, htz_orchestra* orchestra) {
  if (!options->drive) {
    return load_instruments(options, orchestra);
  }
  const int code = htz_exit_for_input(htz_orchestra_open_driven(orchestra, &options->orchestra, options->log));
  return code == HTZ_EXIT_DONE ? check_drive(options) : code;
}

static int perform(const htz_options* options, htz_job* jobs) {
  htz_orchestra orchestra;
  htz_control control;
  const size_t n_jobs = htz_render_count(options);
  int code = load(options, &orchestra);
  htz_orchestra_all_as_played(&orchestra);
  code = code == HTZ_EXIT_DONE ? htz_settings_check(options, &orchestra) : code;
  code = code == HTZ_EXIT_DONE ? htz_binds_check(options, &orchestra) : code;
  if (code == HTZ_EXIT_DONE) {
    for (size_t i = 0; i < n_jobs; i++) {
      jobs[i].options = options;
      jobs[i].orchestra = &orchestra;
      jobs[i].control = &control;
    }
    const int number = htz_control_run(&control, options, jobs, n_jobs);
    code = number != 0 ? HTZ_EXIT_SIGNAL + number : first_failure(jobs, n_jobs);
    if (number != 0) {
      htz_log_say(options->log, HTZ_LOG_NOTICE, "interrupted; what was not finished is not written");
    }
    if (options->json) {
      htz_report_json(jobs, n_jobs);
    }
  }
  htz_orchestra_free(&orchestra);
  return code;
}

// Until htz_control_run() waits for signals nothing is written that would have to go.
static void leave_at_once(int number) {
  _exit(HTZ_EXIT_SIGNAL + number);
}

static void obey_signals(void) {
  const struct sigaction leave = {.sa_handler = leave_at_once};
  struct sigaction hangup;
  sigaction(SIGINT, &leave, NULL); // a shell starts background jobs with it ignored; whoever sends one by hand means it
  sigaction(SIGTERM, &leave, NULL);
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) { // else: nohup
    sigaction(SIGHUP, &leave, NULL);
  }
}

int htz_cmd_render(const htz_options* options) {
  char error[HTZ_USAGE_TEXT] = "";
  obey_signals();
  htz_job* jobs = calloc(htz_render_count(options) + 1, sizeof *jobs); // never of nothing
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
  for (size_t i = 0; i < htz_render_count(options); i++) {
    htz_job_free(&jobs[i]);
  }
  free(jobs);
  return code;
}

#include "exit_code.h"
#include "options.h"
#include "render_report.h"

#include "hertzian/io/wav_repair.h"

/* `hertzian repair`: a header that a crash left behind is made true. */

static int repair(const char* path, htz_log* log) {
  char why[HTZ_WAV_REPAIR_WHY], found[HTZ_TIME_TEXT], said[HTZ_TIME_TEXT];
  htz_wav_repair_result result;
  const htz_status status = htz_wav_repair(path, &result, why);
  if (status) {
    const bool starved = htz_status_starved(status);
    htz_log_say(log, HTZ_LOG_ERROR, starved ? "%s (%s)" : "%s: %s", starved ? why : path, starved ? path : why);
    return status == HTZ_IO || status == HTZ_UNSUPPORTED ? HTZ_EXIT_OUTPUT : htz_exit_for(status, HTZ_EXIT_INPUT);
  }
  const double rate = result.rate_hz > 0 ? (double)result.rate_hz : 1.0;
  htz_time_text((double)result.found / rate, found);
  if (result.changed) {
    htz_log_say(log, HTZ_LOG_NOTICE, "%s: repaired, %s are there (its header said %s)", path, found,
                htz_time_text((double)result.said / rate, said));
  } else {
    htz_log_say(log, HTZ_LOG_NOTICE, "%s: nothing to repair, %s", path, found);
  }
  return HTZ_EXIT_DONE;
}

int htz_cmd_repair(const htz_options* options) {
  int code = HTZ_EXIT_DONE;
  if (options->n_args == 0) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "repair: which file? hertzian repair FILE.wav");
    return HTZ_EXIT_USAGE;
  }
  for (size_t i = 0; i < options->n_args; i++) {
    const int fault = repair(options->args[i], options->log);
    code = code ? code : fault;
  }
  return code;
}

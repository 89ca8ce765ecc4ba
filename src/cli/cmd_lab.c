#include "lab_impact.h"
#include "lab_run.h"

#include <string.h>

int htz_cmd_lab(const htz_options* o) {
  if (o->out && !(o->n_args > 0 && strcmp(o->args[0], "run") == 0)) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab: --out is of lab run");
    return HTZ_EXIT_USAGE;
  }
  if (o->n_args == 1 && strcmp(o->args[0], "impact") == 0) {
    return htz_lab_impact_command(o);
  }
  if (o->n_args > 0 && strcmp(o->args[0], "list") == 0) {
    return htz_lab_list_command(o);
  }
  if (o->n_args > 0 && strcmp(o->args[0], "run") == 0) {
    return htz_lab_run_command(o);
  }
  const bool impact = o->n_args > 1 && strcmp(o->args[0], "impact") == 0;
  htz_log_say(o->log, HTZ_LOG_ERROR, "lab: %s; there are list, run and impact",
              o->n_args ? o->args[impact ? 1 : 0] : "nothing to do");
  return HTZ_EXIT_USAGE;
}

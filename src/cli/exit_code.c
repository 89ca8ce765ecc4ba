#include "exit_code.h"

int htz_exit_for_input(htz_status status) {
  switch (status) {
  case HTZ_OK:
    return HTZ_EXIT_DONE;
  case HTZ_UNSUPPORTED:
    return HTZ_EXIT_USAGE;
  default:
    return htz_exit_for(status, HTZ_EXIT_INPUT);
  }
}

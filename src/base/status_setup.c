#include "hertzian/base/status.h"

const char* htz_status_text(htz_status status) {
  switch (status) {
  case HTZ_OK:
    return "ok";
  case HTZ_NO_MEMORY:
    return "out of memory";
  case HTZ_BAD_VALUE:
    return "value out of range";
  case HTZ_BAD_INPUT:
    return "bad input";
  case HTZ_NOT_FOUND:
    return "not found";
  case HTZ_IO:
    return "reading or writing failed";
  case HTZ_UNSUPPORTED:
    return "not supported by this build";
  case HTZ_FULL:
    return "capacity used up";
  }
  return "unknown status";
}

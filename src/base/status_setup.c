#include "hertzian/base/status.h"

#include <errno.h>

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
  case HTZ_NO_THREAD:
    return "no thread to be had: ulimit -u, or no memory for its stack";
  case HTZ_NO_FILES:
    return "Too many open files"; // as strerror() says it
  }
  return "unknown status";
}

bool htz_status_starved(htz_status status) {
  return status == HTZ_NO_MEMORY || status == HTZ_NO_THREAD || status == HTZ_NO_FILES;
}

htz_status htz_status_of_errno(int error, htz_status otherwise) {
  switch (error) {
  case ENOMEM:
    return HTZ_NO_MEMORY;
  case EMFILE:
  case ENFILE:
    return HTZ_NO_FILES;
  default:
    return otherwise;
  }
}

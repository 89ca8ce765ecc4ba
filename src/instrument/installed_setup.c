#define _GNU_SOURCE // dladdr

#include "installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Ways from the folder of the program, and of the library, to the data: as they are laid out by the installation.
#ifndef HTZ_DATA_FROM_PROGRAM
#define HTZ_DATA_FROM_PROGRAM "../share"
#endif
#ifndef HTZ_DATA_FROM_LIBRARY
#define HTZ_DATA_FROM_LIBRARY "../share"
#endif

static bool is_library(const char* file) {
  return strstr(file, ".so") != NULL;
}

bool htz_installed_instruments(char* path, size_t size) {
  static const char here; // an address in whatever this code is part of
  Dl_info info = {0};
  char file[PATH_MAX];
  const bool library = dladdr(&here, &info) != 0 && info.dli_fname && is_library(info.dli_fname);
  // The name by which a program was started need not be a path.
  if (!realpath(library ? info.dli_fname : "/proc/self/exe", file)) {
    return false;
  }
  char* slash = strrchr(file, '/');
  if (!slash) {
    return false;
  }
  *slash = '\0';
  const int n =
      snprintf(path, size, "%s/%s/hertzian/instruments", file, library ? HTZ_DATA_FROM_LIBRARY : HTZ_DATA_FROM_PROGRAM);
  return n > 0 && (size_t)n < size && access(path, R_OK | X_OK) == 0;
}

#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

htz_status htz_text_read(const char* path, size_t most, char** text, size_t* length, htz_diags* diags) {
  *text = NULL;
  errno = 0;
  FILE* file = fopen(path, "rb");
  if (!file) {
    const int reason = errno;
    htz_diags_add(diags, 0, 0, "cannot open: %s", strerror(reason));
    return reason == ENOENT || reason == ENOTDIR ? HTZ_NOT_FOUND : htz_status_of_errno(reason, HTZ_IO);
  }
  char* bytes = malloc(most + 1);
  if (!bytes) {
    fclose(file);
    htz_diags_add(diags, 0, 0, "out of memory");
    return HTZ_NO_MEMORY;
  }
  *length = fread(bytes, 1, most + 1, file);
  const bool failed = ferror(file) != 0;
  const int reason = errno;
  fclose(file);
  if (failed) {
    free(bytes);
    htz_diags_add(diags, 0, 0, "cannot read: %s", strerror(reason));
    return htz_status_of_errno(reason, HTZ_IO);
  }
  *text = bytes;
  return HTZ_OK;
}

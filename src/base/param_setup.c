#include "hertzian/base/param.h"

#include <string.h>

size_t htz_param_find(const htz_param_desc* table, size_t count, const char* name) {
  size_t i = 0;
  while (i < count && strcmp(table[i].name, name) != 0) {
    ++i;
  }
  return i;
}

#include "hertzian/instrument/params.h"

#include <string.h>

const char* const* htz_param_words(size_t index) {
  static const char* const ways[] = {"one-way", "two-way", NULL};
  static const char* const gestures[] = {"mallet", "bow", "pluck", "throw", "kick", NULL}; // as htz_excite
  static const char* const ears[] = {"player", "audience", "close", NULL};                 // as htz_ears
  return index == HTZ_PARAM_EARS ? ears : index == HTZ_PARAM_BOARD ? ways : index == HTZ_PARAM_GESTURE ? gestures : NULL;
}

int htz_param_word_value(size_t index, const char* word) {
  const char* const* words = htz_param_words(index);
  for (int value = 0; words && words[value]; ++value) {
    if (strcmp(words[value], word) == 0) {
      return value;
    }
  }
  return -1;
}

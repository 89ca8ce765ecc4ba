#include "config.h"

#include "config_private.h"

#include "hertzian/instrument/diag.h"

#include <stdlib.h>
#include <string.h>

static const char* const off_words[] = {"no", "off", "false", "0"};
static const char* const on_words[] = {"yes", "on", "true", "1"};
enum { WORDS = sizeof on_words / sizeof on_words[0], KEYS = HTZ_FLAG_COUNT };

static bool among(const char* word, const char* const words[WORDS]) {
  for (size_t i = 0; i < WORDS; i++) {
    if (strcmp(word, words[i]) == 0) {
      return true;
    }
  }
  return false;
}

// What is asked of the program itself, and not of how it plays.
static bool may_be_key(htz_flag_id id) {
  return id != HTZ_FLAG_HELP && id != HTZ_FLAG_VERSION && id != HTZ_FLAG_CONFIG && htz_flags[id].commands & htz_config_commands;
}

htz_flag_id htz_config_key(const char* key, char* why, size_t why_size) {
  const char* names[KEYS];
  size_t n = 0;
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    if (may_be_key((htz_flag_id)id)) {
      if (strcmp(htz_flags[id].name, key) == 0) {
        return (htz_flag_id)id;
      }
      names[n++] = htz_flags[id].name;
    }
  }
  const char* near = htz_suggest(key, names, n);
  if (near) {
    snprintf(why, why_size, "%.80s: unknown; did you mean %s?", key, near);
  } else {
    snprintf(why, why_size, "%.80s: unknown; long flags of play, record and render are allowed, without their dashes", key);
  }
  return HTZ_FLAG_COUNT;
}

// `yes` and `no` are for flags that need no argument; those that take none know nothing else.
static bool understand(htz_config_entry* entry, char* value, char* why, size_t why_size) {
  const htz_argument argument = htz_flags[entry->flag].argument;
  entry->value = value;
  if (argument == HTZ_ARGUMENT_REQUIRED) {
    return true;
  }
  const bool on = among(value, on_words);
  entry->off = among(value, off_words);
  if (!on && !entry->off && argument == HTZ_ARGUMENT_NONE) {
    snprintf(why, why_size, "%s%.80s: neither yes nor no", entry->shown, value);
    return false;
  }
  if (on || entry->off) {
    free(entry->value);
    entry->value = NULL;
  }
  return true;
}

// What the flag makes of it, whichever command it is of.
static bool is_allowed(const htz_config_entry* entry, char* why, size_t why_size) {
  htz_options scratch = {0};
  htz_setting setting;
  htz_parse_result result = {.what = HTZ_PARSE_RUN};
  if (entry->off || htz_flag_apply(entry->flag, entry->shown, entry->value, &scratch, &setting, &result)) {
    return true;
  }
  snprintf(why, why_size, "%s", result.error);
  return false;
}

htz_status htz_config_add(htz_config* config, htz_layer layer, htz_flag_id flag, const char* shown, const char* value,
                          char* why, size_t why_size) {
  htz_config_entry* grown = realloc(config->entry, (config->n + 1) * sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  config->entry = grown;
  htz_config_entry* entry = &grown[config->n];
  *entry = (htz_config_entry){.flag = flag, .layer = layer, .shown = strdup(shown)};
  char* copy = strdup(value);
  if (!entry->shown || !copy) {
    free(entry->shown);
    free(copy);
    return HTZ_NO_MEMORY;
  }
  config->n++;
  return understand(entry, copy, why, why_size) && is_allowed(entry, why, why_size) ? HTZ_OK : HTZ_BAD_INPUT;
}

// The strongest layer that says anything of the flag.
static htz_layer strongest(const htz_config* config, htz_flag_id flag) {
  htz_layer layer = HTZ_LAYER_SYSTEM;
  for (size_t i = 0; i < config->n; i++) {
    if (config->entry[i].flag == flag && config->entry[i].layer > layer) {
      layer = config->entry[i].layer;
    }
  }
  return layer;
}

bool htz_config_apply(htz_config* config, htz_options* options, htz_setting* settings, htz_parse_result* result) {
  for (size_t i = 0; i < config->n; i++) {
    const htz_config_entry* entry = &config->entry[i];
    const bool known = htz_flags[entry->flag].commands >> options->command & 1u;
    if (!known || entry->off || (entry->flag != HTZ_FLAG_SET && entry->layer < strongest(config, entry->flag))) {
      continue;
    }
    if (!htz_flag_apply(entry->flag, entry->shown, entry->value, options, settings, result)) {
      return false; // one too many
    }
    config->from_below[entry->flag] = entry->flag != HTZ_FLAG_SET;
  }
  options->song_flag = NULL; // what is meant for songs does not ask for one
  return true;
}

void htz_config_free(htz_config* config) {
  for (size_t i = 0; i < config->n; i++) {
    free(config->entry[i].shown);
    free(config->entry[i].value);
  }
  free(config->entry);
  *config = (htz_config){0};
}

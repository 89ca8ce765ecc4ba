#include "show_performance.h"

#include "exit_code.h"
#include "json.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/instrument/number.h"

#include <stdlib.h>
#include <string.h>

enum { CELL = 160, KEY_TEXT = 8, CHANNELS = 16, ALL_CHANNELS = 0xFFFF, SEVEN_BITS = 127, DIGITS = 10 };

/** A performance, and the instruments in it. */
typedef struct {
  char path[HTZ_PATH_MAX];
  htz_orchestra orchestra;
  htz_performance_file file;
} stage;

static htz_status open_stage(stage* s, const char* name, htz_diags* diags, htz_log* log) {
  bool performance;
  const htz_status status = htz_orchestra_find(name, s->path, &performance, diags);
  if (status) {
    return status;
  }
  htz_diags_init(diags, s->path);
  return htz_orchestra_read(&s->orchestra, s->path, &s->file, diags, log);
}

static void close_stage(stage* s) {
  if (s) {
    htz_orchestra_free(&s->orchestra);
  }
  free(s);
}

bool htz_is_performance(const char* name) {
  bool performance = false;
  char* path = malloc(HTZ_PATH_MAX);
  htz_diags* diags = calloc(1, sizeof *diags);
  htz_spec* spec = NULL;
  if (path && diags && htz_orchestra_find(name, path, &performance, diags) == HTZ_OK && !performance) {
    performance = htz_spec_load(path, &spec, diags) == HTZ_UNSUPPORTED;
  }
  htz_spec_free(spec);
  free(path);
  free(diags);
  return performance;
}

htz_status htz_check_performance(const char* name, htz_diags* diags, htz_log* log) {
  stage* s = calloc(1, sizeof *s);
  htz_diags_init(diags, name);
  const htz_status status = s ? open_stage(s, name, diags, log) : HTZ_NO_MEMORY;
  close_stage(s);
  return status;
}

static const char* key_name(unsigned key, char text[KEY_TEXT]) {
  static const char* const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  enum { OCTAVE = 12 };
  snprintf(text, KEY_TEXT, "%s%d", names[key % OCTAVE], (int)(key / OCTAVE) - 1);
  return text;
}

static const char* channels_text(uint16_t channels, char text[CELL]) {
  size_t used = 0;
  snprintf(text, CELL, "all");
  for (unsigned c = 0; c < CHANNELS && channels != ALL_CHANNELS; c++) {
    if (channels >> c & 1u) {
      used += (size_t)snprintf(text + used, CELL - used, "%s%u", used ? "," : "", c + 1);
    }
  }
  return text;
}

static void print_part(FILE* out, const htz_performance_part* part) {
  char channels[CELL], keys[CELL], velocity[CELL], low[KEY_TEXT], high[KEY_TEXT], number[HTZ_NUMBER_TEXT];
  snprintf(keys, sizeof keys, "%s-%s", key_name(part->key_low, low), key_name(part->key_high, high));
  snprintf(velocity, sizeof velocity, "%u-%u", part->velocity_low, part->velocity_high);
  fprintf(out, "%-16s  %-8s %-9s %-9s %9d %8s dB", part->instrument, channels_text(part->channels, channels), keys, velocity,
          part->transpose, htz_number_text(part->level_db, number));
  fprintf(out, " %5s", htz_number_text(part->pan, number));
  for (size_t i = 0; i < part->n_settings; i++) {
    const htz_performance_setting* setting = &part->setting[i];
    const char* const* words = htz_spec_param_words(part->spec, setting->param);
    fprintf(out, "%s%s=%s", i ? " " : "  ", htz_spec_param(part->spec, setting->param).name,
            words ? words[(size_t)setting->value] : htz_number_text(setting->value, number));
  }
  fputc('\n', out);
}

static void print_part_json(FILE* out, const htz_performance_part* part) {
  const char* comma = "";
  fputs("{\"instrument\": ", out);
  htz_json_string(out, part->instrument);
  fputs(", \"channels\": [", out);
  for (unsigned c = 0; c < CHANNELS; c++) {
    if (part->channels >> c & 1u) {
      fprintf(out, "%s%u", comma, c + 1);
      comma = ", ";
    }
  }
  fprintf(out, "], \"keys\": [%u, %u], \"velocity\": [%u, %u], \"transpose\": %d, \"level\": ", part->key_low, part->key_high,
          part->velocity_low, part->velocity_high, part->transpose);
  htz_json_number(out, part->level_db, DIGITS);
  fputs(", \"pan\": ", out);
  htz_json_number(out, part->pan, DIGITS);
  fputs(", \"set\": {", out);
  for (size_t i = 0; i < part->n_settings; i++) {
    fputs(i ? ", " : "", out);
    htz_json_string(out, htz_spec_param(part->spec, part->setting[i].param).name);
    fputs(": ", out);
    htz_json_number(out, part->setting[i].value, DIGITS);
  }
  fputs("}}", out);
}

int htz_show_performance(FILE* out, const char* name, bool json, htz_log* log) {
  stage* s = calloc(1, sizeof *s);
  htz_diags* diags = calloc(1, sizeof *diags);
  const htz_status status = s && diags ? open_stage(s, name, diags, log) : HTZ_NO_MEMORY;
  if (status && diags) {
    htz_diags_say_status(diags, status, log);
  } else if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(status));
  } else if (json) {
    fputs("{\"file\": ", out);
    htz_json_string(out, s->path);
    fputs(", \"name\": ", out);
    htz_json_string(out, s->file.name);
    fputs(", \"about\": ", out);
    htz_json_string(out, s->file.about);
    fputs(", \"parts\": [", out);
    for (size_t i = 0; i < s->file.n_parts; i++) {
      fputs(i ? ",\n  " : "\n  ", out);
      print_part_json(out, &s->file.part[i]);
    }
    fputs("]}\n", out);
  } else {
    fprintf(out, "%s   %s\n%s%s", s->file.name[0] ? s->file.name : name, s->path, s->file.about, s->file.about[0] ? "\n" : "");
    fputs("INSTRUMENT        CHANNELS KEYS      VELOCITY  TRANSPOSE    LEVEL      PAN  SET\n", out);
    for (size_t i = 0; i < s->file.n_parts; i++) {
      print_part(out, &s->file.part[i]);
    }
  }
  free(diags);
  close_stage(s);
  return htz_exit_for(status, HTZ_EXIT_INPUT);
}

int htz_show_performances(FILE* out, htz_log* log) {
  htz_performance_names names;
  stage* s = calloc(1, sizeof *s);
  htz_diags* diags = calloc(1, sizeof *diags);
  htz_status status = s && diags ? htz_performance_list(&names) : HTZ_NO_MEMORY;
  for (size_t i = 0; !status && i < names.n; i++) {
    const htz_status read = open_stage(s, names.name[i], diags, log);
    fputs(i == 0 ? "\nPERFORMANCE       ABOUT\n" : "", out);
    if (read) {
      fprintf(out, "%-16s  (faults: hertzian instruments validate %s)\n", names.name[i], s->path);
    } else {
      fprintf(out, "%-16s  %s\n", names.name[i], s->file.about[0] ? s->file.about : s->file.name);
    }
  }
  if (!status) {
    htz_performance_list_free(&names);
  } else {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (the performances)", htz_status_text(status));
  }
  free(diags);
  close_stage(s);
  return htz_exit_for(status, HTZ_EXIT_INPUT);
}

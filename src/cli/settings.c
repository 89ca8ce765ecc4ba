#include "settings.h"

#include "hertzian/instrument/number.h"
#include "hertzian/instrument/spec_grid.h"

#include <stdio.h>

static bool suits(const htz_spec* spec, const htz_setting* setting) {
  const size_t param = htz_setting_param(setting, spec);
  const htz_param_desc desc = htz_spec_param(spec, param < htz_spec_n_params(spec) ? param : 0);
  return htz_spec_param_used(spec, param) && setting->value >= desc.minimum && setting->value <= desc.maximum &&
         htz_spec_param_has(spec, param, setting->value);
}

static const char* name_of(const htz_setting* setting) {
  return setting->name[0] ? setting->name : htz_instrument_params[setting->param].name;
}

/** Names of what these instruments have parameters for: those that every one has first. */
static void list_params(const htz_spec* const* specs, size_t n, size_t size, char* list) {
  size_t used = 0;
  for (size_t param = 0; param < HTZ_PARAM_NAMED && used < size; param++) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
      any = any || htz_spec_param_used(specs[i], param);
    }
    if (any) {
      used += (size_t)snprintf(list + used, size - used, "%s %s", used ? "," : "", htz_instrument_params[param].name);
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t param = HTZ_PARAM_COUNT; param < htz_spec_n_params(specs[i]) && used < size; param++) {
      if (htz_spec_param_used(specs[i], param)) {
        used += (size_t)snprintf(list + used, size - used, ", %s", htz_spec_param(specs[i], param).name);
      }
    }
  }
}

/** Of what these instruments have parameters for, that which is nearest to `name`; NULL when none is near. */
static const char* nearest(const htz_spec* const* specs, size_t n, const char* name) {
  const char* best = NULL;
  for (size_t i = 0; i < n; i++) {
    for (size_t param = 0; param < htz_spec_n_params(specs[i]); param++) {
      const char* pair[] = {htz_spec_param(specs[i], param).name, best};
      const char* nearer = htz_spec_param_used(specs[i], param) ? htz_suggest(name, pair, best ? 2 : 1) : NULL;
      best = nearer ? nearer : best;
    }
  }
  return best;
}

static int refuse_unused(const htz_options* options, const htz_setting* setting, const htz_spec* const* specs, size_t n) {
  char list[HTZ_USAGE_TEXT] = "";
  if (setting->param == HTZ_PARAM_BOARD && n == 1) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "-s board: there is no two-way board on %s: %s", specs[0]->id,
                htz_spec_one_way_why(specs[0]));
    return HTZ_EXIT_USAGE;
  }
  const char* near = setting->name[0] ? nearest(specs, n, setting->name) : NULL;
  list_params(specs, n, sizeof list, list);
  htz_log_say(options->log, HTZ_LOG_ERROR, "-s %s: has no effect on %s;%s%s%s there are%s", name_of(setting),
              n == 1 ? specs[0]->id : "any of the instruments", near ? " did you mean " : "", near ? near : "", near ? "?" : "",
              list);
  return HTZ_EXIT_USAGE;
}

static int refuse_range(const htz_options* options, const htz_setting* setting, const htz_spec* spec) {
  char value[HTZ_NUMBER_TEXT], least[HTZ_NUMBER_TEXT], most[HTZ_NUMBER_TEXT];
  const size_t param = htz_setting_param(setting, spec);
  const htz_param_desc desc = htz_spec_param(spec, param);
  const char* const* words = htz_spec_param_words(spec, param);
  if (words) {
    char list[HTZ_USAGE_TEXT] = "";
    size_t used = 0;
    for (size_t i = 0; words[i] && used < sizeof list; i++) {
      if (htz_spec_param_has(spec, param, (double)i)) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", words[i]);
      }
    }
    htz_log_say(options->log, HTZ_LOG_ERROR, "-s %s=%s: %s has none; there are %s", desc.name, words[(size_t)setting->value],
                spec->id, list);
    return HTZ_EXIT_USAGE;
  }
  htz_log_say(options->log, HTZ_LOG_ERROR, "-s %s=%s: out of range, %s to %s is allowed on %s", desc.name,
              htz_number_text(setting->value, value), htz_number_text(desc.minimum, least), htz_number_text(desc.maximum, most),
              spec->id);
  return HTZ_EXIT_USAGE;
}

bool htz_settings_suit(const htz_options* options, const htz_orchestra* orchestra) {
  const htz_spec* specs[HTZ_ORCHESTRA_MAX];
  const size_t n = htz_orchestra_players(orchestra, specs);
  bool all = true;
  for (size_t k = 0; k < options->n_settings; k++) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
      any = any || suits(specs[i], &options->settings[k]);
    }
    all = all && any;
  }
  return all;
}

static int check_one(const htz_options* options, const htz_setting* setting, const htz_spec* const* specs, size_t n) {
  const htz_spec* has = NULL;
  for (size_t i = 0; i < n; i++) {
    if (suits(specs[i], setting)) {
      return HTZ_EXIT_DONE;
    }
    has = !has && htz_spec_param_used(specs[i], htz_setting_param(setting, specs[i])) ? specs[i] : has;
  }
  return has ? refuse_range(options, setting, has) : refuse_unused(options, setting, specs, n);
}

/** Which of several instruments a two-way board is not to be had on: there it stays one-way. */
static void tell_one_way(const htz_options* options, const htz_spec* const* specs, size_t n) {
  char list[HTZ_USAGE_TEXT] = "";
  size_t used = 0;
  for (size_t i = 0; i < n && used < sizeof list; i++) {
    if (specs[i]->board.given && !htz_spec_two_way(specs[i])) {
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%s)", used ? ", " : "", specs[i]->id,
                               htz_spec_one_way_why(specs[i]));
    }
  }
  if (used) {
    htz_log_say(options->log, HTZ_LOG_NOTICE, "-s board=two-way: stays one-way on %s", list);
  }
}

/** Keys that a grid is too coarse to be tuned as high as is asked for; `low` and `high` receive the outermost. @return how many */
static unsigned too_high(const htz_spec* object, const double* pitch, int* low, int* high) {
  unsigned n = 0;
  for (int key = object->key_low; object->grid && key <= object->key_high; key++) {
    if (pitch[key] > key + object->grid->bend) {
      *low = n == 0 ? key : *low;
      *high = key;
      n++;
    }
  }
  return n;
}

static void tell_untuned(const htz_options* options, const htz_spec* const* specs, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (size_t o = 0; o < specs[i]->n_objects; o++) {
      const htz_spec* object = specs[i]->objects[o];
      int low = 0, high = 0;
      if (too_high(object, options->pitch, &low, &high) > 0) {
        htz_log_say(options->log, HTZ_LOG_WARNING,
                    "%s: warning: keys %d to %d cannot be tuned as high as is asked for, but up to %g semitones (bend_range)",
                    specs[i]->id, low, high, object->grid->bend);
      }
    }
  }
}

static int check_all(const htz_options* options, const htz_spec* const* specs, size_t n) {
  int code = HTZ_EXIT_DONE;
  for (size_t i = 0; i < options->n_settings && code == HTZ_EXIT_DONE; i++) {
    code = check_one(options, &options->settings[i], specs, n);
    if (code == HTZ_EXIT_DONE && options->settings[i].param == HTZ_PARAM_BOARD && options->settings[i].value > 0.0) {
      tell_one_way(options, specs, n);
    }
  }
  return code;
}

int htz_settings_check_on(const htz_options* options, const htz_spec* spec) {
  return check_all(options, &spec, 1);
}

int htz_settings_check(const htz_options* options, const htz_orchestra* orchestra) {
  const htz_spec* specs[HTZ_ORCHESTRA_MAX];
  const size_t n = htz_orchestra_players(orchestra, specs);
  if (options->tuned) {
    tell_untuned(options, specs, n);
  }
  return check_all(options, specs, n);
}

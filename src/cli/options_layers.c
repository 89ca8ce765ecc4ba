#include "options_private.h"

#include "hertzian/instrument/number.h"

#include <stdio.h>
#include <string.h>

/*
   Who plays what, as the command line says it: `-i NAME`, `-i CH:NAME`, `--layer [CH:]NAME[,keys=..]...`, `--split NAME:KEY` and
   `--split KEY:NAME`.
*/

enum { CHANNELS = 16, KEY_LAST = 127, WORD_MAX = 64 };

/** The channel, from 0, that `text` begins with, `3:`; -1 when it does with none. `*rest` is what stands behind it. */
static int channel_before(const char* text, const char** rest) {
  const size_t n = strspn(text, "0123456789");
  double number = 0.0;
  *rest = text;
  if (n == 0 || text[n] != ':' || !htz_number_parse(text, n, &number) || number < 1.0 || number > CHANNELS) {
    return -1;
  }
  *rest = text + n + 1;
  return (int)number - 1;
}

/** A number and a colon that is no channel. */
static bool bad_channel(const char* text) {
  const char* rest;
  const size_t n = strspn(text, "0123456789");
  return n > 0 && text[n] == ':' && channel_before(text, &rest) < 0;
}

bool htz_flag_instrument(const htz_flag_use* f, htz_options* options) {
  const char* name;
  const int channel = channel_before(f->value, &name);
  const bool by_channel =
      options->command == HTZ_CMD_PLAY || options->command == HTZ_CMD_RECORD || options->command == HTZ_CMD_RENDER;
  if (!name[0]) {
    return htz_flag_refuse(f, "is empty");
  }
  if (bad_channel(f->value)) {
    return htz_flag_refuse(f, "a channel is a number from 1 to 16, as in -i 3:cello");
  }
  if (channel >= 0 && !by_channel) {
    return htz_flag_refuse(f, "one instrument for all channels is wanted here");
  }
  const char** place = channel < 0 ? &options->orchestra.instrument : &options->orchestra.of_channel[channel];
  if (*place && channel >= 0) {
    return htz_flag_refuse(f, "the channel has an instrument already; --layer plays another with it");
  }
  if (*place) {
    return htz_flag_refuse(f, "a second instrument for everything; -i CH:NAME gives one to a channel, --layer and --split play "
                              "several together");
  }
  *place = name;
  return true;
}

/** NULL, and it is said, when there are too many. */
static htz_orchestra_layer* next_layer(const htz_flag_use* f, htz_options* options) {
  if (options->orchestra.n_layers == HTZ_LAYERS_MAX) {
    htz_flag_refuse(f, "one too many; 16 layers and splits are allowed");
    return NULL;
  }
  htz_orchestra_layer* layer = &options->orchestra.layer[options->orchestra.n_layers++];
  *layer = (htz_orchestra_layer){.channel = -1, .zone = HTZ_MAP_ZONE_ALL};
  return layer;
}

/** `LOW-HIGH`, each of which `read` reads: `C2-B3`, `-` may also be `..`. */
static bool range(const char* text, bool keys, uint8_t* low, uint8_t* high) {
  const char* dots = strstr(text, "..");
  const char* dash = dots || !text[0] ? NULL : strchr(text + 1, '-');
  int ends[2];
  if (dash && strchr("ABCDEFGabcdefg#", dash[-1]) && dash[1] == '1') { // C-1 is a key
    dash = strchr(dash + 1, '-');
  }
  const char* between = dots ? dots : dash;
  if (!between) {
    return false;
  }
  const char* second = between + (dots ? 2 : 1);
  double value = 0.0;
  for (size_t i = 0; i < 2; i++) {
    const char* at = i ? second : text;
    const size_t n = i ? strlen(at) : (size_t)(between - at);
    const bool good = keys ? htz_key_parse(at, n, &ends[i])
                           : htz_number_parse(at, n, &value) && value >= 0.0 && value <= KEY_LAST && value == (int)value;
    if (!good) {
      return false;
    }
    ends[i] = keys ? ends[i] : (int)value;
  }
  *low = (uint8_t)ends[0];
  *high = (uint8_t)ends[1];
  return ends[0] <= ends[1];
}

/** One `what=value` of a layer. */
static bool read_word(const htz_flag_use* f, const char* word, htz_orchestra_layer* layer) {
  char why[HTZ_USAGE_TEXT / 2];
  const char* equals = strchr(word, '=');
  const size_t n = equals ? (size_t)(equals - word) : strlen(word);
  const char* value = equals ? equals + 1 : "";
  double number = 0.0;
  const bool is_number = htz_number_parse(value, strlen(value), &number);
  if (n == strlen("keys") && strncmp(word, "keys", n) == 0) {
    layer->keyed = true;
    return range(value, true, &layer->zone.key_low, &layer->zone.key_high) ||
           htz_flag_refuse(f, "keys= takes the lowest and the highest, as in keys=C2-B3 or keys=36..59");
  }
  if (n == strlen("velocity") && strncmp(word, "velocity", n) == 0) {
    return range(value, false, &layer->zone.velocity_low, &layer->zone.velocity_high) ||
           htz_flag_refuse(f, "velocity= takes the softest and the hardest, as in velocity=64-127");
  }
  if (n == strlen("transpose") && strncmp(word, "transpose", n) == 0) {
    enum { MOST = 96 };
    layer->zone.transpose = (int8_t)(is_number && number >= -MOST && number <= MOST ? number : 0.0);
    return (is_number && number == (double)layer->zone.transpose) ||
           htz_flag_refuse(f, "transpose= takes whole semitones, -96 to 96");
  }
  if (n == strlen("level") && strncmp(word, "level", n) == 0) {
    layer->level_db = number;
    return (is_number && number >= -96.0 && number <= 24.0) || htz_flag_refuse(f, "level= takes decibels, -96 to 24");
  }
  if (n == strlen("pan") && strncmp(word, "pan", n) == 0) {
    layer->pan = number;
    return (is_number && number >= -1.0 && number <= 1.0) || htz_flag_refuse(f, "pan= takes -1 (left) to 1 (right)");
  }
  snprintf(why, sizeof why,
           "unknown \"%.40s\"; behind the instrument come keys=, velocity=, transpose=, level= and pan=", word);
  return htz_flag_refuse(f, why);
}

bool htz_flag_layer(const htz_flag_use* f, htz_options* options) {
  const char* rest;
  if (bad_channel(f->value)) {
    return htz_flag_refuse(f, "a channel is a number from 1 to 16, as in --layer 3:cello");
  }
  htz_orchestra_layer* layer = next_layer(f, options);
  if (!layer) {
    return false;
  }
  layer->channel = channel_before(f->value, &rest);
  char* name = htz_options_keep(options, rest);
  if (!name) {
    return htz_flag_refuse(f, "too long");
  }
  char* comma = strchr(name, ',');
  layer->name = name;
  while (comma) {
    char* word = comma + 1;
    *comma = '\0';
    comma = strchr(word, ',');
    if (comma) {
      *comma = '\0';
    }
    const bool good = read_word(f, word, layer);
    if (!good) {
      return false;
    }
  }
  return name[0] || htz_flag_refuse(f, "no instrument; as in --layer cello,level=-6");
}

bool htz_flag_split(const htz_flag_use* f, htz_options* options) {
  const char* rest;
  int channel = channel_before(f->value, &rest), key = 0;
  const char* colon = strrchr(rest, ':');
  if (!colon) { // `60:cello` is a key, no channel
    rest = f->value;
    channel = -1;
    colon = strrchr(rest, ':');
  }
  char* name = htz_options_keep(options, rest);
  htz_orchestra_layer* layer = name ? next_layer(f, options) : NULL;
  if (!layer) {
    return name ? false : htz_flag_refuse(f, "too long");
  }
  layer->channel = channel;
  layer->keyed = true;
  char* at = colon ? name + (colon - rest) : NULL;
  char* first = at ? strchr(name, ':') : NULL;
  if (at && at[1] && htz_key_parse(at + 1, strlen(at + 1), &key) && key > 0) {
    *at = '\0'; // below the key
    layer->name = name;
    layer->split = HTZ_SPLIT_BELOW;
    layer->zone.key_high = (uint8_t)(key - 1);
  } else if (first && first[1] && htz_key_parse(name, (size_t)(first - name), &key) && key > 0) {
    layer->name = first + 1; // from the key on
    layer->split = HTZ_SPLIT_FROM;
    layer->zone.key_low = (uint8_t)key;
  } else {
    return htz_flag_refuse(f, "as in --split bass-electric:C3 (below the key) or --split C5:glockenspiel (from it on)");
  }
  return layer->name[0] || htz_flag_refuse(f, "no instrument; as in --split bass-electric:C3");
}

void htz_layers_forget(htz_orchestra_wish* wish, bool splits) {
  size_t kept = 0;
  for (size_t i = 0; i < wish->n_layers; i++) {
    if ((wish->layer[i].split != HTZ_SPLIT_NONE) != splits) {
      wish->layer[kept++] = wish->layer[i];
    }
  }
  wish->n_layers = kept;
}

const char* htz_layers_refuse(const htz_orchestra_wish* wish) {
  for (size_t i = 0; i < wish->n_layers; i++) {
    for (size_t k = 0; k < wish->n_layers; k++) {
      const htz_orchestra_layer *a = &wish->layer[i], *b = &wish->layer[k];
      const bool same = a->split != HTZ_SPLIT_NONE && a->split == b->split && a->channel == b->channel;
      if (i < k && same &&
          (a->split == HTZ_SPLIT_BELOW ? a->zone.key_high == b->zone.key_high : a->zone.key_low == b->zone.key_low)) {
        return "--split: two at one key; --layer plays several together";
      }
      if (a->split == HTZ_SPLIT_BELOW && b->split == HTZ_SPLIT_FROM && a->channel == b->channel &&
          a->zone.key_high >= b->zone.key_low) {
        return "--split: the splits overlap; what plays the high keys begins where what plays the low ones ends, or above";
      }
    }
  }
  for (size_t i = 0; i < wish->n_layers; i++) {
    const int channel = wish->layer[i].channel;
    if (channel >= 0 && !wish->of_channel[channel]) {
      return "--layer and --split of a channel go with -i CH:NAME, an instrument of its own";
    }
  }
  return NULL;
}

#include "json.h"
#include "options.h"

#include "hertzian/io/audio.h"
#include "hertzian/io/midi_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  htz_audio_device* audio;
  size_t n_audio;
  htz_audio_device* inputs;
  size_t n_inputs;
  htz_midi_port* midi;
  size_t n_midi;
  char no_midi[HTZ_USAGE_TEXT]; ///< why there are no ports
} devices;

enum { NAME_LEAST = 30, RATES_LEAST = 16, RATES_TEXT = 128 };

/** Widths of the columns: of the widest that stands in them. */
typedef struct {
  int name, rates;
} widths;

static const double hz_per_khz = 1000, ms_per_s = 1000;

static void rates_text(const htz_audio_device* device, char text[RATES_TEXT]) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof device->rates / sizeof device->rates[0] && device->rates[i] > 0; ++i) {
    const int n = snprintf(text + used, RATES_TEXT - used, "%s%g", i ? " " : "", device->rates[i] / hz_per_khz);
    used += n > 0 && (size_t)n < RATES_TEXT - used ? (size_t)n : 0;
  }
}

// Characters of UTF-8, each taken to be as wide as any other.
static int characters(const char* text) {
  int n = 0;
  for (; *text; ++text) {
    n += ((unsigned char)*text & 0xC0) != 0x80;
  }
  return n;
}

// printf() counts bytes.
static void print_name(char mark, const char* name, int width) {
  printf("%c %s%*s ", mark, name, width - characters(name), "");
}

static int wider(int width, int length) {
  return length > width ? length : width;
}

static void widen(widths* w, const htz_audio_device* list, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    char rates[RATES_TEXT];
    rates_text(&list[i], rates);
    w->name = wider(w->name, characters(list[i].name));
    w->rates = wider(w->rates, (int)strlen(rates) + 1);
  }
}

static widths find_widths(const devices* d) {
  widths w = {NAME_LEAST, RATES_LEAST};
  widen(&w, d->audio, d->n_audio);
  widen(&w, d->inputs, d->n_inputs);
  for (size_t i = 0; i < d->n_midi; ++i) {
    w.name = wider(w.name, characters(d->midi[i].name));
  }
  return w;
}

static void print_audio(const char* heading, const htz_audio_device* list, size_t n, widths w) {
  printf("%-*s %-6s %3s  %-*s%s\n", w.name + 2, heading, "API", "ch", w.rates, "rates", "latency");
  for (size_t i = 0; i < n; ++i) {
    const htz_audio_device* a = &list[i];
    print_name(a->preferred ? '*' : ' ', a->name, w.name);
    printf("%-6s %3d  ", a->api, a->channels);
    if (a->busy[0]) {
      printf("(busy: %s)\n", a->busy);
      continue;
    }
    char rates[RATES_TEXT];
    rates_text(a, rates);
    printf("%-*s", w.rates, rates);
    if (a->latency_s > 0) {
      printf("%.0f ms", a->latency_s * ms_per_s);
    }
    putchar('\n');
  }
}

static void print_outputs_and_inputs(const devices* d, widths w) {
  if (d->n_audio == 0) {
    puts("no audio output found");
  } else {
    print_audio("AUDIO OUT", d->audio, d->n_audio, w);
  }
  if (d->n_inputs > 0) {
    print_audio("AUDIO IN", d->inputs, d->n_inputs, w);
  }
}

static void print_midi(const devices* d, widths w) {
  if (d->n_midi == 0) {
    printf("no MIDI input found%s%s\n", d->no_midi[0] ? ": " : "", d->no_midi);
    return;
  }
  puts("MIDI IN");
  for (size_t i = 0; i < d->n_midi; ++i) {
    print_name(d->midi[i].preferred ? '*' : ' ', d->midi[i].name, w.name);
    puts(d->midi[i].skipped ? "(skipped by default)" : "");
  }
}

static void print_table(const devices* d, bool audio, bool midi) {
  const widths w = find_widths(d);
  if (audio) {
    print_outputs_and_inputs(d, w);
  }
  if (midi) {
    print_midi(d, w);
  }
  if ((audio && d->n_audio + d->n_inputs > 0) || (midi && d->n_midi)) {
    puts("* = used when nothing is given; select by any part of the name: -a hdmi -m keystation --input usb");
  }
}

// ---- JSON

static const char* yes_no(bool value) {
  return value ? "true" : "false";
}

static void print_audio_json(const char* name, const htz_audio_device* list, size_t n) {
  printf("\"%s\":[", name);
  for (size_t i = 0; i < n; ++i) {
    const htz_audio_device* a = &list[i];
    fputs(i ? ",\n{\"name\":" : "\n{\"name\":", stdout);
    htz_json_string(stdout, a->name);
    fputs(",\"api\":", stdout);
    htz_json_string(stdout, a->api);
    printf(",\"channels\":%d,\"rates\":[", a->channels);
    for (size_t k = 0; k < sizeof a->rates / sizeof a->rates[0] && a->rates[k] > 0; ++k) {
      fputs(k ? "," : "", stdout);
      htz_json_number(stdout, a->rates[k], 9);
    }
    fputs("],\"latency_s\":", stdout);
    if (a->latency_s > 0) {
      htz_json_number(stdout, a->latency_s, 6);
    } else {
      fputs("null", stdout);
    }
    printf(",\"default\":%s,\"busy\":", yes_no(a->preferred));
    htz_json_string(stdout, a->busy[0] ? a->busy : NULL);
    putchar('}');
  }
  putchar(']');
}

static void print_midi_json(const devices* d) {
  fputs("\"midi\":[", stdout);
  for (size_t i = 0; i < d->n_midi; ++i) {
    fputs(i ? ",\n{\"name\":" : "\n{\"name\":", stdout);
    htz_json_string(stdout, d->midi[i].name);
    printf(",\"default\":%s,\"skipped\":%s}", yes_no(d->midi[i].preferred), yes_no(d->midi[i].skipped));
  }
  putchar(']');
}

static void print_json(const devices* d, bool audio, bool midi) {
  putchar('{');
  if (audio) {
    print_audio_json("audio", d->audio, d->n_audio);
    fputs(",\n", stdout);
    print_audio_json("audio_in", d->inputs, d->n_inputs);
  }
  if (audio && midi) {
    fputs(",\n", stdout);
  }
  if (midi) {
    print_midi_json(d);
  }
  fputs("}\n", stdout);
}

int htz_cmd_devices(const htz_options* options) {
  const char* which = options->n_args ? options->args[0] : "";
  const bool both = options->n_args == 0;
  const bool audio = both || strcmp(which, "audio") == 0;
  const bool midi = both || strcmp(which, "midi") == 0;
  if (options->n_args > 1 || (!audio && !midi)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "devices: unknown \"%s\"; usage: hertzian devices [audio|midi] [--json]",
                options->n_args > 1 ? options->args[1] : which);
    return HTZ_EXIT_USAGE;
  }
  devices d = {0};
  htz_status st = audio ? htz_audio_list(&d.audio, &d.n_audio) : HTZ_OK;
  if (!st && audio) {
    st = htz_audio_list_inputs(&d.inputs, &d.n_inputs);
  }
  if (!st && midi) {
    st = htz_midi_list(&d.midi, &d.n_midi, d.no_midi, sizeof d.no_midi);
  }
  if (st) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "devices: %s", htz_status_text(st));
  } else if (options->json) {
    print_json(&d, audio, midi);
  } else {
    print_table(&d, audio, midi);
  }
  free(d.audio);
  free(d.inputs);
  free(d.midi);
  return st ? HTZ_EXIT_INTERNAL : HTZ_EXIT_DONE;
}

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

enum { NAME_WIDTH = 30, RATES_WIDTH = 16 };

static const double hz_per_khz = 1000, ms_per_s = 1000;

static void print_rates(const htz_audio_device* device) {
  char text[128] = "";
  size_t used = 0;
  for (size_t i = 0; i < sizeof device->rates / sizeof device->rates[0] && device->rates[i] > 0; ++i) {
    const int n = snprintf(text + used, sizeof text - used, "%s%g", i ? " " : "", device->rates[i] / hz_per_khz);
    used += n > 0 && (size_t)n < sizeof text - used ? (size_t)n : 0;
  }
  printf("%-*s", RATES_WIDTH, text);
}

static void print_audio(const char* heading, const htz_audio_device* list, size_t n) {
  printf("%-*s %-6s %3s  %-*s%s\n", NAME_WIDTH + 2, heading, "API", "ch", RATES_WIDTH, "rates", "latency");
  for (size_t i = 0; i < n; ++i) {
    const htz_audio_device* a = &list[i];
    printf("%c %-*s %-6s %3d  ", a->preferred ? '*' : ' ', NAME_WIDTH, a->name, a->api, a->channels);
    if (a->busy[0]) {
      printf("(busy: %s)\n", a->busy);
      continue;
    }
    print_rates(a);
    if (a->latency_s > 0) {
      printf("%.0f ms", a->latency_s * ms_per_s);
    }
    putchar('\n');
  }
}

static void print_outputs_and_inputs(const devices* d) {
  if (d->n_audio == 0) {
    puts("no audio output found");
  } else {
    print_audio("AUDIO OUT", d->audio, d->n_audio);
  }
  if (d->n_inputs > 0) {
    print_audio("AUDIO IN", d->inputs, d->n_inputs);
  }
}

static void print_midi(const devices* d) {
  if (d->n_midi == 0) {
    printf("no MIDI input found%s%s\n", d->no_midi[0] ? ": " : "", d->no_midi);
    return;
  }
  puts("MIDI IN");
  for (size_t i = 0; i < d->n_midi; ++i) {
    printf("%c %-*s %s\n", d->midi[i].preferred ? '*' : ' ', NAME_WIDTH, d->midi[i].name,
           d->midi[i].skipped ? "(skipped by default)" : "");
  }
}

static void print_table(const devices* d, bool audio, bool midi) {
  if (audio) {
    print_outputs_and_inputs(d);
  }
  if (midi) {
    print_midi(d);
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

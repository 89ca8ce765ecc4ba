#include "bench_draw.h"
#include "exit_code.h"
#include "json.h"
#include "options.h"
#include "plot.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/lab/bench.h"

#include <errno.h>
#include <string.h>

typedef struct {
  double reference_ns;
  size_t n;
  htz_bench_kernels kernels[HTZ_ISA_COUNT];
  htz_bench_wall wall;
  htz_bench_instrument instrument;
  size_t n_ringing;
  htz_bench_ringing ringing[2]; // one-way, two-way
} report;

static void json_field(const char* name, double value, const char* after) {
  enum { DIGITS = 5 };
  printf("\"%s\": ", name);
  htz_json_number(stdout, value, DIGITS);
  fputs(after, stdout);
}

static void json_time(const char* name, htz_bench_time t, const char* after) {
  printf("\"%s\": {", name);
  json_field("ns", t.ns, ", ");
  json_field("ratio", t.ratio, "}");
  fputs(after, stdout);
}

static const char* way_of(const htz_bench_ringing* r) {
  return r->two_way ? "two-way" : "one-way";
}

static void json_ringing(const report* r) {
  fputs("  \"ringing\": [", stdout);
  for (size_t i = 0; i < r->n_ringing; ++i) {
    const htz_bench_ringing* way = &r->ringing[i];
    for (size_t k = 0; k < way->n; ++k) {
      printf("%s\n    {\"board\": \"%s\", ", i + k ? "," : "", way_of(way));
      json_field("keys_struck", way->point[k].struck, ", ");
      json_field("keys_ringing", way->point[k].ringing, ", ");
      json_time("per_sample", way->point[k].sample, ", ");
      json_field("load", way->point[k].load, "}");
    }
  }
  fputs("\n  ]\n}\n", stdout);
}

static void print_json(const htz_options* o, const htz_spec* spec, const report* r) {
  fputs("{\n  ", stdout);
  json_field("reference_ns", r->reference_ns, ",\n  \"kernels\": [\n");
  for (size_t i = 0; i < r->n; ++i) {
    fputs("    {\"name\": ", stdout);
    htz_json_string(stdout, r->kernels[i].kernels);
    fputs(", ", stdout);
    json_time("free_128_per_mode_sample", r->kernels[i].free_128, ", ");
    json_time("free_512_per_mode_sample", r->kernels[i].free_512, ", ");
    json_time("stretching_64_per_mode_sample", r->kernels[i].stretching_64, ", ");
    json_time("contact_64_per_step", r->kernels[i].contact_64, ", ");
    json_time("string_grid_per_point_step", r->kernels[i].string_grid, ", ");
    json_time("plate_grid_per_point_step", r->kernels[i].plate_grid, i + 1 < r->n ? "},\n" : "}\n");
  }
  fputs("  ],\n  \"wall\": {", stdout);
  json_field("impacts", r->wall.impacts, ", ");
  json_field("steps_per_closure", r->wall.steps_mean, ", ");
  json_field("worst_share_of_allowed", r->wall.worst, "},\n  \"instrument\": {\"name\": ");
  htz_json_string(stdout, spec->id);
  fputs(", ", stdout);
  json_field("rate_hz", o->rate_hz, ", ");
  json_field("build_ms", r->instrument.build_ms, ", ");
  json_field("memory_bytes", (double)r->instrument.memory, ", ");
  json_field("modes_per_key", r->instrument.modes_per_key, ", ");
  json_time("ringing_key_per_sample", r->instrument.ringing, ", ");
  json_field("keys_sustained", r->instrument.keys_sustained, ", ");
  json_field("steps_per_strike", r->instrument.steps_per_strike, ", ");
  json_field("chord_load", r->instrument.chord_load, "},\n");
  json_ringing(r);
}

static void print_ringing(const report* r) {
  enum { WIDTH = 40 }; // of a bar for a whole core
  printf("\nRINGING KEYS   struck  ringing  share of a core\n");
  for (size_t i = 0; i < r->n_ringing; ++i) {
    for (size_t k = 0; k < r->ringing[i].n; ++k) {
      const htz_bench_ringing_point* p = &r->ringing[i].point[k];
      const double long_bar = WIDTH * p->load + 0.5;
      const int bar = long_bar < WIDTH ? (int)long_bar : (int)WIDTH;
      printf("  %-11s %7u %8u %7.1f %% (%5.0f x)  %.*s\n", way_of(&r->ringing[i]), p->struck, p->ringing, 100.0 * p->load,
             p->sample.ratio, bar, "########################################");
    }
  }
}

static void print_text(const htz_options* o, const htz_spec* spec, const report* r) {
  printf("reference: %.3f ns per multiply-add of a plain loop; (x) is the ratio to it\n\n", r->reference_ns);
  printf("KERNELS      free modes, 128      free modes, 512      64, tension growing  64 modes in contact\n");
  printf("             per mode-sample      per mode-sample      per mode-sample      per step\n");
  for (size_t i = 0; i < r->n; ++i) {
    const htz_bench_kernels* k = &r->kernels[i];
    printf("%-11s  %.4f ns (%.3f x)    %.4f ns (%.3f x)    %.4f ns (%.3f x)    %.1f ns (%.0f x)\n", k->kernels, k->free_128.ns,
           k->free_128.ratio, k->free_512.ns, k->free_512.ratio, k->stretching_64.ns, k->stretching_64.ratio, k->contact_64.ns,
           k->contact_64.ratio);
  }
  printf("\nGRIDS        string of 200        plate of 60 by 40\n");
  printf("             per point and step   per point and step\n");
  for (size_t i = 0; i < r->n; ++i) {
    const htz_bench_kernels* k = &r->kernels[i];
    printf("%-11s  %.4f ns (%.3f x)    %.4f ns (%.3f x)\n", k->kernels, k->string_grid.ns, k->string_grid.ratio,
           k->plate_grid.ns, k->plate_grid.ratio);
  }
  printf("\nwall: %u impacts of 0.02 to 1000 samples, %.1f steps per closure, at most %.0f %% of what is allowed\n",
         r->wall.impacts, r->wall.steps_mean, 100.0 * r->wall.worst);
  const htz_bench_instrument* b = &r->instrument;
  printf("\n%s at %.0f Hz: %.1f modes per key, built in %.1f ms, %.1f MB\n", spec->id, o->rate_hz, b->modes_per_key,
         b->build_ms, (double)b->memory * 1e-6);
  printf("  a ringing key      %.2f ns per sample (%.1f x): %.0f keys in real time on one core\n", b->ringing.ns,
         b->ringing.ratio, b->keys_sustained);
  printf("  a strike           %.1f solver steps in contact, mean over keys and velocities\n", b->steps_per_strike);
  printf("  a ten-note chord   %.1f %% of its time for the worst %d frames\n", 100.0 * b->chord_load, HTZ_QUANTUM);
  print_ringing(r);
}

static int measure(const htz_options* o, const htz_spec* spec, report* r) {
  r->reference_ns = htz_bench_reference();
  for (int isa = 0; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_status st = htz_bench_run_kernels((htz_isa)isa, &r->kernels[r->n]);
    r->n += st == HTZ_OK;
    if (st == HTZ_NO_MEMORY) {
      htz_log_say(o->log, HTZ_LOG_ERROR, "%s", htz_status_text(st));
      return HTZ_EXIT_INTERNAL;
    }
  }
  const char* why = "";
  htz_status st = htz_bench_run_wall(o->rate_hz, &r->wall);
  st = st ? st : htz_bench_run_instrument(spec, o->rate_hz, &r->instrument, &why);
  const size_t ways = htz_spec_two_way(spec) ? 2 : 1;
  for (; !st && r->n_ringing < ways; ++r->n_ringing) {
    st = htz_bench_run_ringing(spec, o->rate_hz, r->n_ringing > 0, &r->ringing[r->n_ringing], &why);
  }
  if (htz_status_starved(st)) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(st), spec->id);
  } else if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s%s%s", spec->id, htz_status_text(st), why[0] ? ": " : "", why);
  }
  return htz_exit_for_input(st);
}

int htz_cmd_bench(const htz_options* o) {
  if (o->n_args > 0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "bench: %s: takes no argument; name an instrument with -i", o->args[0]);
    return HTZ_EXIT_USAGE;
  }
  if (o->plot && !htz_plot_ending(o->plot)) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "bench: --plot: the file's name must end in .png or .svg");
    return HTZ_EXIT_USAGE;
  }
  htz_orchestra orchestra;
  int code = htz_exit_for_input(htz_orchestra_load(&orchestra, o->orchestra.instrument, o->log));
  if (code != HTZ_EXIT_DONE) {
    return code;
  }
  const htz_spec* spec = orchestra.fallback;
  report r = {0};
  code = measure(o, spec, &r);
  if (code == HTZ_EXIT_DONE && o->json) {
    print_json(o, spec, &r);
  } else if (code == HTZ_EXIT_DONE) {
    print_text(o, spec, &r);
  }
  if (code == HTZ_EXIT_DONE && fflush(stdout) != 0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "standard output: %s", strerror(errno));
    code = HTZ_EXIT_OUTPUT;
  }
  if (code == HTZ_EXIT_DONE && o->plot) {
    code = htz_bench_draw(o, spec->name, r.n_ringing, r.ringing);
  }
  htz_orchestra_free(&orchestra);
  return code;
}

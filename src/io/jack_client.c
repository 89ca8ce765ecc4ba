#include "jack_client.h"

#if defined(HTZ_HAVE_JACK)

#include "audio_library.h"
#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t inside_limit_ns = 200 * (int64_t)HTZ_NS_PER_MS; // longer than any period: the server hangs
static const int64_t glance_ns = HTZ_NS_PER_MS / 2;
static const double us_per_s = 1e6;

// Of the process, as libjack's own state is.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static htz_jack* only;

static bool find_functions(htz_jack* jack, bool verbose) {
  static const char* const names[] = {"libjack.so.0", "libjack.0.dylib", "libjack64.dll", NULL};
  void* library = htz_library_open(names);
  if (!library) {
    return false;
  }
  bool complete = true;
#define FIND(name) complete = htz_library_find(library, #name, &jack->name) && complete;
  HTZ_JACK_FUNCTIONS(FIND)
#undef FIND
  if (!verbose) {
    htz_library_silence(library);
  }
  return complete;
}

// ---- on JACK's threads

static double period_start(const htz_jack* jack) {
  jack_nframes_t frames;
  jack_time_t start_us, next_us;
  float period_us;
  const double now_s = htz_clock_seconds(htz_clock_ns());
  if (jack->jack_get_cycle_times(jack->client, &frames, &start_us, &next_us, &period_us) != 0) {
    return now_s;
  }
  return now_s - (double)(int64_t)(jack->jack_get_time() - start_us) / us_per_s; // whatever clock JACK goes by
}

static int cycle(jack_nframes_t frames, void* context) {
  htz_jack* jack = context;
  const double start_s = period_start(jack);
  // Sequential order on this pair and the one in rest(): either we see that a user is gone, or the leaver sees us inside.
  atomic_store_explicit(&jack->inside, true, memory_order_seq_cst);
  for (size_t i = 0; i < HTZ_JACK_USES; ++i) {
    const htz_jack_user* user = atomic_load_explicit(&jack->user[i], memory_order_seq_cst);
    if (user) {
      user->cycle(user->context, frames, start_s);
    }
  }
  atomic_store_explicit(&jack->inside, false, memory_order_release);
  return 0;
}

static void server_gone(void* context) {
  htz_jack* jack = context;
  atomic_store_explicit(&jack->dead, true, memory_order_release);
}

static int count_xrun(void* context) {
  htz_jack* jack = context;
  atomic_fetch_add_explicit(&jack->xruns, 1, memory_order_relaxed);
  return 0;
}

// ---- taking and leaving

static htz_jack* connect_to_server(bool verbose, htz_status* starved) {
  htz_jack* jack = calloc(1, sizeof *jack);
  if (!jack) {
    *starved = HTZ_NO_MEMORY;
    return NULL;
  }
  errno = 0;
  if (!find_functions(jack, verbose)) {
    const htz_status st = htz_status_of_errno(errno, HTZ_NOT_FOUND);
    *starved = htz_status_starved(st) ? st : HTZ_OK;
    free(jack);
    return NULL;
  }
  jack_status_t status;
  const bool away = htz_stderr_away(!verbose);
  jack->client = jack->jack_client_open("hertzian", JackNoStartServer, &status);
  htz_stderr_back(away);
  if (!jack->client) {
    free(jack);
    return NULL;
  }
  pthread_mutex_init(&jack->wire, NULL);
  jack->jack_on_shutdown(jack->client, server_gone, jack);
  jack->jack_set_process_callback(jack->client, cycle, jack);
  jack->jack_set_xrun_callback(jack->client, count_xrun, jack);
  return jack;
}

htz_jack* htz_jack_take(htz_jack_use use, bool open, bool verbose, htz_status* starved) {
  *starved = HTZ_OK;
  pthread_mutex_lock(&lock);
  if (!only && open) {
    only = connect_to_server(verbose, starved);
  }
  htz_jack* jack = only && !only->closing && !only->taken[use] && !htz_jack_dead(only) ? only : NULL;
  if (jack) {
    jack->taken[use] = true;
  }
  pthread_mutex_unlock(&lock);
  return jack;
}

bool htz_jack_in_use(void) {
  pthread_mutex_lock(&lock);
  const bool in_use = only != NULL;
  pthread_mutex_unlock(&lock);
  return in_use;
}

bool htz_jack_run(htz_jack* jack, htz_jack_use use, const htz_jack_user* user) {
  atomic_store_explicit(&jack->user[use], user, memory_order_seq_cst);
  pthread_mutex_lock(&jack->wire);
  jack->active = jack->active || jack->jack_activate(jack->client) == 0;
  const bool active = jack->active;
  pthread_mutex_unlock(&jack->wire);
  return active;
}

jack_port_t* htz_jack_add_port(htz_jack* jack, const char* name, const char* type, unsigned long flags) {
  pthread_mutex_lock(&jack->wire);
  jack_port_t* port = jack->jack_port_register(jack->client, name, type, flags, 0);
  pthread_mutex_unlock(&jack->wire);
  return port;
}

void htz_jack_drop_port(htz_jack* jack, jack_port_t* port) {
  if (port && !htz_jack_dead(jack)) {
    pthread_mutex_lock(&jack->wire);
    jack->jack_port_unregister(jack->client, port);
    pthread_mutex_unlock(&jack->wire);
  }
}

void htz_jack_connect(htz_jack* jack, jack_port_t* from, jack_port_t* to) {
  pthread_mutex_lock(&jack->wire);
  jack->jack_connect(jack->client, jack->jack_port_name(from), jack->jack_port_name(to));
  pthread_mutex_unlock(&jack->wire);
}

bool htz_jack_rest(htz_jack* jack, htz_jack_use use) {
  const int64_t end = htz_clock_ns() + inside_limit_ns;
  atomic_store_explicit(&jack->user[use], NULL, memory_order_seq_cst);
  while (atomic_load_explicit(&jack->inside, memory_order_seq_cst)) {
    if (htz_clock_ns() > end) {
      return false;
    }
    htz_clock_sleep(glance_ns);
  }
  return true;
}

void htz_jack_leave(htz_jack* jack, htz_jack_use use) {
  bool others = false;
  pthread_mutex_lock(&lock);
  jack->taken[use] = false;
  for (size_t i = 0; i < HTZ_JACK_USES; ++i) {
    others = others || jack->taken[i];
  }
  jack->closing = !others;
  pthread_mutex_unlock(&lock);
  if (!others) {
    jack->jack_client_close(jack->client); // without the lock: it takes as long as the server does
    pthread_mutex_lock(&lock);
    only = NULL;
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&jack->wire);
    free(jack);
  }
}

// ---- what there is

// The client's name is what stands before the colon of a port's. @return how long it is
static size_t client_length(const char* port) {
  return strcspn(port, ":");
}

static bool is_of(const char* port, const char* client) {
  const size_t n = client_length(port);
  return strlen(client) == n && strncmp(port, client, n) == 0;
}

static const char** ports_of(const htz_jack* jack, bool inputs) {
  return jack->jack_get_ports(jack->client, NULL, JACK_DEFAULT_AUDIO_TYPE, inputs ? JackPortIsOutput : JackPortIsInput);
}

static void free_ports(const htz_jack* jack, const char** ports) {
  if (ports) {
    jack->jack_free(ports);
  }
}

// From this port to the ears, or with `inputs` from the source to it [s].
static double latency_of(const htz_jack* jack, jack_port_t* port, bool inputs) {
  jack_latency_range_t range = {0, 0};
  jack->jack_port_get_latency_range(port, inputs ? JackCaptureLatency : JackPlaybackLatency, &range);
  return range.max / (double)jack->jack_get_sample_rate(jack->client);
}

static htz_status add_client(const htz_jack* jack, const char* name, bool inputs, htz_audio_devices* devices) {
  jack_port_t* port = jack->jack_port_by_name(jack->client, name);
  htz_audio_device device = {.api = "jack", .channels = 1, .rates = {jack->jack_get_sample_rate(jack->client)}};
  snprintf(device.name, sizeof device.name, "%.*s", (int)client_length(name), name);
  if (port) {
    device.latency_s = latency_of(jack, port, inputs);
    device.preferred = (jack->jack_port_flags(port) & JackPortIsPhysical) != 0;
  }
  return htz_audio_devices_add(devices, &device);
}

htz_status htz_jack_devices(const htz_jack* jack, bool inputs, htz_audio_devices* devices) {
  const char** ports = ports_of(jack, inputs);
  const char* ours = jack->jack_get_client_name(jack->client);
  const size_t others = devices->n;
  htz_status st = HTZ_OK;
  for (size_t i = 0; ports && ports[i] && !st; ++i) {
    size_t k = others;
    while (k < devices->n && !is_of(ports[i], devices->item[k].name)) {
      ++k;
    }
    if (is_of(ports[i], ours)) {
      continue;
    }
    if (k < devices->n) {
      ++devices->item[k].channels;
    } else {
      st = add_client(jack, ports[i], inputs, devices);
    }
  }
  free_ports(jack, ports);
  return st;
}

jack_port_t* htz_jack_port(const htz_jack* jack, const char* name, unsigned channel, bool inputs) {
  const char** ports = ports_of(jack, inputs);
  jack_port_t* found = NULL;
  for (size_t i = 0; ports && ports[i] && !found; ++i) {
    if (is_of(ports[i], name) && --channel == 0) {
      found = jack->jack_port_by_name(jack->client, ports[i]);
    }
  }
  free_ports(jack, ports);
  return found;
}

#else

typedef int htz_nothing_here; // ISO C wants something in a file

#endif

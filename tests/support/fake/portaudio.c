/*
   A PortAudio whose devices are what a file says, for machines without a sound card: found before the real one through
   LD_LIBRARY_PATH. The file is named by FAKE_PORTAUDIO_DEVICES and read at each Pa_Initialize() and while a stream plays, so that devices
   come and go. A line of it is a device:

     NAME|OUTPUTS|RATES with commas|default, busy, unlisted: what else there is to it

   Blocks are asked for in real time. What comes is heard: the peak of each output, since the stream was opened, is written into the file
   that FAKE_PORTAUDIO_HEARD names when the stream is closed.
*/
#include <math.h>
#include <pa_linux_alsa.h>
#include <portaudio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEVICES = 16, OUTPUTS = 64, RATES = 8, LINE = 512 };

typedef struct {
  char name[LINE];
  int outputs;
  double rates[RATES];
  char rest[LINE];
} device;

typedef struct {
  device device[DEVICES];
  int n;
} scene;

typedef struct {
  char name[LINE];
  PaStreamCallback* callback;
  void* context;
  unsigned long frames;
  int outputs;
  PaStreamInfo info;
  pthread_t thread;
  atomic_bool stop, active;
  float peak[OUTPUTS];
} stream;

static scene listed;
static PaDeviceInfo info[DEVICES];
static PaHostApiInfo api = {.structVersion = 1, .type = paALSA, .name = "ALSA"};

static int has(const device* d, const char* word) {
  return strstr(d->rest, word) != NULL;
}

static scene look(void) {
  scene s = {.n = 0};
  char line[LINE], rates[LINE];
  FILE* file = fopen(getenv("FAKE_PORTAUDIO_DEVICES"), "r");
  while (file && s.n < DEVICES && fgets(line, sizeof line, file)) {
    device* d = &s.device[s.n];
    *d = (device){.outputs = 0};
    if (sscanf(line, "%511[^|]|%d|%511[^|]|%511[^\n]", d->name, &d->outputs, rates, d->rest) >= 3) {
      char* at = rates;
      for (int i = 0; i < RATES - 1 && *at; i++) {
        d->rates[i] = strtod(at, &at);
        at += *at == ',';
      }
      s.n++;
    }
  }
  if (file) {
    fclose(file);
  }
  return s;
}

PaError Pa_Initialize(void) {
  listed = look();
  api.deviceCount = 0;
  api.defaultOutputDevice = api.defaultInputDevice = paNoDevice;
  int n = 0;
  for (int i = 0; i < listed.n; i++) {
    if (has(&listed.device[i], "unlisted")) {
      continue;
    }
    listed.device[n] = listed.device[i];
    info[n] = (PaDeviceInfo){.structVersion = 2,
                             .name = listed.device[n].name,
                             .maxOutputChannels = listed.device[n].outputs,
                             .defaultLowOutputLatency = 0.01,
                             .defaultSampleRate = listed.device[n].rates[0]};
    if (has(&listed.device[n], "default")) {
      api.defaultOutputDevice = n;
    }
    n++;
  }
  listed.n = api.deviceCount = n;
  return paNoError;
}

PaError Pa_Terminate(void) {
  return paNoError;
}

PaDeviceIndex Pa_GetDeviceCount(void) {
  return listed.n;
}

const PaDeviceInfo* Pa_GetDeviceInfo(PaDeviceIndex i) {
  return i >= 0 && i < listed.n ? &info[i] : NULL;
}

const PaHostApiInfo* Pa_GetHostApiInfo(PaHostApiIndex i) {
  return i == 0 ? &api : NULL;
}

const PaHostErrorInfo* Pa_GetLastHostErrorInfo(void) {
  return NULL;
}

const char* Pa_GetErrorText(PaError error) {
  return error == paInvalidDevice ? "Invalid device" : "Some error";
}

static const device* find(const scene* s, const char* name) {
  for (int i = 0; i < s->n; i++) {
    if (strcmp(s->device[i].name, name) == 0) {
      return &s->device[i];
    }
  }
  return NULL;
}

static const device* meant(const scene* now, const PaStreamParameters* wanted) {
  const PaAlsaStreamInfo* specific = wanted->hostApiSpecificStreamInfo;
  return find(now, specific ? specific->deviceString : info[wanted->device].name);
}

static PaError refuse(const device* d, const PaStreamParameters* wanted, double rate) {
  if (!d) {
    return paInvalidDevice;
  }
  if (has(d, "busy")) {
    return paDeviceUnavailable;
  }
  if (wanted->channelCount > d->outputs) {
    return paInvalidChannelCount;
  }
  for (int i = 0; i < RATES; i++) {
    if (d->rates[i] == rate) {
      return paNoError;
    }
  }
  return paInvalidSampleRate;
}

PaError Pa_IsFormatSupported(const PaStreamParameters* in, const PaStreamParameters* out, double rate) {
  const scene now = look();
  return in || !out ? paInvalidDevice : refuse(meant(&now, out), out, rate);
}

PaError Pa_OpenStream(PaStream** result, const PaStreamParameters* in, const PaStreamParameters* out, double rate,
                      unsigned long frames, PaStreamFlags flags, PaStreamCallback* callback, void* context) {
  const scene now = look();
  const device* d = meant(&now, out);
  const PaError error = in ? paInvalidDevice : refuse(d, out, rate);
  (void)flags;
  if (error) {
    return error;
  }
  stream* s = calloc(1, sizeof *s);
  strcpy(s->name, d->name);
  s->callback = callback;
  s->context = context;
  s->frames = frames;
  s->outputs = out->channelCount;
  s->info = (PaStreamInfo){.structVersion = 1, .outputLatency = 0.01, .sampleRate = rate};
  *result = s;
  return paNoError;
}

static void hear(stream* s, const float* block) {
  for (unsigned long i = 0; i < s->frames * (unsigned long)s->outputs; i++) {
    float* peak = &s->peak[i % (unsigned long)s->outputs];
    *peak = fmaxf(*peak, fabsf(block[i]));
  }
}

static void* play(void* argument) {
  stream* s = argument;
  float* block = calloc(s->frames * (unsigned long)s->outputs, sizeof *block);
  const long block_ns = (long)(1e9 * (double)s->frames / s->info.sampleRate);
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  while (!s->stop) {
    const scene now = look();
    if (!find(&now, s->name)) {
      break; // pulled out
    }
    s->callback(NULL, block, s->frames, NULL, 0, s->context);
    hear(s, block);
    next.tv_nsec += block_ns;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  free(block);
  s->active = 0;
  return NULL;
}

PaError Pa_StartStream(PaStream* p) {
  stream* s = p;
  s->active = 1;
  pthread_create(&s->thread, NULL, play, s);
  return paNoError;
}

PaError Pa_StopStream(PaStream* p) {
  stream* s = p;
  s->stop = 1;
  pthread_join(s->thread, NULL);
  return paNoError;
}

PaError Pa_CloseStream(PaStream* p) {
  stream* s = p;
  const char* path = getenv("FAKE_PORTAUDIO_HEARD");
  FILE* file = path ? fopen(path, "w") : NULL;
  for (int i = 0; file && i < s->outputs; i++) {
    fprintf(file, "%g\n", (double)s->peak[i]);
  }
  if (file) {
    fclose(file);
  }
  free(s);
  return paNoError;
}

PaError Pa_IsStreamActive(PaStream* p) {
  return ((stream*)p)->active;
}

const PaStreamInfo* Pa_GetStreamInfo(PaStream* p) {
  return &((stream*)p)->info;
}

PaError PaAlsa_SetRetriesBusy(int retries) {
  (void)retries;
  return paNoError;
}

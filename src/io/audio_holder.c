#include "audio_holder.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 512 };

// Whether `target`, what a descriptor points at, is the playback side of the device.
static bool is_pcm(const char* target, int card, int device) {
  int c, d;
  char side = '\0';
  int end = 0;
  if (sscanf(target, "/dev/snd/pcmC%dD%d%c%n", &c, &d, &side, &end) != 3 || side != 'p' || target[end] != '\0') {
    return false;
  }
  return card < 0 || (c == card && d == device);
}

static bool holds(const char* proc, const char* process, int card, int device) {
  char folder[PATH];
  snprintf(folder, sizeof folder, "%s/%s/fd", proc, process);
  DIR* fds = opendir(folder); // not allowed for other people's processes
  if (!fds) {
    return false;
  }
  bool found = false;
  for (const struct dirent* fd; !found && (fd = readdir(fds));) {
    char link[2 * PATH], target[PATH];
    snprintf(link, sizeof link, "%s/%s", folder, fd->d_name);
    const ssize_t n = readlink(link, target, sizeof target - 1);
    if (n > 0) {
      target[n] = '\0';
      found = is_pcm(target, card, device);
    }
  }
  closedir(fds);
  return found;
}

// The kernel says which thread opened a device, to everyone. @return its process, 0 when the device is closed
static int owner_of(const char* proc, int card, int device) {
  char path[PATH], line[PATH];
  int thread = 0, process = 0;
  snprintf(path, sizeof path, "%s/asound/card%d/pcm%dp/sub0/status", proc, card, device);
  FILE* file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "owner_pid : %d", &thread) != 1) {
  }
  if (file) {
    fclose(file);
  }
  snprintf(path, sizeof path, "%s/%d/status", proc, thread);
  file = thread > 0 ? fopen(path, "r") : NULL;
  while (file && fgets(line, sizeof line, file) && sscanf(line, "Tgid: %d", &process) != 1) {
  }
  if (file) {
    fclose(file);
  }
  return process > 0 ? process : thread;
}

static void name_process(const char* proc, const char* process, char* text, size_t size) {
  char path[PATH], name[64] = "?";
  snprintf(path, sizeof path, "%s/%s/comm", proc, process);
  FILE* file = fopen(path, "r");
  if (file) {
    if (fgets(name, sizeof name, file)) {
      name[strcspn(name, "\n")] = '\0';
    }
    fclose(file);
  }
  snprintf(text, size, "%s[%s]", name, process);
}

bool htz_audio_holder(const char* proc, int card, int device, char* text, size_t size) {
  text[0] = '\0';
  const int owner = card >= 0 ? owner_of(proc, card, device) : 0;
  if (owner > 0) {
    char process[16];
    snprintf(process, sizeof process, "%d", owner);
    name_process(proc, process, text, size);
    return true;
  }
  DIR* processes = opendir(proc);
  if (!processes) {
    return false;
  }
  bool found = false;
  for (const struct dirent* entry; !found && (entry = readdir(processes));) {
    if (isdigit((unsigned char)entry->d_name[0]) && holds(proc, entry->d_name, card, device)) {
      name_process(proc, entry->d_name, text, size);
      found = true;
    }
  }
  closedir(processes);
  return found;
}

// " 1 [USB            ]: USB-Audio - Scarlett 2i2 USB": its number, its identifier, its driver, what it calls itself.
static void name_card(const char* proc, int card, char* name, size_t size, char id[HTZ_AUDIO_CARD_ID]) {
  char path[PATH], line[PATH];
  snprintf(path, sizeof path, "%s/asound/cards", proc);
  FILE* file = fopen(path, "r");
  name[0] = id[0] = '\0';
  while (file && !name[0] && fgets(line, sizeof line, file)) {
    int number;
    const char* stop = strstr(line, "]: ");
    const char* own = stop ? strstr(stop, " - ") : NULL;
    if (own && sscanf(line, "%d [%23[^] ]", &number, id) == 2 && number == card) {
      snprintf(name, size, "%.*s", (int)strcspn(own + 3, "\n"), own + 3);
    }
  }
  if (!name[0]) {
    id[0] = '\0';
  }
  if (file) {
    fclose(file);
  }
}

// "00-03: HDMI 0 : HDMI 0 : playback 1"; the sides that a device has come last.
static bool read_pcm(const char* proc, const char* line, htz_audio_pcm* pcm) {
  char card[HTZ_AUDIO_PCM_NAME / 2];
  int end = 0;
  if (sscanf(line, "%d-%d: %n", &pcm->card, &pcm->device, &end) != 2 || end == 0 || !strstr(line, ": playback ")) {
    return false;
  }
  const char* text = line + end;
  const char* stop = strstr(text, " : ");
  const size_t n = stop ? (size_t)(stop - text) : strcspn(text, ":\n");
  const size_t most = HTZ_AUDIO_PCM_NAME / 4;
  name_card(proc, pcm->card, card, sizeof card, pcm->id);
  snprintf(pcm->name, sizeof pcm->name, "%s%s%.*s (hw:%d,%d)", card, *card ? ": " : "", (int)(n < most ? n : most), text,
           pcm->card, pcm->device);
  return true;
}

size_t htz_audio_pcms(const char* proc, htz_audio_pcm* out, size_t max) {
  char path[PATH], line[PATH];
  snprintf(path, sizeof path, "%s/asound/pcm", proc);
  FILE* file = fopen(path, "r");
  size_t n = 0;
  while (file && n < max && fgets(line, sizeof line, file)) {
    n += read_pcm(proc, line, &out[n]);
  }
  if (file) {
    fclose(file);
  }
  return n;
}

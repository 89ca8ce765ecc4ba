#define _GNU_SOURCE // MCL_ONFAULT

#include "hertzian/io/machine.h"

#include "audio_thread.h"

#include "hertzian/io/audio.h"

#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

bool htz_machine_may_lock(char hint[HTZ_MACHINE_HINT]) {
  struct rlimit limit;
  hint[0] = '\0';
  // With a limit, memory that is asked for later would be refused.
  if (geteuid() == 0 || (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY)) {
    return true;
  }
  snprintf(
      hint, HTZ_MACHINE_HINT,
      "to keep its memory from being swapped out put \"@audio - memlock unlimited\" into /etc/security/limits.d/audio.conf "
      "and log in again; in a service, LimitMEMLOCK=infinity");
  return false;
}

bool htz_machine_lock_memory(char hint[HTZ_MACHINE_HINT]) {
  if (!htz_machine_may_lock(hint)) {
    return false;
  }
#if defined(MCL_ONFAULT)
  if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0) {
    return true;
  }
#endif
  snprintf(hint, HTZ_MACHINE_HINT, "this system does not let it keep its memory from being swapped out");
  return false;
}

int htz_machine_priority(char hint[HTZ_MACHINE_HINT]) {
  int policy = SCHED_OTHER;
  struct sched_param before, tried;
  hint[0] = '\0';
  pthread_getschedparam(pthread_self(), &policy, &before);
  const bool got = htz_thread_realtime(0, HTZ_PRIORITY_AUDIO);
  int now = policy;
  pthread_getschedparam(pthread_self(), &now, &tried);
  pthread_setschedparam(pthread_self(), policy, &before);
  if (!got) {
    htz_audio_realtime_hint(hint, HTZ_MACHINE_HINT);
  }
  return got ? tried.sched_priority : 0;
}

bool htz_machine_governor(char name[32], char hint[HTZ_MACHINE_HINT]) {
  glob_t found;
  bool any = false;
  hint[0] = name[0] = '\0';
  if (glob("/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", 0, NULL, &found) != 0) {
    return false;
  }
  for (size_t i = 0; i < found.gl_pathc && !hint[0]; i++) {
    FILE* file = fopen(found.gl_pathv[i], "r");
    if (file && fgets(name, 32, file)) {
      name[strcspn(name, "\n")] = '\0';
      any = true;
      if (strcmp(name, "performance") != 0) {
        snprintf(hint, HTZ_MACHINE_HINT,
                 "processors slow down when there is little to do and are late when there is much: cpupower frequency-set -g "
                 "performance");
      }
    }
    if (file) {
      fclose(file);
    }
  }
  globfree(&found);
  return any;
}

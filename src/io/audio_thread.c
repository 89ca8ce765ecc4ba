#include "audio_thread.h"

#include "hertzian/io/audio.h"

#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static bool is_realtime(void) {
  int policy;
  struct sched_param param;
  return pthread_getschedparam(pthread_self(), &policy, &param) == 0 && (policy == SCHED_FIFO || policy == SCHED_RR);
}

static bool set_priority(int priority) {
  const struct sched_param param = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0;
}

// Highest real-time priority that an ordinary process is allowed, 0 for none.
static int allowed_priority(void) {
#ifdef RLIMIT_RTPRIO
  struct rlimit limit;
  const rlim_t highest = 99;
  if (getrlimit(RLIMIT_RTPRIO, &limit) == 0) {
    return (int)(limit.rlim_cur > highest ? highest : limit.rlim_cur);
  }
#endif
  return 0;
}

bool htz_thread_realtime(int wish, int usual) {
  if (wish < 0) {
    return is_realtime();
  }
  const int wanted = wish > 0 ? wish : usual;
  if (!set_priority(wanted)) {
    const int allowed = allowed_priority();
    if (allowed > 0 && allowed < wanted) {
      set_priority(allowed);
    }
  }
  return is_realtime();
}

static bool in_group(const char* name) {
  const struct group* group = getgrnam(name);
  gid_t groups[256]; // more than anyone is in; getgroups() fails beyond, which reads as "no"
  const int n = group ? getgroups(sizeof groups / sizeof groups[0], groups) : 0;
  for (int i = 0; i < n; ++i) {
    if (groups[i] == group->gr_gid) {
      return true;
    }
  }
  return group && getegid() == group->gr_gid;
}

void htz_audio_realtime_hint(char* text, size_t size) {
  const char* const service = "in a service, LimitRTPRIO=70";
  if (allowed_priority() > 0) {
    snprintf(text, size, "real-time priority is limited to %d here (ulimit -r); %s", allowed_priority(), service);
  } else if (in_group("audio")) {
    snprintf(text, size,
             "for real-time priority put \"@audio - rtprio 70\" into /etc/security/limits.d/audio.conf and log in again; %s",
             service);
  } else {
    snprintf(text, size,
             "for real-time priority join the group audio (usermod -aG audio USER), put \"@audio - rtprio 70\" into "
             "/etc/security/limits.d/audio.conf and log in again; %s",
             service);
  }
}

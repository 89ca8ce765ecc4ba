#ifndef HERTZIAN_CLI_LIVE_NOTIFY_H
#define HERTZIAN_CLI_LIVE_NOTIFY_H

#include "hertzian/base/log.h"

/** Telling a service manager how it goes, by systemd's protocol: lines to the socket that $NOTIFY_SOCKET names. */
typedef struct {
  int fd;            ///< -1: nobody wants to know
  double watchdog_s; ///< alive is to be said that often; 0: never
  double said_s;     ///< when it was
} htz_notify;

void htz_notify_open(htz_notify* notify);

/** Send lines such as `READY=1`. Control thread, as all here. */
void htz_notify_say(const htz_notify* notify, const char* format, ...) HTZ_PRINTF(2, 3);

/** Say that all is well, when it is time. */
void htz_notify_alive(htz_notify* notify, double now_s);

void htz_notify_close(htz_notify* notify);

#endif

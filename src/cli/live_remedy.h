#ifndef HERTZIAN_CLI_LIVE_REMEDY_H
#define HERTZIAN_CLI_LIVE_REMEDY_H

#include <stdbool.h>
#include <stddef.h>

struct htz_session;

/** What helps a machine that is short of time. `own`: the engine itself needs too much of it; else blocks come too late. @return `text` */
const char* htz_remedy(const struct htz_session* session, bool own, char* text, size_t size);

#endif

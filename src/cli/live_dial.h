#ifndef HERTZIAN_CLI_LIVE_DIAL_H
#define HERTZIAN_CLI_LIVE_DIAL_H

#include "live_control.h"

#include <stdio.h>

/* Changing what plays while it plays. Commands of `hertzian ctl`, control thread. */

int htz_live_change_instrument(htz_session* session, const htz_live_request* request, FILE* out);
int htz_live_set(htz_session* session, const htz_live_request* request, FILE* out);
int htz_live_save(htz_session* session, const htz_live_request* request, FILE* out);

/** Read the instrument that was asked for again if its file has changed, and play it. What goes wrong is said, and nothing changes. */
void htz_live_reload(htz_session* session);

#endif

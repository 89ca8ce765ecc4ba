#ifndef HERTZIAN_CLI_RENDER_REPORT_H
#define HERTZIAN_CLI_RENDER_REPORT_H

#include "render_job.h"

enum { HTZ_TIME_TEXT = 32 };

/** A length of time as musicians read it: 0:04.5, 2:04.5, 1:02:03.4. @return `text` */
const char* htz_time_text(double seconds, char text[HTZ_TIME_TEXT]);

enum { HTZ_LEVEL_TEXT = 32 };

/** A magnitude in decibels below full scale, with one digit, "-inf" for silence. @return `text` */
const char* htz_level_text(double magnitude, char text[HTZ_LEVEL_TEXT]);

/** Say what drives which key, when there is no song. */
void htz_report_held(htz_job* job, int key);

/** Say what became of it. Render thread. */
void htz_report_done(htz_job* job, htz_map_counters map);

/** Write the summary of all jobs as JSON to standard output. */
void htz_report_json(const htz_job* jobs, size_t n_jobs);

#endif

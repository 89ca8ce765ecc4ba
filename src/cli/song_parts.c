#include "song_parts.h"

#include "render_job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX = 1024 };

bool htz_song_part_next(const htz_notes* notes, const htz_orchestra* orchestra, size_t* cursor, htz_song_part* part) {
  for (; *cursor < notes->n_of; ++*cursor) {
    const htz_notes_of* of = &notes->of[*cursor];
    const htz_cast* cast = htz_orchestra_cast(orchestra, of->channel, of->bank, of->program);
    const htz_spec* first = NULL;
    for (unsigned i = 0; i < cast->n && !first; i++) {
      const htz_role* role = &orchestra->role[cast->role[i]];
      first = role->channels >> of->channel & 1u ? role->spec : NULL;
    }
    if (!first) {
      continue; // a performance that has nobody on this channel
    }
    *part = (htz_song_part){.channel = of->channel,
                            .program = of->program,
                            .bank = of->bank,
                            .name = htz_programs_at(&orchestra->programs, of->bank, of->program)->name,
                            .notes = of->notes,
                            .instrument = first,
                            .cast = cast,
                            .reason = htz_orchestra_why(orchestra, of->channel, of->bank, of->program)};
    ++*cursor;
    return true;
  }
  return false;
}

const char* htz_song_part_players(const htz_song_part* part, const htz_orchestra* orchestra, char text[HTZ_PLAYERS_TEXT]) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < part->cast->n && used < HTZ_PLAYERS_TEXT; i++) {
    const htz_role* role = &orchestra->role[part->cast->role[i]];
    if (role->channels >> part->channel & 1u) {
      used += (size_t)snprintf(text + used, HTZ_PLAYERS_TEXT - used, "%s%s", used ? " + " : "", role->spec->id);
    }
  }
  return text;
}

static void add(char line[LINE_MAX], const char* format, ...) HTZ_PRINTF(2, 3);

static void add(char line[LINE_MAX], const char* format, ...) {
  const size_t used = strlen(line);
  va_list args;
  va_start(args, format);
  vsnprintf(line + used, LINE_MAX - used, format, args);
  va_end(args);
}

static const char* called(const htz_song_part* part, char text[HTZ_PROGRAM_NAME]) {
  if (part->name[0]) {
    return part->name;
  }
  snprintf(text, HTZ_PROGRAM_NAME, "program %u", part->program);
  return text;
}

static bool stands_in(const htz_song_part* part) {
  return part->reason == HTZ_PROGRAM_STAND_IN || part->reason == HTZ_PROGRAM_UNPLAYED;
}

/** `Flute, Oboe by cello` for each instrument that stands in for something. */
static void list_stand_ins(const htz_notes* notes, const htz_orchestra* orchestra, char line[LINE_MAX]) {
  const htz_spec* told[HTZ_ORCHESTRA_MAX];
  size_t n = 0;
  htz_song_part part;
  for (size_t cursor = 0; htz_song_part_next(notes, orchestra, &cursor, &part);) {
    bool seen = !stands_in(&part) || n == HTZ_ORCHESTRA_MAX;
    for (size_t i = 0; i < n && !seen; i++) {
      seen = told[i] == part.instrument;
    }
    if (seen) {
      continue;
    }
    told[n++] = part.instrument;
    bool named[HTZ_PROGRAMS] = {false};
    const char* comma = n > 1 ? "; " : " ";
    htz_song_part other;
    for (size_t k = 0; htz_song_part_next(notes, orchestra, &k, &other);) {
      char text[HTZ_PROGRAM_NAME];
      if (stands_in(&other) && other.instrument == part.instrument && !named[other.program]) {
        named[other.program] = true;
        add(line, "%s%s", comma, called(&other, text));
        comma = ", ";
      }
    }
    add(line, " by %s", part.instrument->id);
  }
}

void htz_song_parts_describe(const char* path, const htz_notes* notes, const htz_orchestra* orchestra, htz_song_say say,
                             void* user) {
  const char* name = htz_job_shown(path, false);
  char line[LINE_MAX];
  snprintf(line, sizeof line, "%s: stand-ins:", name);
  const size_t empty = strlen(line);
  list_stand_ins(notes, orchestra, line);
  if (line[empty]) {
    say(user, HTZ_LOG_NOTICE, line);
  }
  htz_song_part part;
  for (size_t cursor = 0; htz_song_part_next(notes, orchestra, &cursor, &part);) {
    char text[HTZ_PROGRAM_NAME], players[HTZ_PLAYERS_TEXT];
    snprintf(line, sizeof line, "%s: channel %u: %s: %" PRIu64 " note%s, played by %s (%s)", name, part.channel + 1,
             called(&part, text), part.notes, part.notes == 1 ? "" : "s", htz_song_part_players(&part, orchestra, players),
             htz_program_reason_text(part.reason));
    say(user, HTZ_LOG_INFO, line);
  }
}

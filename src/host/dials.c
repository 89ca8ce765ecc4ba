#include "dials_private.h"

#include "hertzian/instrument/number.h"
#include "hertzian/midi/sysex.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY_CHANNEL = 0xFFFF, WORD = HTZ_SETTING_NAME };

static const double readings_most = 4294967295.0;

// ---- one line

/** A song's lines on their way into dials. */
typedef struct {
  htz_dials* dials;
  htz_orchestra* orchestra;
  htz_dial_faults* faults;
  htz_held* held;
} reading;

static htz_status lose(const reading* r, const char* format, ...) HTZ_PRINTF(2, 3);

static htz_status lose(const reading* r, const char* format, ...) {
  if (r->faults->lost++ == 0) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->faults->why, sizeof r->faults->why, format, args);
    va_end(args);
  }
  return HTZ_BAD_INPUT;
}

/** The next word, which is as long as a name can be at most. */
static bool next_word(const char** at, char word[WORD]) {
  const size_t length = strcspn(*at, " ");
  if (length == 0 || length >= WORD) {
    return false;
  }
  memcpy(word, *at, length);
  word[length] = '\0';
  *at += length + ((*at)[length] == ' ');
  return true;
}

static bool whole_number(const char* word, double least, double most, unsigned* out) {
  double value = 0.0;
  const bool ok = htz_number_parse(word, strlen(word), &value) && value >= least && value <= most && value == floor(value);
  *out = ok ? (unsigned)value : 0;
  return ok;
}

/** Take `.N` off the end of a word. @return false when what follows the point is no number */
static bool take_behind_point(char* word, unsigned* out) {
  char* point = strchr(word, '.');
  *out = 0;
  if (point) {
    *point = '\0';
  }
  return !point || whole_number(point + 1, 1.0, readings_most, out);
}

/** `all`, or numbers with commas between. */
static bool channels_of(const char* word, uint16_t* out) {
  char one[WORD];
  unsigned channel = 0;
  const bool all = strcmp(word, "all") == 0;
  bool right = word[0] != '\0';
  *out = (uint16_t)(all ? EVERY_CHANNEL : 0u);
  for (const char* at = word; *at && right && !all;) {
    const size_t n = strcspn(at, ",");
    memcpy(one, at, n);
    one[n] = '\0';
    right = whole_number(one, 1.0, HTZ_MIDI_CHANNELS, &channel);
    *out = (uint16_t)(*out | (right ? 1u << (channel - 1) : 0u));
    right = right && (at[n] == '\0' || at[n + 1] != '\0');
    at += n + (at[n] == ',');
  }
  return right;
}

static htz_status read_set(const reading* r, const char* rest, htz_dial* out) {
  htz_dials* dials = r->dials;
  htz_setting setting = {0};
  char name[WORD], number[WORD];
  size_t has = 0;
  if (!next_word(&rest, name) || !next_word(&rest, number) || !htz_number_parse(number, strlen(number), &setting.value)) {
    return lose(r, "%.80s: not set PARAM VALUE", out->text);
  }
  if (!htz_dials_room(dials, HTZ_ROLES_MAX)) {
    return HTZ_NO_MEMORY;
  }
  setting.param = htz_param_find(htz_instrument_params, HTZ_PARAM_NAMED, name);
  if (setting.param >= HTZ_PARAM_NAMED) {
    setting.param = HTZ_PARAM_COUNT;
    memcpy(setting.name, name, sizeof name);
  }
  out->first = dials->n_moved;
  out->n = htz_dial_moves(r->orchestra, &setting, dials->moved + dials->n_moved, &has);
  for (size_t i = 0; i < out->n; i++) {
    dials->value[dials->n_moved++] = setting.value;
  }
  return out->n > 0 ? HTZ_OK : lose(r, "%s: moves nothing here", name);
}

/** What plays the first of `channels` by then, as far as lines say; HTZ_CAST_BY_PROGRAM: its program. */
static uint8_t cast_by_then(const reading* r, uint16_t channels) {
  unsigned channel = 0, last = 0;
  while (channel + 1 < HTZ_MIDI_CHANNELS && !(channels >> channel & 1u)) {
    channel++;
  }
  for (unsigned depth = 1; depth < HTZ_DIAL_DEPTHS; depth++) {
    last = r->held->turned[channel][depth].order > r->held->turned[channel][last].order ? depth : last;
  }
  return r->held->turned[channel][last].order > 0 ? r->held->turned[channel][last].cast : r->orchestra->cast_of[channel];
}

static htz_status read_turn(const reading* r, const char* rest, bool anew, htz_dial* out) {
  char word[WORD];
  char* said = NULL;
  size_t size = 0;
  uint8_t cast = 0;
  unsigned again = 0;
  const bool right = next_word(&rest, word) && (!anew || take_behind_point(word, &again)) && channels_of(word, &out->channels);
  if (!right || (!*rest && !anew)) {
    return lose(r, "%.80s: not instrument CHANNELS NAME", out->text);
  }
  const uint8_t from = *rest ? 0 : cast_by_then(r, out->channels);
  if (!*rest && from == HTZ_CAST_BY_PROGRAM) {
    return lose(r, "%.80s: what programs choose is not read again", out->text);
  }
  FILE* heard = open_memstream(&said, &size);
  if (!heard) {
    return HTZ_NO_MEMORY;
  }
  htz_log log = {.file = heard, .level = HTZ_LOG_NOTHING};
  again = anew && again == 0 ? htz_orchestra_next_reading(r->orchestra) : again;
  htz_status status = *rest ? htz_orchestra_add(r->orchestra, rest, again, &cast, &log)
                            : htz_orchestra_add_again(r->orchestra, from, again, &cast, &log);
  const uint8_t now = cast_by_then(r, out->channels);
  if (status == HTZ_FULL && anew && now != HTZ_CAST_BY_PROGRAM && htz_orchestra_reuse(r->orchestra, now, again, &cast)) {
    status = HTZ_OK;
  }
  memset(out->cast_of, cast, sizeof out->cast_of);
  fclose(heard);
  if (status && !htz_status_starved(status)) {
    const char* fault = said && strstr(said, ": ") ? strstr(said, ": ") + 2 : htz_status_text(status);
    status = lose(r, "%.*s", (int)strcspn(fault, "\n"), fault);
  }
  free(said);
  return status;
}

static htz_status read_part(const reading* r, const char* rest, htz_dial_kind kind, htz_dial* out) {
  const htz_orchestra* o = r->orchestra;
  char channel[WORD], number[WORD];
  unsigned nth = 0, again = 0;
  size_t role = 0;
  const bool right = next_word(&rest, channel) && channels_of(channel, &out->channels) && next_word(&rest, number);
  char* point = right ? strchr(number, '.') : NULL;
  const char* of_reading = point ? point + 1 : number;
  if (point) {
    *point = '\0';
  }
  if (!right || !whole_number(of_reading, 1.0, HTZ_ROLES_MAX, &nth) ||
      (point && !whole_number(number, 1.0, readings_most, &again))) {
    return lose(r, "%.80s: not silence or free CHANNEL N ID", out->text);
  }
  out->kind = kind;
  while (role < o->n_roles &&
         (o->role[role].reading != again || o->role[role].nth != nth || strcmp(o->role[role].spec->id, rest) != 0)) {
    role++;
  }
  out->role = (uint8_t)role;
  if (role == o->n_roles && again > 0) {
    out->kind = HTZ_DIAL_CHANGE; // of a reading before the take began: nothing of it sounds there
    out->channels = 0;
    return HTZ_OK;
  }
  return role < o->n_roles ? HTZ_OK : lose(r, "%.80s: no such instrument is loaded by then", rest);
}

/** A song within a song is one deeper. @return what is left of the words; empty: it begins */
static const char* pass_songs(const char* text, unsigned* depth) {
  static const char song[] = "song";
  const size_t n = sizeof song - 1;
  while (strncmp(text, song, n) == 0 && (text[n] == ' ' || text[n] == '\0')) {
    text += text[n] ? n + 1 : n;
    ++*depth;
  }
  return text;
}

static htz_status read_words(const reading* r, const char* text, htz_dial* out) {
  static const char silent[] = "silence ", freed[] = "free ", set[] = "set ", turned[] = "instrument ", again[] = "again ";
  return strncmp(text, set, sizeof set - 1) == 0         ? read_set(r, text + sizeof set - 1, out)
         : strncmp(text, turned, sizeof turned - 1) == 0 ? read_turn(r, text + sizeof turned - 1, false, out)
         : strncmp(text, again, sizeof again - 1) == 0   ? read_turn(r, text + sizeof again - 1, true, out)
         : strncmp(text, silent, sizeof silent - 1) == 0 ? read_part(r, text + sizeof silent - 1, HTZ_DIAL_SILENCE, out)
         : strncmp(text, freed, sizeof freed - 1) == 0   ? read_part(r, text + sizeof freed - 1, HTZ_DIAL_FREE, out)
                                                         : lose(r, "%.80s: unknown", text);
}

static htz_status read_line(const reading* r, htz_dial* out) {
  unsigned depth = 0;
  for (const char* at = out->text; *at; at++) {
    if ((unsigned char)*at < ' ') {
      return lose(r, "not a line of text");
    }
  }
  const char* words = pass_songs(out->text, &depth);
  if (depth >= HTZ_DIAL_DEPTHS) {
    return lose(r, "songs within more than %d songs", HTZ_DIAL_DEPTHS - 1);
  }
  if (depth > 0 && !*words) {
    return htz_held_take_back(r->held, r->dials, depth, out) ? HTZ_OK : HTZ_NO_MEMORY;
  }
  const htz_status status = read_words(r, words, out);
  const bool noted = status || out->kind != HTZ_DIAL_CHANGE || htz_held_note(r->held, r->dials, out, depth);
  return noted ? status : HTZ_NO_MEMORY;
}

// ---- a song

static htz_status add(const reading* r, const htz_smf* song, uint32_t at) {
  htz_dials* dials = r->dials;
  const htz_smf_dial line = htz_smf_dial_at(song, at);
  if (line.version > HTZ_SMF_DIAL_VERSION) {
    r->faults->version = r->faults->newer++ == 0 ? line.version : r->faults->version;
    return HTZ_OK;
  }
  if (line.size >= HTZ_DIAL_WORDS) {
    lose(r, "a line that is too long");
    return HTZ_OK;
  }
  htz_dial* of = htz_dials_grown(dials->of, dials->n, 1, sizeof *of, &dials->room);
  if (!of) {
    return HTZ_NO_MEMORY;
  }
  dials->of = of;
  htz_dial dial = {.at = at, .text = malloc(line.size + 1)};
  if (!dial.text) {
    return HTZ_NO_MEMORY;
  }
  memcpy(dial.text, line.text, line.size);
  dial.text[line.size] = '\0';
  const htz_status status = read_line(r, &dial);
  if (status) {
    free(dial.text);
    return status == HTZ_BAD_INPUT ? HTZ_OK : status;
  }
  dials->of[dials->n++] = dial;
  return HTZ_OK;
}

static int by_place(const void* a, const void* b) {
  const htz_dial *left = a, *right = b;
  return (left->at > right->at) - (left->at < right->at);
}

htz_status htz_dials_read(htz_dials* dials, const htz_smf* song, htz_orchestra* orchestra, htz_dial_span* span,
                          htz_dial_faults* faults) {
  const reading r = {dials, orchestra, faults, calloc(1, sizeof *r.held)};
  htz_smf_iter* events = NULL;
  htz_smf_event event;
  *span = (htz_dial_span){dials, dials->n, 0};
  htz_status status = r.held ? htz_smf_iter_new(song, NULL, &events) : HTZ_NO_MEMORY; // only their order matters
  while (!status && htz_smf_iter_next(events, &event)) {
    if (htz_midi_is_dial(event.status, event.data1)) {
      status = add(&r, song, event.value);
    }
  }
  htz_smf_iter_free(events);
  if (r.held) {
    htz_held_free(r.held);
    free(r.held);
  }
  if (!status && htz_dials_distinct(dials) > HTZ_DIALLED_MAX) {
    lose(&r, "more parameters are set than the %d that can be at once", (int)HTZ_DIALLED_MAX);
  }
  span->n = dials->n - span->first;
  if (span->n > 0) {
    qsort(dials->of + span->first, span->n, sizeof *dials->of, by_place);
  }
  return status;
}

const htz_dial* htz_dial_of(const htz_dial_span* span, const htz_smf_event* event) {
  if (!span->all || !htz_midi_is_dial(event->status, event->data1)) {
    return NULL;
  }
  const uint32_t at = event->value;
  size_t low = span->first, high = span->first + span->n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (span->all->of[middle].at < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < span->first + span->n && span->all->of[low].at == at;
  return found ? &span->all->of[low] : NULL;
}

size_t htz_dials_distinct(const htz_dials* dials) {
  htz_dialled* seen = dials->n_moved > 0 ? calloc(1, sizeof *seen) : NULL;
  bool room = seen != NULL;
  for (size_t i = 0; i < dials->n_moved && room; i++) {
    room = htz_dialled_note(seen, dials->moved[i], 0.0) < HTZ_DIALLED_MAX;
  }
  const size_t n = room ? seen->n : dials->n_moved > 0 ? HTZ_DIALLED_MAX + 1 : 0;
  free(seen);
  return n;
}

void htz_dials_free(htz_dials* dials) {
  for (size_t i = 0; i < dials->n; i++) {
    free(dials->of[i].text);
  }
  free(dials->of);
  free(dials->moved);
  free(dials->value);
  *dials = (htz_dials){0};
}

// ---- what is said

size_t htz_dial_moves(const htz_orchestra* orchestra, const htz_setting* setting, htz_dial_moved* out, size_t* has) {
  size_t n = 0;
  *has = orchestra->n_roles;
  for (size_t role = 0; role < orchestra->n_roles; role++) {
    const htz_spec* spec = orchestra->role[role].spec;
    const size_t param = spec ? htz_setting_param(setting, spec) : 0;
    if (!spec || !htz_spec_param_used(spec, param)) {
      continue;
    }
    const htz_param_desc desc = htz_spec_param(spec, param);
    *has = *has < orchestra->n_roles ? *has : role;
    if (setting->value >= desc.minimum && setting->value <= desc.maximum && htz_spec_param_has(spec, param, setting->value)) {
      out[n++] = (htz_dial_moved){(uint32_t)role, (uint32_t)param};
    }
  }
  return n;
}

void htz_dial_text(const char* word, const htz_role* role, unsigned channel, char text[HTZ_DIAL_WORDS]) {
  if (role->reading > 0) {
    snprintf(text, HTZ_DIAL_WORDS, "%s %u %" PRIu32 ".%" PRIu32 " %s", word, channel + 1, role->reading, role->nth,
             role->spec->id);
  } else {
    snprintf(text, HTZ_DIAL_WORDS, "%s %u %" PRIu32 " %s", word, channel + 1, role->nth, role->spec->id);
  }
}

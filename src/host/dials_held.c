#include "dials_private.h"

#include <math.h>
#include <stdlib.h>

void* htz_dials_grown(void* items, size_t n, size_t more, size_t size, size_t* room) {
  if (n + more <= *room) {
    return items;
  }
  const size_t wanted = 2 * *room + more;
  void* moved = realloc(items, wanted * size);
  *room = moved ? wanted : *room;
  return moved;
}

bool htz_dials_room(htz_dials* dials, size_t more) {
  size_t room = dials->room_moved, of_values = dials->room_moved;
  htz_dial_moved* moved = htz_dials_grown(dials->moved, dials->n_moved, more, sizeof *moved, &room);
  dials->moved = moved ? moved : dials->moved;
  double* value = moved ? htz_dials_grown(dials->value, dials->n_moved, more, sizeof *value, &of_values) : NULL;
  dials->value = value ? value : dials->value;
  dials->room_moved = value ? room : dials->room_moved;
  return value != NULL;
}

static bool note_value(htz_held* held, uint32_t role, htz_held_value value) {
  size_t at = 0;
  htz_held_value* of = held->of[role];
  while (at < held->n[role] && (of[at].param != value.param || of[at].depth != value.depth)) {
    at++;
  }
  of = htz_dials_grown(of, at, 1, sizeof *of, &held->room[role]);
  if (!of) {
    return false;
  }
  held->of[role] = of;
  of[at] = value;
  held->n[role] += at == held->n[role];
  return true;
}

bool htz_held_note(htz_held* held, const htz_dials* dials, const htz_dial* dial, unsigned depth) {
  bool room = true;
  held->lines++;
  for (size_t i = dial->first; i < dial->first + dial->n && room; i++) {
    const htz_held_value value = {dials->moved[i].param, depth, held->lines, dials->value[i]};
    room = note_value(held, dials->moved[i].role, value);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (dial->channels >> channel & 1u) {
      held->turned[channel][depth].order = held->lines;
      held->turned[channel][depth].cast = dial->cast_of[channel];
    }
  }
  return room;
}

/** The last that was set of `param` at a depth below `below`; NULL: nothing. */
static const htz_held_value* last_of(const htz_held* held, size_t role, uint32_t param, unsigned below) {
  const htz_held_value* last = NULL;
  for (size_t i = 0; i < held->n[role]; i++) {
    const htz_held_value* value = &held->of[role][i];
    last = value->param == param && value->depth < below && (!last || value->order > last->order) ? value : last;
  }
  return last;
}

static bool take_back_values(const htz_held* held, size_t role, unsigned depth, htz_dials* dials, htz_dial* dial) {
  bool room = true;
  for (size_t i = 0; i < held->n[role] && room; i++) {
    const htz_held_value* value = &held->of[role][i];
    if (value->depth < depth || last_of(held, role, value->param, HTZ_DIAL_DEPTHS) != value) {
      continue; // else it is the one that holds
    }
    const htz_held_value* under = last_of(held, role, value->param, depth);
    room = htz_dials_room(dials, 1);
    if (room) {
      dials->moved[dials->n_moved] = (htz_dial_moved){(uint32_t)role, value->param};
      dials->value[dials->n_moved++] = under ? under->value : (double)NAN;
      dial->n++;
    }
  }
  return room;
}

static void forget_values(htz_held* held, size_t role, unsigned depth) {
  size_t left = 0;
  for (size_t i = 0; i < held->n[role]; i++) {
    if (held->of[role][i].depth < depth) {
      held->of[role][left++] = held->of[role][i];
    }
  }
  held->n[role] = left;
}

static void take_back_cast(htz_held* held, unsigned channel, unsigned depth, htz_dial* dial) {
  unsigned last = 0, under = 0; // depths of the last choice, and of the last by others
  for (unsigned at = 1; at < HTZ_DIAL_DEPTHS; at++) {
    const uint64_t order = held->turned[channel][at].order;
    last = order > held->turned[channel][last].order ? at : last;
    under = at < depth && order > held->turned[channel][under].order ? at : under;
  }
  const bool holds = last >= depth; // what is taken back plays the channel
  const bool chosen = held->turned[channel][under].order > 0;
  dial->channels |= (uint16_t)((unsigned)(holds && chosen) << channel);
  dial->back |= (uint16_t)((unsigned)(holds && !chosen) << channel);
  dial->cast_of[channel] = held->turned[channel][under].cast;
  for (unsigned at = depth; at < HTZ_DIAL_DEPTHS; at++) {
    held->turned[channel][at].order = 0;
  }
}

bool htz_held_take_back(htz_held* held, htz_dials* dials, unsigned depth, htz_dial* dial) {
  bool room = true;
  dial->first = dials->n_moved;
  for (size_t role = 0; role < HTZ_ROLES_MAX && room; role++) {
    room = take_back_values(held, role, depth, dials, dial);
    forget_values(held, role, depth);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    take_back_cast(held, channel, depth, dial);
  }
  return room;
}

void htz_held_free(htz_held* held) {
  for (size_t role = 0; role < HTZ_ROLES_MAX; role++) {
    free(held->of[role]);
  }
}

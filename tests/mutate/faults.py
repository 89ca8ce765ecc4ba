"""The faults that mutate.py plants: each one line of the program changed, as a slip of the hand would, and heard by who plays.

`old` stands in the file exactly once. `tests` are those near it, quick ones first: a folder below tests/ and the file without its ending.
"""
from typing import NamedTuple


class Fault(NamedTuple):
    group: str  # "first": tests were written with these in view; "held": with none of these
    name: str
    file: str
    old: str
    new: str
    noticed: str  # by the player
    tests: tuple


FAULTS = []


def plant(group, name, file, old, new, noticed, *tests):
    FAULTS.append(Fault(group, name, file, old, new, noticed, tests))


HANDS = "engine/test_hands"  # what a player moves on modal instruments
DAMPERS = "engine/test_damper_hands"
GRID = "engine/test_grid_hands"  # and on grids
BOW_HANDS = "engine/test_bow_hands"  # on bowed strings
PREPARED, STAY_HANDS = "physics/test_prepared_hands", "engine/test_stay_hands"  # on what is prepared, and on mallets that stay
PEDALS, ENGINE, BOW = "engine/test_pedals", "engine/test_engine", "engine/test_bow"
MAP, LIVE, RINGS = "engine/test_map", "unit/host/test_live", "engine/test_rings"
ROOM, PARTS, SILENCE = "engine/test_room", "engine/test_parts", "engine/test_silence"
RATTLE, STAY = "physics/test_rattle", "instruments/test_stay"

# ---------------------------------------------------------------- strikes

E = "src/engine/engine_rt.c"
plant("first", "soft-hardness", "src/engine/stroke_rt.c", "strike.stiffness *= 1.0 + (object->soft_hardness - 1.0) * soft;", "strike.stiffness *= 1.0;",
      "una corda: the felt is as hard as without", HANDS, PEDALS)
plant("first", "soft-string", "src/engine/stroke_rt.c", "strike.skipped = soft >= 0.5 && plan->strings > 1 ? 1u : 0u;", "strike.skipped = 0u;",
      "una corda: the hammer meets all strings", HANDS, PEDALS)
plant("first", "velocity-linear", "src/instrument/throw_rt.c", ".speed = key->speed[0] * pow(key->speed[1] / key->speed[0], share),",
      ".speed = key->speed[0] + (key->speed[1] - key->speed[0]) * share,", "middle velocities far too loud", HANDS, ENGINE)
plant("first", "velocity-touch", "src/instrument/throw_rt.c", "key->stiffness * pow(key->touch, 1.0 - share)",
      "key->stiffness", "soft strokes as bright as hard ones", HANDS, ENGINE)
plant("first", "kind-hardness", "src/instrument/throw_rt.c", "strike->stiffness *= kind->hardness;",
      "strike->stiffness *= 1.0;", "all mallets sound alike",
      HANDS, "instruments/test_vibraphone")
plant("first", "strike-place", "src/engine/stroke_rt.c", "strike.at = isnan(at) ? strike.at : at;",
      "(void)at;", "the place of the stroke cannot be moved",
      HANDS, ENGINE)
plant("first", "bend-jumps", "src/engine/change_rt.c", ": bend_ramp_s * engine->rate;", ": 0.0;", "the wheel steps", HANDS, ENGINE)
plant("first", "volume-jumps", "src/engine/change_rt.c", "change->ramp ? change->ramp : (uint32_t)(gain_ramp_s * engine->rate);",
      "change->ramp ? change->ramp : 1u;", "volume clicks", HANDS, ENGINE)
plant("first", "decay-ignored", "src/engine/key_rt.c", "return 1.0 / key->params[HTZ_PARAM_DECAY];",
      "return key->params[HTZ_PARAM_DECAY] > 0.0 ? 1.0 : 0.0;", "how long it rings cannot be changed", HANDS, ENGINE)
plant("first", "level-jumps", "src/engine/key_rt.c", "key->level_before + step * (float)(i + 1)", "key->level + 0.0f * step",
      "the level of a sounding key clicks", HANDS, ENGINE)
plant("first", "resonator-level", "src/engine/key_rt.c", "key->params[HTZ_PARAM_RESONATOR] * p->motor", "p->motor",
      "the tubes cannot be turned down", HANDS, PEDALS)
plant("first", "motor-depth", "src/engine/board_rt.c", "p->params[HTZ_PARAM_MOTOR_DEPTH] * 0.5", "0.5",
      "the depth of the vibrato cannot be changed", HANDS, PEDALS)
plant("first", "motor-rate", "src/engine/board_rt.c", "p->motor_turns += rate * HTZ_QUANTUM / engine->rate;",
      "p->motor_turns += 2.0 * rate * HTZ_QUANTUM / engine->rate;", "the motor turns twice as fast", HANDS, PEDALS)

# ---------------------------------------------------------------- pedals and dampers

plant("first", "sostenuto-takes-all", "src/engine/change_rt.c", "pressed && (p->keys[k].captured || p->keys[k].down);", "pressed;",
      "sostenuto holds every key", PEDALS)
plant("first", "sostenuto-takes-later", "src/engine/change_rt.c", "if ((before >= half) == (p->params[index] >= half)) {", "if (before == p->params[index]) {",
      "a sostenuto pedal that moves while down takes later keys", DAMPERS, PEDALS)
plant("first", "release-velocity", E, "pow(land_fast_s / land_slow_s, v / velocity_max)", "pow(land_fast_s / land_slow_s, 0.5)",
      "release velocity does nothing", PEDALS)
plant("first", "pedal-slow", "src/engine/change_rt.c", "static const double pedal_s = 0.008;", "static const double pedal_s = 0.8;",
      "dampers fall long after the pedal", DAMPERS, PEDALS)
plant("first", "damper-lifts-late", E, "static const double lift_s = 0.002; ", "static const double lift_s = 0.2; ",
      "a key struck again starts damped", DAMPERS, PEDALS)
plant("first", "pedal-curve", "src/engine/key_rt.c", "return pedal_least * (pow(1.0 + full / pedal_least, 1.0 - lift) - 1.0);",
      "return full * (1.0 - lift);", "half pedal is all in the last bit of the way", PEDALS)
plant("first", "pedal-never-full", "src/engine/key_rt.c", "static const double pedal_full = 120.0;",
      "static const double pedal_full = 200.0;", "the pedal never lifts the dampers", PEDALS)
plant("first", "captured-ignored", "src/engine/key_rt.c", "|| key->down || key->captured) {", "|| key->down) {",
      "sostenuto holds nothing", PEDALS)
plant("first", "damper-factor", "src/engine/key_rt.c", "key->plan->damper * key->params[HTZ_PARAM_DAMPER];", "key->plan->damper;",
      "the strength of the dampers cannot be changed", DAMPERS, PEDALS)
plant("first", "grid-damper", "src/contact/grid/grid_island_rt.c", "if (sigma != g->sigma) {", "if (sigma < 0.0) {",
      "keys of grids ring on when they are let go", GRID, "instruments/test_grid")
plant("first", "modal-damper", "src/contact/island/modal_island_rt.c", "htz_modal_damp(s->desc.bodies[b], sigma);", "(void)sigma;",
      "strings have no dampers", BOW_HANDS, BOW)
plant("first", "solved-damper", "src/contact/gesture/solved_rt.c", "s->keep = htz_modal_damper(body_of(s));", "s->keep = 1.0;",
      "keys ring on under another solver", "unit/contact/test_solved", DAMPERS)
plant("first", "unison-damper", "src/contact/island/modal_island_rt.c", "htz_modal_damp(s->desc.bodies[b], sigma);",
      "htz_modal_damp(s->desc.bodies[0], sigma);", "only the first string of a unison is damped", DAMPERS, PEDALS)
plant("first", "silence-slow", "src/engine/key_rt.c", "static const double fade_seconds = 0.010;",
      "static const double fade_seconds = 0.10;", "all sound off takes a tenth of a second", ENGINE)

# ---------------------------------------------------------------- mixing, faults, overload

plant("first", "runaway-limit", "src/engine/engine_private.h", "#define HTZ_RUNAWAY_RATIO 4.0", "#define HTZ_RUNAWAY_RATIO 4.0e9",
      "a key that runs away is heard at any level", HANDS, ENGINE)
plant("first", "sleep-level", "src/engine/asleep.h", "#define HTZ_ASLEEP_BELOW 1e-6", "#define HTZ_ASLEEP_BELOW 1e-4",
      "long tails are cut off", ENGINE)
plant("first", "relieve-loudest", E, "p->keys[k].audible < where->keys[which].audible", "p->keys[k].audible > where->keys[which].audible",
      "overload takes the loudest keys", PARTS)
plant("first", "expression-ignored", "src/engine/mix_rt.c", "square(p->params[HTZ_PARAM_EXPRESSION] / controller_max) *", "1.0 *",
      "the expression pedal does nothing", HANDS, ENGINE)
plant("first", "volume-linear", "src/engine/mix_rt.c", "square(p->params[HTZ_PARAM_VOLUME] / controller_max)",
      "(p->params[HTZ_PARAM_VOLUME] / controller_max)", "volume is not that of General MIDI", ENGINE)
plant("first", "pan-right-only", "src/engine/mix_rt.c", "const double right = pan <= center ? pan / center : 1.0;",
      "const double right = center > 0.0 ? 1.0 : pan;", "panned left, the right side still sounds", HANDS, ENGINE)
plant("first", "send-linear", "src/engine/part_room_rt.c", "const double factor = send / usual * (send / usual);",
      "const double factor = send / usual;", "the room's controller has another curve", ROOM)
plant("first", "human-same", "src/engine/stroke_rt.c", ".stroke = key->strokes++};", ".stroke = 0};", "every stroke is the last one again",
      "instruments/test_human")
plant("first", "room-size", "src/engine/part_room_rt.c", "if (size != r->room.size && r->tail.left == 0) {",
      "if (size < 0.0 && r->tail.left == 0) {", "the size of the room cannot be changed", HANDS, ROOM)
plant("first", "cut-clicks", "src/engine/cut_rt.c", "static const double let_go_s = 0.008;", "static const double let_go_s = 0.00003;",
      "a stroke right after a silence clicks", SILENCE)

# ---------------------------------------------------------------- bow and fingers

H = "src/contact/gesture/bow_control.h"
plant("first", "bow-slips-fast", H, "static const double most = 0.0015;", "static const double most = 0.15;",
      "the bow jumps to its new place", BOW_HANDS, BOW)
plant("first", "bow-steps", H, "static const double smooth_s = 0.008;", "static const double smooth_s = 0.00001;",
      "the bow's speed and force step", BOW_HANDS, BOW)
plant("first", "bow-lifts-late", H, "static const double lift_s = 0.03;", "static const double lift_s = 3.0;",
      "the bow stays on when the key is let go", BOW_HANDS, BOW)
plant("first", "bow-lands-hard", H, "static const double touch_s = 0.01;", "static const double touch_s = 0.00001;",
      "the bow comes on with a knock", BOW_HANDS, BOW)
plant("first", "bow-keeps-on", H, "b->on = b->on && held;", "b->on = b->on || false;",
      "bowed notes never end", BOW_HANDS, BOW)
COMBINED = "instruments/test_bow_combinations"
plant("first", "bow-stays-on", "src/contact/gesture/bow_rt.c", "w->motion.on = false;\n    return;", "return;", "a plucked note leaves the bow on the string", COMBINED)
plant("first", "wheel-stands", "src/contact/gesture/bow_rt.c", "bows[w->index].turns ? w->motion.wanted.speed : 0.0);", "bows[w->index].turns ? 0.0 : 0.0);",
      "a wheel stands when the string comes to it", COMBINED)
plant("first", "kind-plucks", "src/instrument/throw_rt.c", "kind->plucks ? strike->lift : 0.0;",
      "strike->lift;", "the stick plucks as the finger does", COMBINED)
plant("first", "bows-apart", "src/engine/bow_rt.c", ": bow[which].at + (isnan(position)", ": bow[0].at + (isnan(position)",
      "two bows lie in one place", COMBINED)
plant("first", "bow-speed", "src/engine/bow_rt.c", "return scaled(speed, key, which, HTZ_BOW_SPEED, HTZ_PARAM_BOW_SPEED);",
      "return key ? speed : scaled(speed, key, which, HTZ_BOW_SPEED, HTZ_PARAM_BOW_SPEED);",
      "the bow's speed cannot be moved", BOW_HANDS, BOW)
plant("first", "one-bow-moves-all", "src/engine/bow_rt.c", "const uint16_t own = object->bows[which].own[field];",
      "const uint16_t own = object->bows[0].own[field];", "a bow by its own name moves another", "engine/test_names")
plant("first", "named-as-kind", "src/instrument/bindings_setup.c", "thing->control[f].own = add_own(", "thing->control[f].own = 0 * add_own(",
      "a thing by its own name cannot be moved", "engine/test_names", "engine/test_things")
plant("first", "bow-attack", "src/engine/bow_rt.c", "attack > 0.0 ? key->bow_from + seconds / attack : 1.0;",
      "attack > 0.0 ? 1.0 + 0.0 * seconds : 1.0;", "the bow has its speed at once", BOW_HANDS, BOW)
plant("first", "bow-bite", "src/engine/bow_rt.c", "static const double bite = 1.5; ", "static const double bite = 0.0; ",
      "notes start slowly", BOW_HANDS, BOW)
plant("first", "slur-strikes", E, "if (slurred) {", "if (slurred && !p) {", "every note of a slur is a new stroke", BOW_HANDS, BOW)
plant("first", "finger-stays", "src/engine/fingered_rt.c", "if (p->keys[string].hand == k) {", "if (p->keys[string].hand > HTZ_KEYS) {",
      "let go, a trill does not fall back to the key still held", BOW_HANDS, BOW)
plant("first", "finger-first", "src/engine/fingered_rt.c", "p->held[i] > p->held[last]", "p->held[i] < p->held[last]",
      "it falls back to the key held longest, not to the last", BOW_HANDS, BOW)
plant("first", "finger-jumps", "src/engine/fingered_rt.c", "1 + (uint32_t)(hand->glide * engine->rate / HTZ_QUANTUM);",
      "1 + (uint32_t)(0.0 * hand->glide * engine->rate / HTZ_QUANTUM);", "slurs do not glide", BOW_HANDS, BOW)
plant("first", "grid-bow-pressure", "src/contact/grid/grid_island_control_rt.c", "g->bow[b].speed, force);", "g->bow[b].speed, 0.0 * force + g->bow[b].force);",
      "on a grid the bow comes on with its whole force", GRID, "instruments/test_tromba")
plant("first", "grid-bow-keeps-on", "src/contact/grid/grid_island_control_rt.c", "bow_follow(&g->bow[b], &influence->bow[b], influence->held);", "bow_follow(&g->bow[b], &influence->bow[b], true);",
      "bowed notes of grids never end", GRID, "instruments/test_tromba")

# ---------------------------------------------------------------- what is loose, prepared, driven

G = "src/contact/grid/grid_island_control_rt.c"
plant("first", "grid-gap-jumps", G, "static const double glide_share = 0.1;", "static const double glide_share = 1.0;",
      "on a grid a moved gap knocks", GRID)
plant("first", "grid-gap-ignored", G, "g->wanted[i][HTZ_THING_GAP] = htz_influence_wanted(a, m->control[HTZ_THING_GAP], m->gap);", "g->wanted[i][HTZ_THING_GAP] = m->gap;",
      "on a grid the gap cannot be moved", GRID)
plant("first", "grid-rattle-stays", G, "HTZ_ROLE_SCREW) {\n    htz_grid_network_enable(g->desc.net, m->contact, factor > 0.0);",
      "HTZ_ROLE_SCREW) {\n    htz_grid_network_enable(g->desc.net, m->contact, factor >= 0.0);", "a rattle without mass still rattles", GRID)
P, FIXED, LOOSE = "src/contact/gesture/prepared.h", "src/contact/gesture/fixed_rt.c", "src/contact/gesture/loose_rt.c"
plant("first", "gap-jumps", P, "static const double gap_glide_s = 0.02; ",
      "static const double gap_glide_s = 1e-6; ", "a moved gap knocks", PREPARED, RATTLE)
plant("first", "screw-speeds", FIXED, "if (w->there) {\n    unite_speeds(w);", "if (w->there && !g) {\n    unite_speeds(w);",
      "screw and string are not brought to one speed", "unit/contact/test_screw", PREPARED)
plant("first", "screw-place-jumps", P, "static const double place_step = 4e-4;", "static const double place_step = 1.0;",
      "a moved screw clicks", PREPARED, RATTLE)
plant("first", "screw-mass-jumps", P, "static const double factor_step = 0.01;", "static const double factor_step = 1e3;",
      "a screw that is let grow clicks", PREPARED, RATTLE)
plant("first", "rubber-loss", FIXED, "r->desc.stiffness * factor, r->desc.damping * factor);",
      "r->desc.stiffness, r->desc.damping);",
      "the rubber's strength cannot be moved", PREPARED, RATTLE)
plant("first", "weights-apart", LOOSE, "displacement_of(other->body) + moved, 0.0);", "displacement_of(other->body), 0.0);",
      "what lies on bent strings starts off by itself", "physics/test_gestures")
plant("first", "bridges-as-one", LOOSE, "+ l->desc.gap_more;", "+ 0.0 * l->desc.gap_more;",
      "two loose bridges hover at one height", "physics/test_gestures")
S = "src/contact/gesture/stay_rt.c"
plant("first", "ball-asleep-in-the-air", S, "busy = m->flying && !(still && (lies(s, i) || hangs_clear(s, i)));", "busy = m->flying && !still;",
      "a key falls asleep with its ball in the air", "instruments/test_gestures", STAY)
SC = "src/contact/gesture/stay_control.h"
plant("first", "roughness-jumps", SC, "c->roughness = stay_glide(c->roughness, now->roughness, c->glide);",
      "c->roughness = now->roughness;", "roughness of a rolling ball clicks", STAY_HANDS, STAY)
plant("first", "drive-gain-jumps", SC, "return stay_ramp(gain, now->gain, c->gain_step);", "return now->gain + 0.0 * gain * c->gain_step;",
      "the gain of the drive steps", STAY_HANDS, STAY)
plant("first", "ball-rolls-on", SC, "d->friction * now->gravity * period", "0.0 * d->friction * period",
      "a ball that was let go never stops", STAY_HANDS, STAY)
plant("first", "gravity-ignored", "src/contact/gesture/stay_control.h", "htz_influence_wanted(a, stay->control[HTZ_STAY_GRAVITY], 0.0),", "0.0,",
      "nothing falls", STAY_HANDS, STAY)
plant("first", "board-deaf", "src/engine/bridged_rt.c", "static const double open_below = 10.0;", "static const double open_below = -1.0;",
      "strings without dampers do not answer", HANDS, "instruments/test_sympathy")

# ---------------------------------------------------------------- MIDI

M, C = "src/midi/map_rt.c", "src/midi/map_control_rt.c"
plant("first", "transposed-off", M, "htz_engine_release(map->engine, part, (uint32_t)htz_map_key(map, part, note), speed,",
      "htz_engine_release(map->engine, part, (uint32_t)note, speed,", "transposed keys are never let go", MAP)
plant("first", "velocity-curve", M, "htz_velocity_map(&map->velocity, take_velocity(map, channel, velocity))", "take_velocity(map, channel, velocity)", "the velocity curve does nothing", MAP)
plant("first", "channel-filter", M, "if (!(map->channels >> channel & 1u)) {", "if (!map->channels) {", "other channels sound, too", MAP)
plant("first", "reset-keeps-pedal", C, "htz_map_send_part(map, part, HTZ_PARAM_SUSTAIN, 0.0, frame);", "(void)frame;",
      "a reset leaves the pedal down", MAP)
plant("first", "reset-keeps-soft", C, "htz_map_send_part(map, part, HTZ_PARAM_SOFT, 0.0, frame);", "(void)frame;",
      "a reset leaves the soft pedal down", MAP)
plant("first", "all-notes-off", C, "if (cc >= CC_ALL_NOTES_OFF && cc <= CC_LAST) {", "if (cc > CC_ALL_NOTES_OFF && cc <= CC_LAST) {",
      "all notes off does nothing", MAP)
plant("first", "send-controller", C, ": cc == CC_SEND       ? HTZ_PARAM_SEND", ": cc == CC_SEND       ? HTZ_PARAM_WIDTH",
      "CC 91 moves something else", MAP)

# ---------------------------------------------------------------- playing live

L = "src/host/live_run_rt.c"
plant("first", "guard-sleeps", L, "static const double guard_above = 0.85; ", "static const double guard_above = 85.0; ",
      "overload is not met", LIVE)
plant("first", "limiter-off", L, "if (live->limit) {", "if (live->limit && !both) {", "loud chords are clipped", LIVE)
plant("first", "closing-fade", L, "static const double fade_s = 0.020; ", "static const double fade_s = 0.0001; ",
      "the program ends with a click", LIVE)
plant("first", "panic-one-channel", "src/host/live_listen_rt.c", "if (live->map->parts_of[channel] != 0) {",
      "if (live->map->parts_of[channel] != 0 && channel == 0) {", "panic silences one channel", LIVE)
plant("first", "pause-holds-keys", "src/host/live_song_rt.c", "htz_live_release(live, HTZ_LIVE_SONG, false, now);", "(void)source;",
      "a paused song's notes sound on", "unit/host/test_live_song")

# ---------------------------------------------------------------- held out: planted first when all tests above were written

K, F = "src/engine/key_rt.c", "src/engine/fingered_rt.c"
plant("held", "mallet-speed", "src/engine/stroke_rt.c", "strike.speed *= key->params[HTZ_PARAM_MALLET_SPEED];",
      "strike.speed *= 1.0;", "the mallet's speed cannot be changed", HANDS, ENGINE)
plant("held", "slow-release", E, "static const double land_slow_s = 0.080; ", "static const double land_slow_s = 0.008; ",
      "the slowest release is as quick as the usual one", PEDALS, DAMPERS)
plant("held", "pedal-rest", K, "static const double pedal_rest = 8.0;", "static const double pedal_rest = 0.0;",
      "a pedal that does not quite come up holds", PEDALS, DAMPERS)
plant("held", "sostenuto-for-ever", "src/engine/change_rt.c", "sostenuto(p, p->params[index] >= half);", "sostenuto(p, true);",
      "sostenuto never lets go", PEDALS, DAMPERS)
plant("held", "tune-ignored", K, "key->params[HTZ_PARAM_TUNE] + p->keys[key->scaled]", "p->keys[key->scaled]", "it cannot be tuned", ENGINE, HANDS)
plant("held", "width-ignored", K, "htz_pan_place(key->plan->pan[o] * width,", "htz_pan_place(key->plan->pan[o],",
      "the stereo width cannot be changed", ENGINE, HANDS)
plant("held", "relieve-one", E, "for (; done < keys; ++done) {", "for (; done < keys && done < 1; ++done) {",
      "overload is met one key at a time", PARTS, LIVE)
plant("held", "room-sounds-on", E, "  htz_part_room_silence(engine, p);\n", "", "all sound off leaves the room sounding", ROOM, SILENCE)
plant("held", "room-jumps", "src/engine/part_room_rt.c", "static const double glide_s = 0.010;", "static const double glide_s = 0.0002;",
      "the room's share clicks", ROOM, HANDS)
plant("held", "file-forgotten", "src/engine/change_rt.c", "c->back ? p->keys[k].plan->object->params[c->slot]",
      "c->back ? htz_instrument_params[c->slot].initial", "a control put back forgets what the file says", RINGS, HANDS)
plant("held", "restroke-stops", "src/engine/bow_rt.c", "key->bow_from = on ? drawn(p, key, 0, seconds_since(engine, key, stroke->offset)) : 0.0;",
      "key->bow_from = on ? 0.0 : 0.0;", "a bow on the string stops before the next stroke", BOW_HANDS, BOW)
plant("held", "bow-force", "src/engine/bow_rt.c", "const double force = scaled(", "const double force = object ? between(bow->force, key->bow) : scaled(",
      "the bow's force cannot be moved", BOW_HANDS, BOW)
plant("held", "bow-velocity", "src/engine/bow_rt.c", "between(bow->force, key->bow),", "between(bow->force, 0.5),",
      "velocity does not change the bow's force", BOW_HANDS, BOW)
plant("held", "harmonic-node", F, "1.0 - 1.0 / n : (double)NAN;", "1.0 - 0.7 / n : (double)NAN;",
      "the light finger lies beside the node", BOW_HANDS, BOW)
plant("held", "bowed-decay", "src/contact/island/modal_island_rt.c", "htz_modal_retune(s->desc.bodies[b], ratio, loss, held && b < htz_modal_island_in_network(&s->desc));",
      "htz_modal_retune(s->desc.bodies[b], ratio, 0.0 * loss + 1.0, held && b < htz_modal_island_in_network(&s->desc));", "how long bowed strings ring cannot be changed",
      BOW_HANDS, BOW)
plant("held", "grid-bend", "src/contact/grid/grid_island_rt.c", "g->desc.follows[b] ? g->ratio : 1.0,", "g->desc.follows[b] ? 1.0 : 1.0,",
      "grids cannot be bent", GRID)
plant("held", "grid-decay", "src/contact/grid/grid_island_rt.c", "g->loss, g->desc.damped[b]", "1.0, g->desc.damped[b]",
      "how long grids ring cannot be changed", GRID, "instruments/test_grid")
plant("held", "grid-pluck-place", "src/contact/grid/grid_gesture_rt.c", "htz_grid_place(string, plucks->point, strike->at, 0.5);",
      "htz_grid_place(string, plucks->point, 0.2, 0.5);", "the place of a pluck cannot be moved", GRID)
plant("held", "grid-rattle-place", G, "htz_influence_wanted(a, m->control[HTZ_THING_AT], (double)NAN);",
      "m->role == HTZ_ROLE_RATTLE ? (double)NAN : htz_influence_wanted(a, m->control[HTZ_THING_AT], (double)NAN);", "on a grid a rattle cannot be moved along the string", GRID)
plant("held", "grid-rattle-jumps", G, "fabs(way) < place_near ? place : g->place[i] + glide_share * way;",
      "fabs(way) < place_near ? place : g->place[i] + way;", "on a grid a moved rattle jumps", GRID)
plant("held", "grid-hardness", "src/contact/grid/grid_gesture_rt.c", "const htz_grid_law law = {strike->stiffness, strike->exponent,",
      "const htz_grid_law law = {1e7, strike->exponent,",
      "on a grid the mallet's hardness cannot be changed", GRID, "instruments/test_buzz")
plant("held", "rattle-weight", LOOSE, "l->factor = there ? factor : 0.0;", "l->factor = there ? (l->there ? l->factor : factor) : 0.0;",
      "the weight of a rattle cannot be changed", PREPARED, RATTLE)
plant("held", "rubber-jumps", FIXED, "step_to(&r->at, r->at_wanted, place_step)", "step_to(&r->at, r->at_wanted, 1.0)",
      "a moved rubber clicks", PREPARED, RATTLE)
plant("held", "ball-speed", SC, "const double wanted = ball->wanted_speed * now->roll_factor;", "const double wanted = ball->wanted_speed;",
      "the ball's speed cannot be moved", STAY_HANDS, STAY)
plant("held", "ball-even", "src/contact/gesture/stay_control.h", "htz_influence_wanted(a, stay->control[HTZ_STAY_ASYMMETRY], 0.0),", "0.0,",
      "no ball throbs", STAY_HANDS, STAY)
plant("held", "pedal-drops-mallets", "src/engine/stay_rt.c", "(key->kept && p->params[HTZ_PARAM_SUSTAIN] >= pedal_half);",
      "(key->kept && p->params[HTZ_PARAM_SUSTAIN] < 0.0);", "the pedal keeps neither bow nor hammer", STAY_HANDS, BOW)
plant("held", "bent-level", "src/engine/voice_rt.c", "const double factor = still || key->bowing ? 1.0 : factor_of(p, plan, o, low, x, ratio);",
      "const double factor = still || x > 9.0 ? 1.0 : 1.0 + 0.0 * factor_of(p, plan, o, low, x, ratio);",
      "keys get louder or softer as they are bent", HANDS, "instruments/test_bend")
plant("held", "first-off-releases", M, "if (--*holds == 0) {", "if (--*holds < 2) {",
      "a key held twice is let go by the first release", MAP)
plant("held", "lost-stays-bent", "src/host/live_listen_rt.c", "if (centre && source->bent[channel]) {",
      "if (centre && source->bent[channel] && channel > 15) {", "a keyboard unplugged leaves its channel bent", LIVE)
plant("held", "pin-holds-on", "src/contact/gesture/mallets_rt.c", "m->body->cls->displacement(m->body, 0) >= m->lift ||",
      "m->body->cls->displacement(m->body, 0) >= 9.0 * m->lift ||", "a music box's pins pluck far too late",
      "instruments/test_bells")

# ---------------------------------------------------------------- held out again: after tests for what survived of those before

B = "src/engine/bow_rt.c"
plant("later", "mallet-weight", "src/engine/stroke_rt.c", "strike.mass *= key->params[HTZ_PARAM_MALLET_MASS];",
      "strike.mass *= 1.0;", "the mallet's weight cannot be changed", HANDS, ENGINE)
plant("later", "strike-across", "src/engine/stroke_rt.c", "strike.at_y = isnan(at_y) ? strike.at_y : at_y;",
      "(void)at_y;", "drums cannot be struck nearer to the rim", HANDS, "instruments/test_surfaces")
plant("later", "mallet-hardness", "src/engine/stroke_rt.c", "strike.stiffness *= key->params[HTZ_PARAM_MALLET_HARDNESS];",
      "strike.stiffness *= 1.0;", "the mallet's hardness cannot be changed", HANDS, ENGINE)
plant("later", "board-cut", E, "p->board_fade.left = (uint32_t)(gain_ramp_s * engine->rate);", "p->board_fade.left = 1;",
      "all sound off clicks on a soundboard", SILENCE)
plant("later", "relieve-struck", E, "return !key->fading && key->n_events == 0 && (", "return !key->fading && (",
      "overload takes what was struck just now", PARTS)
plant("later", "revived-silent", K, "key->fade.target = 1.0f;", "key->fade.target = 0.0f;",
      "a stroke right after all sound off is not heard", ENGINE, SILENCE)
plant("later", "bend-resets", K, "key->budget += work > 0.0 ? work : 0.0; // it", "key->budget += work > 0.0 ? 0.0 : 0.0; // it",
      "a key bent far while it is touched falls silent", HANDS, "instruments/test_bend")
plant("later", "bend-linear", K, "key->ratio * pow(key->glide / key->ratio, turns / key->glide_quanta)",
      "key->ratio + (key->glide - key->ratio) * turns / key->glide_quanta", "bends do not glide in even intervals", HANDS)
plant("later", "pan-power", "src/engine/mix_rt.c", "(float)(gain * sin(2.0 * quarter_pi * left))", "(float)(gain * left)",
      "panned half way it gets softer", HANDS, ENGINE)
plant("later", "room-hears-tail", "src/engine/part_room_rt.c", "static const double deaf_s = 0.020; ", "static const double deaf_s = 0.0; ",
      "after all sound off the room still has something", ROOM)
plant("later", "motor-stops-closed", "src/engine/board_rt.c", "    p->motor = 1.0;\n", "    p->motor += 0.0;\n",
      "a motor that is stopped leaves the tubes closed", HANDS, PEDALS)
plant("later", "attack-velocity", B, "between(key_note(p, key)->bow[which].attack, key->bow);", "between(key_note(p, key)->bow[which].attack, 1.0);",
      "soft bow strokes start as soon as hard ones", BOW_HANDS, BOW)
plant("later", "bow-place", B, "isnan(position) ? 0.0 : position - bow[0].at", "isnan(position) ? 0.0 : 0.0",
      "the bow cannot be moved along the string", BOW_HANDS, BOW)
plant("later", "no-harmonics", F, "  if (hand->harmonics) {\n    double off;", "  if (hand->harmonics && !p) {\n    double off;",
      "natural harmonics are stopped notes", BOW_HANDS, BOW)
plant("later", "finger-weightless", "src/contact/gesture/bow_rt.c", "pressed * f->damping[b]);", "0.0 * pressed * f->damping[b]);",
      "the light finger does nothing", BOW_HANDS, BOW)
plant("later", "grid-mallet-weight", "src/contact/grid/grid_gesture_rt.c", "const htz_grid_mass_desc load = {.mass = strike->mass};",
      "const htz_grid_mass_desc load = {.mass = strike->mass > 0.0 ? 0.02 : 0.0};", "on a grid the mallet's weight cannot be changed",
      GRID, "instruments/test_buzz")
plant("later", "grid-bow-steps", H, "b->speed += b->rates.smooth * (b->wanted.speed - b->speed);", "b->speed = b->wanted.speed;",
      "on a grid the bow's speed steps", "unit/contact/test_grid_bow", GRID)
plant("later", "grid-bow-jumps", G, "bow->at = lands ? wanted : bow->at + way;",
      "bow->at = lands ? wanted : bow->at + way / fabs(way) * fabs(wanted - bow->at);",
      "on a grid the bow jumps to its new place", "unit/contact/test_grid_bow", GRID)
plant("later", "grid-bridge-gap", G, "m->control[HTZ_THING_GAP], m->gap);", "m->control[m->role == HTZ_ROLE_BRIDGE ? HTZ_THING_AT : HTZ_THING_GAP], m->gap);",
      "the loose bridge cannot be moved", GRID, "instruments/test_tromba")
plant("later", "rubber-sticks", FIXED, "r->easing = ease_steps;", "r->easing = 0;", "a moved rubber pulls the strings out of tune", PREPARED, RATTLE)
plant("later", "rattle-place-jumps", LOOSE, "step_to(&l->at, l->at_wanted, place_step)", "step_to(&l->at, l->at_wanted, 1.0)",
      "a moved rattle jumps", PREPARED, RATTLE)
plant("later", "hammer-stays", SC, "d->spring_hz > 0.0 ? now->held :", "d->spring_hz > 0.0 ? true :",
      "a driven hammer stays when the key is let go", STAY_HANDS, STAY)
plant("later", "hammer-height", S, "s->now.gravity - omega * omega * s->now.rest_height;", "s->now.gravity - omega * omega * 1e-3;",
      "the height of a driven hammer cannot be moved", STAY_HANDS, STAY)
plant("later", "solved-hardness", "src/contact/gesture/solved_rt.c", "if (solver->cls->strike_with) {", "if (solver->cls->strike_with && !s) {",
      "under another solver the mallet cannot be changed", HANDS, "unit/contact/test_solved")
plant("later", "board-level-jumps", "src/engine/bridged_rt.c", "heard[o][i] *= from + step * (float)(i + 1);",
      "heard[o][i] *= p->level + 0.0f * step;", "the level of a two-way board clicks", HANDS, "instruments/test_piano_play")
plant("later", "both-meanings", C, "declared = true;", "declared = false;", "a declared controller does its usual thing, too", MAP)
plant("later", "bend-range", "src/midi/map_rpn_rt.c", "value < RANGE_MAX ? value : RANGE_MAX;", "value < RANGE_MAX ? RANGE_INITIAL : RANGE_MAX;",
      "the range of the wheel cannot be set", "engine/test_map_bend")
plant("later", "fine-tuning", "src/midi/map_rpn_rt.c", "enter_value(&state->fine, cc, value, 1);", "(void)state;",
      "fine tuning of a channel does nothing", "engine/test_map_tuning")
plant("later", "members-share", "src/midi/map_mpe_rt.c", "zone >> c & 1u ? map->mpe_bend : MANAGER_RANGE", "MANAGER_RANGE",
      "members of MPE bend by two semitones", "engine/test_map_mpe")
plant("later", "unmapped-sounds", "src/midi/map_rt.c", "if (!htz_map_is_mapped(map, parts, channel, note)) {",
      "if (false) {", "keys that the keymap leaves out sound", "engine/test_map_tuning")
plant("later", "sensing-ignored", "src/host/live_listen_rt.c", "(source->sensed || item.byte == HTZ_MIDI_SENSING);", "source->sensed;",
      "a pulled cable leaves its notes on", "unit/host/test_live_sources")
plant("later", "pedals-stay-down", C, "heard[pedals[i]] > 1) {", "heard[pedals[i]] > 200) {", "at the end pedals stay down", MAP)
plant("later", "bend-divided", M, "offset < 0 ? offset / 8192.0 : offset / 8191.0;", "offset / 8192.0;",
      "the wheel does not quite reach its range upwards", "engine/test_map_bend")
plant("later", "pause-loses-pedal", "src/host/live_song_rt.c", "htz_live_pedals[p], song->pedal[channel][p], now);",
      "htz_live_pedals[p], 0, now);", "after a pause the song's pedal is up", "unit/host/test_live_song")

# ---------------------------------------------------------------- tension that grows

T = "src/model/modal_stretch_rt.c"
STRETCH, GLIDE = "physics/test_stretch", "instruments/test_glide"
plant("first", "glide-halved", "src/model/modal_setup.c", "m->internal.scale = 0.5 * sqrt(modes->stretch);",
      "m->internal.scale = 0.35 * sqrt(modes->stretch);", "hard notes glide by half", STRETCH, GLIDE)
plant("first", "glide-late", T, "return f->ahead != 0.0;", "return f->ahead < 0.0;", "hard notes do not glide", STRETCH, GLIDE)
plant("first", "glide-steered-away", T, "const double wanting = at.value - (f->psi", "const double wanting = 0.5 * at.value - (f->psi",
      "notes drift flat while they last", STRETCH, GLIDE)

# ---------------------------------------------------------------- what lies along a string

ALONG, CURVED = "src/contact/gesture/links_rt.c", "instruments/test_curved"
plant("first", "left-out-for-ever", ALONG, "l->within[i] = all ||", "l->within[i] = away ? false : all ||",
      "a string that was quiet once goes through its bridge", CURVED)
plant("first", "never-back", "src/contact/network/network_change_rt.c", "c->away = !within[i] && (c->watched || was_away);",
      "c->away = was_away || (!within[i] && c->watched);", "likewise", CURVED)
plant("first", "lies-unseen", ALONG, "&& htz_gestures_let_be(s, &l->base);", "&& s->net;",
      "what is laid on a string presses it through its bridge", CURVED)
plant("first", "loose-disarms", ALONG, "return clear && all_apart(l, NULL);", "return clear && all_apart(l, &(double){0.0});",
      "with something loose on it a string does not meet its bridge", CURVED)

# ---------------------------------------------------------------- chokes, strings of a hand, zones

CHOKES, FINGERS, ZONES = "engine/test_chokes", "engine/test_fingers", "engine/test_map_mpe"
plant("later", "choke-itself", "src/engine/choke_rt.c", "if (other == k || !same || key->choked", "if (other == k || same || key->choked",
      "the open hi-hat rings on, others stop", CHOKES)
plant("later", "choke-never-ends", "src/engine/choke_rt.c", "key->choked = false;", "key->choked = true;", "what was choked once stays so", CHOKES)
plant("later", "chords-on-one", "src/engine/fingered_rt.c", "held_beside(p, (uint32_t)open, k) == HTZ_KEYS;",
      "held_beside(p, (uint32_t)open, k) != HTZ_KEYS;", "a chord takes the string of the note before", FINGERS)
plant("later", "frets-endless", "src/engine/fingered_rt.c", "at - open <= hand->frets + half_key", "at - open <= hand->frets + 99.0",
      "low strings are stopped beyond their frets", FINGERS)
plant("later", "zone-range", "src/midi/map_mpe_rt.c", "map->channel[c].range_semitones = map->channel[channel].range_semitones;",
      "map->channel[c].range_semitones = map->channel[c].range_semitones;", "members of a zone bend by another range", ZONES)
plant("later", "zones-overlap", "src/midi/map_mpe_rt.c", "(theirs < left || n == 0 ? theirs : left)", "(theirs < left || n > 0 ? theirs : left)",
      "the older zone keeps what the newer took", ZONES)

# ---------------------------------------------------------------- strings on a board that moves

RETUNED = "physics/test_bridge_retuned"
plant("later", "retuned-about-rest", "src/contact/island/modal_island_rt.c", "straighten(s, held ? 0.0 : w);", "straighten(s, held ? 0.0 : 0.0 * w);",
      "bends on a moving board make energy", RETUNED)
plant("later", "moved-from-rest", "src/contact/board/bridge_rt.c", "shift_ends(r, r->awake ? to : 0.0);", "shift_ends(r, r->awake ? from : 0.0);",
      "a string that is moved along the bridge is kicked", RETUNED)
plant("later", "stiff-strings-broken", "src/contact/board/bridge_turn_rt.c", "HTZ_QUANTUM, HUGE_VALF, all, to", "HTZ_QUANTUM, 1e9f, all, to",
      "strings bent far up run away", RETUNED)
plant("later", "board-runs-away", "src/engine/bridged_rt.c", "return !(sum <= most) &&", "return sum < 0.0 &&",
      "a runaway of the board is not stopped", "engine/test_on_board")

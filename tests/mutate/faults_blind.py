"""More faults, two sets of thirty: each chosen from the sources alone, before a look at the tests near it."""
from faults import (ALONG, BOW, BOW_HANDS, C, CHOKES, COMBINED, CURVED, E, ENGINE, FINGERS, GRID, HANDS, K, LOOSE, MAP, PARTS, PEDALS,
                    PREPARED, RATTLE, RETUNED, ROOM, SC, SILENCE, STAY, STAY_HANDS, ZONES, plant)

# ---------------------------------------------------------------- chosen without a look at the tests

A, RPN, TUNING = "src/engine/action_rt.c", "src/midi/map_rpn_rt.c", "src/midi/map_tuning_rt.c"
ACTION, EARS, HUMAN, COIL = "instruments/test_action", "instruments/test_ears", "instruments/test_human", "instruments/test_coil"
ON_BOARD, MAP_TUNING, MAP_REST = "engine/test_on_board", "engine/test_map_tuning", "engine/test_map_rest"
LINKED, PLATES = "instruments/test_linked_keys", "instruments/test_plates"
plant("blind", "knock-at-once", A, "engine->now + offset + (uint64_t)(late_s * engine->rate), strike}",
      "engine->now + offset + 0 * (uint64_t)(late_s * engine->rate), strike}", "a key knocks before it has come down", ACTION)
plant("blind", "knock-both-ways", A, "if (action->blows[i].release != release) {", "if (action->blows[i].release && !release) {",
      "letting go knocks as pressing does", ACTION)
plant("blind", "knock-after-silence", A, "  p->action.n = 0;\n", "  p->action.n += 0;\n", "after all sound off a key still knocks", ACTION)
plant("blind", "knock-velocity", A, "t->speed[0] * pow(t->speed[1] / t->speed[0], share)", "t->speed[0] * pow(t->speed[1] / t->speed[0], 0.5 + 0.0 * share)",
      "keys knock as loudly however they are struck", ACTION)
plant("blind", "ears-jump", "src/engine/ears_rt.c", "static const double walk_s = 0.3;", "static const double walk_s = 0.0003;",
      "another place of the ears clicks", EARS)
plant("blind", "ears-stay", "src/engine/ears_rt.c", "{ears[i].re[walk->from], ears[i].re[walk->to]};", "{ears[i].re[walk->from], ears[i].re[walk->from]};",
      "ears that were moved hear what they did", EARS)
plant("blind", "late-at-once", "src/engine/late_rt.c", "return p->later[side] + late;", "return p->later[side] + 0 * late;",
      "what is farther from an ear comes as early as what is near", EARS)
plant("blind", "magnet-linear", "src/engine/magnet_rt.c", "slope(magnet->offset + 0.5 * (before + moved))", "slope(magnet->offset + 0.0 * (before + moved))",
      "a hard stroke is not brighter before a coil", COIL)
plant("blind", "hand-steady", "src/engine/human_rt.c", "moved(strike->at, human * place_most", "moved(strike->at, 0.0 * human * place_most",
      "a hand strikes the same place each time", HUMAN, "unit/engine/test_human")
plant("blind", "players-alike", "src/engine/human_rt.c", "mixed((uint64_t)which->player << 32 | which->key)", "mixed((uint64_t)which->key)",
      "players of one part are alike", PARTS, "unit/engine/test_human", HUMAN)
plant("blind", "damped-answer", "src/engine/bridged_rt.c", "static const double open_below = 10.0;", "static const double open_below = 1e4;",
      "damped strings answer like free ones", "instruments/test_sympathy", ON_BOARD)
plant("blind", "level-twice", "src/engine/bridged_rt.c", "p->drives[z][i] /= p->level + step * (float)(i + 1);", "p->drives[z][i] /= 1.0f + 0.0f * step;",
      "what only drives a moving board has the part's level twice", ON_BOARD, ACTION)
plant("blind", "cut-pushes", "src/engine/cut_rt.c", "r->hump[o] = (sum - from * falls) / (float)length;", "r->hump[o] = 0.0f * (sum - from * falls);",
      "what is cut pushes the loudspeaker", SILENCE, HANDS)
plant("blind", "room-adds", "src/engine/part_room_rt.c", "r->dry.target = (float)sqrt(1.0 - wet);", "r->dry.target = (float)sqrt(1.0 - 0.0 * wet);",
      "a room makes everything louder", ROOM, HANDS)
plant("blind", "last-member-out", "src/midi/map_mpe_rt.c", "channel <= LOWER + members_of(map, LOWER)", "channel < LOWER + members_of(map, LOWER)",
      "the last member of a zone is played by itself", ZONES, "engine/test_map_zones")
plant("blind", "zone-leaves-notes", "src/midi/map_mpe_rt.c", "  htz_map_notes_off(map, channel, frame);\n", "  (void)frame;\n",
      "a new zone leaves notes on", ZONES, "engine/test_map_zones")
plant("blind", "range-whole", RPN, "state->range_cents = (uint8_t)(cents % CENTS);", "state->range_cents = (uint8_t)(0 * cents);",
      "increments do not move the bend range", "engine/test_map_bend", MAP_REST)
plant("blind", "octave-everywhere", TUNING, "if (!(octave.channels >> channel & 1u)) {", "if (!(octave.channels)) {",
      "a scale sent to one channel is on all", MAP_TUNING)
plant("blind", "first-tuning-program", TUNING, "map->pitch[program][note] - note)", "map->pitch[0 * program][note] - note)",
      "tuning programs are all the first", MAP_TUNING)
plant("blind", "tunes-what-sounds", TUNING, "(at_rest && htz_engine_sounds(", "(at_rest && !htz_engine_sounds(",
      "a table for later bends what sounds", MAP_TUNING)
plant("blind", "kit-bends-far", C, "12.0; // [semitone] a skin", "120.0; // [semitone] a skin", "the wheel bends drums by octaves", MAP, MAP_REST, "engine/test_map_zones")
plant("blind", "ball-slow", SC, "ball->travelled += ball->speed * period;", "ball->travelled += 0.5 * ball->speed * period;",
      "what a ball rolls over passes half as fast", STAY_HANDS, STAY)
plant("blind", "drive-frozen", SC, "stay_drive_at(now, c->driven++, c->gain);", "stay_drive_at(now, c->driven, c->gain);",
      "a driven mallet hears the first sample of each quantum alone", STAY_HANDS, STAY)
plant("blind", "last-feed-alone", "src/contact/island/signals_rt.c", "drive[feed->point][i] += all->of[feed->from][feed->pickup][i];",
      "drive[feed->point][i] = all->of[feed->from][feed->pickup][i];", "of two bodies that feed a third one is not heard",
      "unit/contact/test_modal_island", "engine/test_objects", "instruments/test_links")
plant("blind", "bent-plate-couples", "src/model/modal_bending_rt.c", "|| m->ratio != 1.0;", "|| m->ratio < 0.0;",
      "cymbals that are bent by the wheel get louder without end", "physics/test_bending", PLATES)
plant("blind", "one-string-pushed", "src/contact/grid/grid_stretch_rt.c", "s->b->next[at] += s->direction * force *", "s->b->next[at] += 0.0 * s->direction * force *",
      "of two strings of a grid that meet one does not feel it", "physics/test_grid_network", "instruments/test_grid")
plant("blind", "clocked-early", "src/contact/island/clocked_rt.c", "(waiting){*strike, c->samples + HTZ_QUANTUM};", "(waiting){*strike, c->samples + 0 * HTZ_QUANTUM};",
      "notes of a file with a clock begin now earlier, now later", HANDS, "instruments/test_time", "instruments/test_curved")
plant("blind", "linked-stay-faded", "src/engine/linked_rt.c", "    p->linked_fade.target = 1.0f;\n", "    p->linked_fade.target = 0.0f;\n",
      "a stroke right after all sound off is not heard of what keys share", LINKED)
plant("blind", "asleep-retuned", "src/contact/board/bridge_rt.c", "loss, r->awake ? here : 0.0);", "loss, here);",
      "strings that sleep are kicked when they are bent", RETUNED)
plant("blind", "back-too-late", ALONG, "hardly_apart = 1.0001;", "hardly_apart = 0.1;", "a string goes into its bridge before it is stopped",
      CURVED)

# ---------------------------------------------------------------- and again, after tests for what survived of those

COMMON = "src/engine/stroke_rt.c"
plant("blind again", "no-hammer-on", "src/engine/fingered_rt.c", "velocity <= hand->hammer_on && !htz_bow_plays", "velocity <= 0.0 * hand->hammer_on && !htz_bow_plays",
      "soft keys pluck the string again", FINGERS)
plant("blind again", "one-of-two-notes", E, "    any = any || (p->notes[note / 64]", "    any = any && (p->notes[note / 64]",
      "of two notes that one key plays the first release ends both", "engine/test_objects", ENGINE)
plant("blind again", "bend-without-bound", "src/engine/voice_rt.c", "static const double louder_most = 4.0;", "static const double louder_most = 400.0;",
      "keys bent far beyond their range blare", "instruments/test_bend")
plant("blind again", "tunes-at-once", K, "static const double semitone = 1.0594630943592953;", "static const double semitone = 16.0;",
      "a wheel moved far under a mallet that touches is an explosion", HANDS, "instruments/test_bend")
plant("blind again", "gesture-misses", COMMON, "  while (wanted > 0 && !(key->plan->does >> wanted & 1u)) {", "  while (wanted > 99 && !(key->plan->does >> wanted & 1u)) {",
      "a controller half way to a gesture that is not there plays another", "engine/test_objects", COMBINED, "engine/test_grid_language")
plant("blind again", "gesture-speed", COMMON, "share) * key->params[HTZ_PARAM_MALLET_SPEED];", "share) * 1.0;",
      "how hard a pluck, throw or kick is cannot be moved", GRID, "engine/test_grid_language", COMBINED)
plant("blind again", "wheel-bites", "src/engine/bow_rt.c", "object->bows[i].turns ? force : bites * force", "object->bows[i].turns ? bites * force : bites * force",
      "a wheel presses harder at first", COMBINED)
plant("blind again", "light-finger-slides", "src/contact/gesture/bow_rt.c", "const bool there = f->at == f->wanted;", "const bool there = f->at == f->wanted || f->pressed > 0.0;",
      "the light finger stays where it was", BOW_HANDS, BOW)
plant("blind again", "ball-brakes-alike", SC, "d->friction * now->gravity * period", "d->friction * 9.81 * period",
      "a ball under twice the gravity stops no sooner", STAY_HANDS, STAY)
plant("blind again", "rattle-pressed-in", LOOSE, "l->gap[b] += htz_network_account(net, g->contact + b)->eta - eta[b];", "l->gap[b] += 0.0 * eta[b];",
      "a rattle moved along the string is kicked by it", PREPARED, RATTLE)
plant("blind again", "tubes-click", "src/contact/island/signals_rt.c", "line[i] += signal[i] * (first + step * (float)(i + 1));", "line[i] += signal[i] * (first + 0.0f * step);",
      "tubes turned down click", HANDS, PEDALS, "unit/contact/test_modal_island")
plant("blind again", "zone-cents", "src/midi/map_mpe_rt.c", "map->channel[c].range_cents = map->channel[channel].range_cents;", "map->channel[c].range_cents = map->channel[c].range_cents;",
      "members of a zone bend by some cents less", ZONES, "engine/test_map_zones")
plant("blind again", "coarse-tuning", RPN, "enter_value(&state->coarse, cc, value, 1 << BITS_7);", "enter_value(&state->coarse, cc, 64, 1 << BITS_7);",
      "coarse tuning of a channel does nothing", MAP_TUNING)
plant("blind again", "octave-kept", TUNING, "      map->octave[channel][class] = 0.0f;", "      map->octave[channel][class] += 0.0f;",
      "a reset leaves a scale of twelve", MAP_TUNING)
plant("blind again", "pressed-parts", C, "control->cc == HTZ_CONTROL_PRESSURE && !htz_param_of_part(control->base)", "control->cc == HTZ_CONTROL_PRESSURE && htz_param_of_part(control->base)",
      "pressure of a key moves nothing of it", MAP, MAP_REST, ZONES)
plant("blind again", "deep-wheel", C, "? control->low * pow(control->high / control->low, at)", "? control->low + (control->high - control->low) * at",
      "twice the depth of the wheel is not its square", MAP, MAP_REST, "engine/test_map_bend")
plant("blind again", "reset-dries", C, "|| (cc >= CC_EFFECTS_FIRST && cc <= CC_EFFECTS_LAST);", "|| (cc >= CC_EFFECTS_LAST && cc < CC_EFFECTS_FIRST);",
      "resetting controllers moves what effects do", MAP, MAP_REST)
plant("blind again", "plates-linear", "src/model/modal_bending_rt.c", "static const double inaudible = 1e-4;", "static const double inaudible = 1e9;",
      "hard strokes on cymbals do not bloom", PLATES, "physics/test_bending")
plant("blind again", "psi-drifts", "src/model/modal_bending_rt.c", "static const double shift_share = 1.0;", "static const double shift_share = 1e-6;",
      "plates bent far lose what they are", "physics/test_bending", PLATES)
plant("blind again", "left-out-too-soon", ALONG, "surely_apart = 1.05,", "surely_apart = 0.2,", "a string is let through its bridge at first", CURVED)
plant("blind again", "grid-pumped", "src/contact/grid/grid_island_rt.c", "if (htz_grid_gestures_busy(g) || !(before > 0.0)", "if (true || htz_grid_gestures_busy(g) || !(before > 0.0)",
      "bending a grid up and down makes it louder and louder", GRID, "instruments/test_grid", "physics/test_grid_played")
plant("blind again", "drive-level", "src/contact/board/bridge_rt.c", "    r->drive = factor;", "    r->drive = 0.0 * factor + 1.0;",
      "a string's own level does not reach what it drives", ON_BOARD, "physics/test_bridge_played")
plant("blind again", "lever-jumps", "src/engine/bridged_rt.c", "static const double step = 1.122018454301963; // 1 dB", "static const double step = 1e9; // 1 dB",
      "a key's level on a moving board clicks", ON_BOARD, RETUNED)
plant("blind again", "others-asleep", "src/engine/linked_rt.c", "(struck || htz_group_disturbed(l->group, u, HTZ_ASLEEP_BELOW))", "(0 * struck || htz_group_disturbed(l->group, u, HTZ_ASLEEP_BELOW))",
      "the first moments of a stroke do not reach linked keys", LINKED)
plant("blind again", "creeping-knock", A, "static const double latest_s = 1.0;", "static const double latest_s = 1e3;",
      "keys that creep down knock long after", ACTION)
plant("blind again", "linked-silence-slow", "src/engine/linked_rt.c", "static const double fade_seconds = 0.010;", "static const double fade_seconds = 0.5;",
      "what keys share rings on after all sound off", LINKED)
plant("blind again", "stronger-hand", "src/engine/human_rt.c", "mixed(of_key(which) + LINE_START) + which->stroke * golden) - 1.0;", "mixed(of_key(which) + LINE_START) + which->stroke * golden) - 0.5;",
      "a human hand is louder", HUMAN, "unit/engine/test_human")
plant("blind again", "coil-pushes", "src/engine/magnet_rt.c", "(flux(magnet->offset) - flux(magnet->offset + key->moved[o]))", "(flux(magnet->offset) - flux(magnet->offset + 0.0 * key->moved[o]))",
      "silenced, a coil pushes the loudspeaker", COIL)
plant("blind again", "back-to-the-part", "src/engine/change_rt.c", "c->back ? p->keys[k].plan->object->params[c->slot] : c->value;", "c->back ? p->params[c->slot < HTZ_PARAM_COUNT ? c->slot : 0] : c->value;",
      "what is given back is not what the object came with", "engine/test_objects", "engine/test_names")
plant("blind again", "all-keys-moved", "src/engine/change_rt.c", "(!binding || p->keys[k].plan->object == binding->object)", "(!binding || p->keys[k].plan->object != NULL)",
      "a parameter of one object moves another's", "engine/test_names", "engine/test_objects")

# ---------------------------------------------------------------- survivors of an earlier set, that tests were written for

plant("first", "knob-jumps", C, "control->taken = control->taken || !control->pickup || there || past;",
      "control->taken = control->taken || there || past || true;", "a knob that stands elsewhere jumps", MAP)
plant("first", "rattle-inside", LOOSE, "l->gap[b] = above > l->gap_wanted ? above : l->gap_wanted;", "l->gap[b] = l->gap_wanted;",
      "a rattle set down in a swinging string kicks it", PREPARED)
plant("first", "ball-jerks", SC, ".speed_share = -expm1(-period / hand_s)};", ".speed_share = -expm1(-period / (1e-6 * hand_s))};",
      "the hand's speed of a ball jumps", STAY_HANDS)
plant("first", "lever-tuning", K, "const double a = lean * lean * (1.0", "const double a = lean * lean * lean * lean * (1.0",
      "a key at a level of its own is out of tune", ON_BOARD)
plant("first", "stroke-too-short", "src/engine/bow_rt.c", "(key->bowing && seconds < stroke_least_s);",
      "(key->bowing && seconds < 0.0 * stroke_least_s);", "a very short bowed note is silent", BOW_HANDS)
plant("first", "pin-stays", "src/contact/gesture/mallets_rt.c", "eta < -departed_gap_m || lets_go(m) :",
      "eta < -departed_gap_m || (lets_go(m) && false) :", "a pluck never lets go", HANDS)
plant("first", "damper-of-choked", K, "return key->choked && key->plan->choke > held ? key->plan->choke : held;",
      "return key->choked && key->plan->choke > 0.0 ? key->plan->choke : held;", "a choke lifts the damper", CHOKES)

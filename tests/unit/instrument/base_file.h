#ifndef HTZ_TEST_BASE_FILE_H
#define HTZ_TEST_BASE_FILE_H

/** A small good instrument file, by line, with a feed, a table and a control: cases replace one line of it. */
static const char* const base_lines[] = {
    "format: 1",                                         // 1
    "name: Test",                                        // 2
    "keys: [60, 72]",                                    // 3
    "per_key:",                                          // 4
    "  bar: {body: bar, mass: 0.3, t60: 1.5, modes: 8}", // 5
    "  tube: {body: modal-list, ratios: [1, 3], q: 20}", // 6
    "feeds:",                                            // 7
    "  - {from: bar, to: tube, gain: 30}",               // 8
    "mallet:",                                           // 9
    "  strikes: bar",                                    // 10
    "  mass: {60: 0.03, 72: 0.02}",                      // 11
    "  speed: [0.1, 6.0]",                               // 12
    "  contact: {stiffness: 1.0e+7, viscosity: 0.3}",    // 13
    "pickups:",                                          // 14
    "  - {of: bar, pan: keys}",                          // 15
    "controls:",                                         // 16
    "  mallet.hardness: {cc: 74, range: [0.1, 10]}",     // 17
};

enum { BASE_LINES = sizeof base_lines / sizeof base_lines[0] };

#endif

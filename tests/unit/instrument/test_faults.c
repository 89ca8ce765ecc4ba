#include "check.h"

#include "base_file.h"
#include "hertzian/instrument/spec.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096, PLACES_MAX = 8 };

/** Replace line `line` of the base file by `text`, in which each `@` marks the place of an expected fault. */
typedef struct {
  unsigned line;
  const char* text;
  const char* says; // part of the first fault's message
} fault_case;

#define BOARD "body: soundboard, material: spruce, length: 1, width: 0.8, thickness: 0.01"
#define FEED "  - {from: bar, to: tube, gain: 1}\n"
#define DRIVES "drives: [{from: bar, quantity: velocity, to: board, gain: 1}]"
#define HEARD "\npickups:\n  - {of: board, quantity: acceleration, at: [0.3, 0.3]}"

static const fault_case cases[] = {
    // The frame of the file.
    {1, "format: @2", "it reads 1"},
    {1, "format: @one", "is not a number"},
    {2, "name: @[a, b]", "expected text, found a list"},
    {2, "name:@ ", "expected text, found nothing"},
    {3, "keys: @[72, 60]", "lowest key comes first"},
    {3, "keys: @[60]", "it takes 2"},
    {3, "keys: [60, @128]", "allowed: 0 to 127"},
    {3, "keys: [@60.5, 72]", "not a whole number"},
    {3, "keys: @[60,5, 72]", "decimals take a point"},
    {3, "keys: [60, 72]\nstrict: @maybe", "Allowed: false, true"},
    // Names.
    {2, "name: x\n@abuot: y", "did you mean \"about\"? Allowed: format, family, name, about"},
    {2, "name: x\n@wibble: y", "unknown key \"wibble\" in the file. Allowed:"},
    {2, "name: x\n@name: y", "stands twice in the file; first in line 2"},
    {13, "  contact: {@stifness: 1.0e+7, stiffness: 2.0e+7}", "did you mean \"stiffness\"? Allowed: law, stiffness"},
    {5, "  bar: {body: @baar, mass: 0.3}", "did you mean \"bar\"? Allowed: string, bar, modal-list"},
    {5, "  bar: @{mass: 0.3}", "missing key \"body\", the kind of body: string, bar, modal-list"},
    {5, "  bar: {body: bar, @msas: 0.3, mass: 0.2}", "did you mean \"mass\""},
    {5, "  bar: {body: bar, mass: 0.3, ends: @clamped}", "Allowed: free, cantilever"},
    {5, "  bar: {body: bar, mass: 0.3, material: @rosewod}", "did you mean \"rosewood\""},
    {5, "  @bar one: {body: bar, mass: 0.3}\n  bar: {body: bar, mass: 0.3}", "letters, digits"},
    {5, "  bar: {body: bar, mass: 0.3}\n  @bar: {body: bar, mass: 0.3}", "stands twice in per_key"},
    {10, "  strikes: @bra", "did you mean \"bar\"? Allowed: bar, tube"},
    {8, "  - {from: bar, to: @tub, gain: 30}", "did you mean \"tube\""},
    {8, "  - {from: bar, to: tube, gain: 30, quantity: @speed}", "Allowed: displacement, velocity, acceleration"},
    {13, "  contact: {law: @hertz, stiffness: 1.0e+7}", "Allowed: hunt-crossley"},
    {13, "  contact: {law: @spring, stiffness: 1.0e+7}", "Allowed: hunt-crossley"},
    // Missing.
    {13, "  contact: @{viscosity: 0.3}", "contact: missing key \"stiffness\""},
    {15, "  - @{pan: keys}", "pickup: missing key \"of\""},
    {17, "  mallet.hardness: @{range: [0.1, 10]}", "missing key \"cc\""},
    // Numbers.
    {11, "  mass: @1,5", "\"1,5\" is not a number; decimals take a point: 1.5"},
    {11, "  mass: @0.03 kg", "write it without its unit, in kg"},
    {11, "  mass: @\"0.03\"", "a number stands without quotes"},
    {11, "  mass: @heavy", "\"heavy\" is not a number"},
    {11, "  mass: @.nan", "is not a number"},
    {11, "  mass: @.inf", "is not a number"},
    {11, "  mass: @1e999", "is not a number"},
    {11, "  mass: @0x10", "is not a number"},
    {11, "  mass: @1_000", "is not a number"},
    {11, "  mass:@ ", "a number is missing"},
    {11, "  mass: @900", "mass: 900 kg is out of range; allowed: 1e-06 to 100 kg"},
    {11, "  mass: @-1", "out of range"},
    {11, "  mass: @[1, 2]", "expected a number or a table"},
    {5, "  bar: {body: bar, mass: 1,@3}", "decimals take a point"},
    {5, "  bar: {body: bar, mass: 0.3, t60: @-1}", "allowed: 0.001 to 1000 s"},
    {5, "  bar: {body: bar, mass: 0.3, modes: @2.5}", "not a whole number"},
    {12, "  speed: @[6.0, 0.1]", "velocity 1 must be below"},
    {12, "  speed: @fast", "expected a list such as"},
    {15, "  - {of: bar, pan: @left}", "-1 (left) to 1 (right), or `keys`"},
    {15, "  - {of: bar, pan: @2}", "allowed: -1 to 1"},
    {15, "  - {of: bar, pan: 0, spread: @0.5}", "goes with `pan: keys`"},
    // Tables.
    {11, "  mass: {60: 0.03, @60: 0.02}", "key 60 stands twice in this table"},
    {11, "  mass: {@C4: 0.03, 72: @0}", "key number: \"C4\" is not a number"},
    {11, "  mass: {@128: 0.03}", "allowed: 0 to 127"},
    {11, "  mass: @{}", "the table is empty"},
    {11, "  mass: {60: @{61: 2}}", "expected a number, found a map"},
    // What does not go together.
    {5, "  bar: {body: bar, mass: 0.3, frequency: 100, ratio: @2}", "give one of the two"},
    {5, "  bar: {body: bar, mass: 0.3, frequency: @low}", "`key` (the key's pitch), `own`"},
    {5, "  bar: {body: bar, mass: 0.3, frequency: @own}", "`own` needs length"},
    {5, "  bar: {body: bar, mass: 0.3, t60: @1, loss0: 2}", "either decay times or loss0"},
    {5, "  bar: {body: bar, mass: 0.3, t60_high: @1}", "needs t60"},
    {5, "  bar: {body: bar, mass: 0.3, t60: 1, t60_high: 0.1, t60_high_hz: @100}", "above the first partial (at key 60)"},
    {5, "  bar: {body: bar, mass: 0.3, modes: @2}", "at least 3"},
    {5, "  bar: {body: bar, mass: 0.3, partials: @[1, 4, 3]}", "must ascend from 1"},
    {5, "  bar: {body: bar, mass: 0.3, partials: [1, @{60: 4}]}", "the same for all keys"},
    {5, "  bar: @{body: bar}", "mass: give it, or length"},
    {5, "  bar: @{body: string}", "length: a string needs"},
    {5, "  bar: {body: string, length: 0.6, lin_density: 0.005, tension: @700}", "only with `frequency: own`"},
    {6, "  tube: @{body: modal-list, q: 20}", "give the modes' ratios or frequencies"},
    {6, "  tube: {body: modal-list, ratios: @[1], frequencies: [100], q: 20}", "not both"},
    {6, "  tube: {body: modal-list, ratios: [1, 2, 3], q: @[20, 10]}", "one for all modes, or one for each"},
    {6, "  tube: {body: modal-list, ratios: [1, 3], q: 20, material: @steel}", "has no use for it"},
    {8, "  - {from: tube, to: bar, gain: 30}", "nothing moves \"tube\"; strike it, feed it, or link it"},
    {8, "  - @{from: bar, to: tube, gain: 30}\n  - {from: tube, to: bar, gain: 30}", "closes a circle"},
    {8, "  - {from: tube, to: @tube, gain: 30}", "cannot feed itself"},
    {8, "  - {from: bar, to: tube, gain: 30}\n" FEED FEED FEED FEED FEED FEED "  - {from: bar, to: tube, gain: 1}",
     "listened to 9 times"}, // at the pickups
    {17, "  mallet.hardness: {cc: @64}", "taken by the pedals"},
    {17, "  mallet.hardness: {cc: @7}", "taken by channel volume"},
    {17, "  mallet.hardness: {cc: @123}", "taken by channel mode messages"},
    {17, "  mallet.hardness: {cc: 74, range: [0.1, @1e9]}", "allowed: 0.001 to 1000"},
    {17, "  mallet.hardness: {cc: 74, range: @[1, 1]}", "both ends are the same"},
    {17, "  @mallet.hardnes: {cc: 74}", "did you mean \"mallet.hardness\""},
    {17, "  @volume: {cc: 74}", "belongs to the channel"},
    {17, "  mallet.hardness: {cc: 74}\ndefaults: {level: 3, @level: 4}", "stands twice in defaults"},
    {17, "  mallet.hardness: {cc: 74}\n  @mallet.hardness: {cc: 75}", "stands twice in controls"},
    {17, "  mallet.hardness: {cc: 74}\ndefaults: {level: @99}", "allowed: -60 to 18 dB"},
    {17, "  mallet.hardness: {cc: 74}\n  @tube.level: {cc: 75}", "no effect on this instrument. Allowed: level, width, tune"},
    {17, "  mallet.hardness: {cc: 74}\ndefaults: {@damper: 2}", "defaults: \"damper\" has no effect"},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: [{name: a}, {name: b}]\ndefaults: {mallet.kind: @0.5}",
     "not a whole number"},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: [{name: a}, {name: b}]\ndefaults: {mallet.kind: @2}", "allowed: 0 to 1"},
    {11, "  mass: {60: 0.03, @61: 100}", "mass: beyond key 61 the table goes on to 333333 kg at key 62, out of range"},
    {11, "  mass: {@70: 1.0e-5, 72: 1}", "kg at key 69, out of range; allowed: 1e-06 to 100 kg"},
    {17, "  mallet.hardness: {cc: 74}\nprograms: [12, @12]", "12 stands twice"},
    {17, "  mallet.hardness: {cc: 74}\nprograms: [@128]", "allowed: 0 to 127"},
    {17, "  mallet.hardness: {cc: 74}\nkits: [0, @0]", "kits: 0 stands twice"},
    {17, "  mallet.hardness: {cc: 74}\nkits: [@128]", "allowed: 0 to 127"},
    {17, "  mallet.hardness: {cc: 74}\ndamper: {loss: @-1}", "allowed: 0 to 10000 1/s"},
    // Pins and tubes.
    {13, "  contact: {stiffness: 1.0e+7}\n  lift: @[1.0e-3, 1.0e-4]", "lift: the lift at velocity 1 must be below"},
    {13, "  contact: {stiffness: 1.0e+7}\n  lift: [@0, 1.0e-4]", "lift: 0 m is out of range"},
    {13, "  contact: {stiffness: 1.0e+7}\n  lift: @[1.0e-4, 1.0e-3]\n  gravity: 9.81", "no gravity, drive or roll"},
    {13, "  contact: {stiffness: 1.0e+7}\n  lift: @[1.0e-4, 1.0e-3]\n  solver: am1\n  pool: 1",
     "only the default solver plucks"},
    {5, "  bar: {body: bar, material: brass, thickness: 0.02, wall: @0.01}", "wall: must be less than half the thickness"},
    {5, "  bar: {body: bar, material: brass, width: 0.02, thickness: 0.02, wall: @0.001}", "but no width"},
    // Unisons, the shared body, mallets to choose from, pedals.
    {5, "  bar: {body: bar, mass: 0.3, count: @5}", "allowed: 1 to 4"},
    {5, "  bar: {body: bar, mass: 0.3, count: 2, detune: @-1}", "allowed: 0 to 100 cent"},
    {5, "  bar: {body: bar, mass: 0.3, detune: @1}", "goes with `count`"},
    {5, "  bar: {body: bar, mass: 0.3, limit_hz: @0}", "allowed: 20 to 100000 Hz"},
    {5, "  bar: {body: bar, mass: 0.3, @zones: 4}", "unknown key \"zones\""},
    {6, "  tube: {body: modal-list, ratios: [1, 3], q: 20, count: @5}", "allowed: 1 to 4"},
    {10, "  strikes: [bar, @bar]", "\"bar\" stands twice in this list"},
    {10, "  strikes: @[]", "it takes 1 to 8"},
    // Links.
    {7, "links: @{type: rigid}\nfeeds:", "expected a list"},
    {7, "links: [@{between: [bar, tube]}]\nfeeds:", "link: missing key \"type\""},
    {7, "links: [{type: @string, between: [bar, tube]}]\nfeeds:", "Allowed: spring, damper, rigid, contact"},
    {7, "links: [{type: rigid, between: @[bar]}]\nfeeds:", "between: 1 item; it takes 2"},
    {7, "links: [{type: rigid, between: [bar, @gruond]}]\nfeeds:", "did you mean \"ground\"? Allowed: bar, tube, ground"},
    {7, "links: [{type: rigid, between: @[ground, ground]}]\nfeeds:", "the ground does not move"},
    {7, "links: [{type: rigid, between: [bar, tube], at: @[0.5]}]\nfeeds:", "at: 1 item; it takes 2"},
    {7, "links: [{type: rigid, between: [bar, tube], at: [0.5, @2]}]\nfeeds:", "allowed: 0 to 1"},
    {7, "links: [{type: rigid, between: [bar, tube], at: [@[0.5, 0.5], 0.5]}]\nfeeds:", "\"bar\" is no surface"},
    {7, "links: [{type: rigid, between: [bar, tube], stiffness: @1}]\nfeeds:", "stiffness: a link of type rigid has none"},
    {7, "links: [{type: damper, between: [bar, tube], gap: @0.01, damping: 1}]\nfeeds:", "gap: a link of type damper has none"},
    {7, "links: [@{type: spring, between: [bar, tube]}]\nfeeds:", "link: missing key \"stiffness\""},
    {7, "links: [@{type: damper, between: [bar, tube]}]\nfeeds:", "link: missing key \"damping\""},
    {7, "links: [@{type: contact, between: [bar, tube]}]\nfeeds:", "link: missing key \"stiffness\""},
    {7, "links: [{type: contact, between: [bar, tube], stiffness: 1, hysteresis: @1}]\nfeeds:",
     "hysteresis: the law hunt-crossley has none"},
    {7, "links: [{type: contact, between: [bar, tube], stiffness: 1, gap: @-1}]\nfeeds:", "allowed: 0 to 0.1 m"},
    {7, "links: [{type: contact, between: [bar, tube], stiffness: 1, side: @above}]\nfeeds:", "Allowed: behind, front"},
    {7, "links: [{type: spring, between: [bar, tube], stiffness: 1}]\nfeeds:", "closes a circle"}, // at the feed
    {15, "  - {of: bar, quantity: @force}", "\"bar\" presses on no support"},
    {8, "  - {from: bar, to: tube, gain: 30, quantity: @force}", "\"bar\" presses on no support"},
    {9, "shared: @{}\nmallet:", "expected one body as `name:"},
    {9, "shared: @[board]\nmallet:", "expected one body as `name:"},
    {14, "shared: {board: {" BOARD "}, @second: {" BOARD "}}\n" DRIVES HEARD, "a second, and takes part where `links` name it"},
    {14, "shared: {board: {" BOARD "}}\ndefaults: {@board: two-way}\n" DRIVES HEARD, "both ways by `links`"},
    {9, "shared: {@my board: {body: soundboard}}\nmallet:", "letters, digits"},
    {9, "shared: {@bar: {" BOARD "}}\nmallet:", "in per_key already"},
    {9, "shared: {board: @{body: soundboard, material: spruce, width: 1, thickness: 0.01}}\nmallet:", "needs length, width"},
    {9, "shared: {board: @{body: soundboard, length: 1, width: 1, thickness: 0.01}}\nmallet:", "needs a material"},
    {9, "shared: {board: {" BOARD ", young: @{60: 1.0e+10, 72: 2.0e+10}}}\nmallet:", "a shared body is the same for all keys"},
    {9, "shared: {board: {" BOARD ", @ratio: 2}}\nmallet:", "unknown key \"ratio\""},
    {9, "shared: {board: {" BOARD ", frequency: @key}}\nmallet:", "no key to take its pitch from"},
    {9, "shared: {board: {" BOARD ", frequency: @100}}\nmallet:", "follows from the board"},
    {9, "shared: {board: {" BOARD ", bridge: @[0.1, 0.2, 0.9]}}\nmallet:", "takes four numbers"},
    {9, "shared: {board: {" BOARD ", bridge: [0.1, 0.2, 0.9, @1.5]}}\nmallet:", "allowed: 0 to 1"},
    {9, "shared: {board: {" BOARD ", young_across: 1.0e+12, poisson: @0.5}}\nmallet:", "too large for a board"},
    {9, "shared: {board: {" BOARD ", zones: @17}}\nmallet:", "allowed: 1 to 16"},
    {9, "shared: @@{board: {" BOARD "}}\nmallet:", "it needs drives"}, // and pickups
    {9, "shared: @{board: {" BOARD "}}\n" DRIVES "\nmallet:", "it needs pickups"},
    {9, "drives: [{from: bar, quantity: velocity, to: @board, gain: 1}]\nmallet:", "no shared body to drive"},
    {9, "drives: [@{from: bar, quantity: velocity, gain: 1}]\nmallet:", "drive: missing key \"to\""},
    {15, "  - {of: board, at: [0.3, 0.4]}\nshared: {board: {" BOARD "}}\ndrives: [@{from: bar, to: board, gain: 1}]",
     "\"bar\" presses on no support"}, // a drive hears force unless told
    {15,
     "  - {of: board, at: [0.3, 0.4]}\nshared: {board: {" BOARD
     "}}\ndrives: [{from: bar, quantity: velocity, to: @bord, gain: 1}]",
     "did you mean \"board\""},
    {15, "  - {of: board, at: [0.3, 0.4]}\nshared: {board: {" BOARD "}}\ndrives: [{from: @board, to: board, gain: 1}]",
     "Allowed: bar, tube"},
    {15,
     "  - {of: board, at: [0.3, 0.4]}\nshared: {board: {" BOARD "}}\n"
     "drives: [{from: bar, quantity: velocity, to: board, gain: 1, along: @left}]",
     "a number or table from 0 to 1"},
    {15,
     "  - {of: board, at: [0.3, 0.4]}\nshared: {board: {" BOARD "}}\n"
     "drives: [{from: bar, quantity: velocity, to: board, gain: 1, along: 0.2}, {from: bar, to: board, quantity: velocity, "
     "gain: 1, along: @0.3}]",
     "meet the shared body at one place"},
    {15, "  - {of: board, at: @0.3}\nshared: {board: {" BOARD "}}\n" DRIVES, "expected a list"},
    {15, "  - @{of: board}\nshared: {board: {" BOARD "}}\n" DRIVES, "missing key \"at\""},
    {15, "  - {of: board, at: [0.3, @1.1]}\nshared: {board: {" BOARD "}}\n" DRIVES, "allowed: 0 to 1"},
    {15, "  - {of: board, at: [0.3, 0.4], quantity: @force}\nshared: {board: {" BOARD "}}\n" DRIVES, "presses on no support"},
    {15, "  - {of: board, at: [0.3, 0.4], pan: @keys}\nshared: {board: {" BOARD "}}\n" DRIVES, "is not a number"},
    {15, "  - {of: @bord}\nshared: {board: {" BOARD "}}\n" DRIVES, "did you mean \"board\"? Allowed: bar, tube, board"},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: @soft", "expected a list"},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: [@{hardness: 2}]", "kind: missing key \"name\""},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: [{name: soft, hardness: @0}]", "allowed: 0.001 to 1000"},
    {13, "  contact: {stiffness: 1.0e+7}\n  kinds: [{name: soft, mass: @20}]", "allowed: 0.1 to 10"},
    {17, "  mallet.hardness: {cc: 74}\nsoft_pedal: @{}", "soft_pedal: missing key \"hardness\""},
    {17, "  mallet.hardness: {cc: 74}\nsoft_pedal: {hardness: @0}", "allowed: 0.001 to 1000"},
    {17, "  mallet.hardness: {cc: 74}\ndamper: {loss: 1, keys: @[72, 60]}", "lowest key comes first"},
    {17, "  mallet.hardness: {cc: 74}\ndamper: {loss: 1, keys: [60, @200]}", "allowed: 0 to 127"},
    // What YAML can do and the language does not.
    {11, "  mass: @&m 0.03", "anchors (&name) are not part"},
    {11, "  mass: @*m", "aliases (*name) are not part"},
    {11, "  mass: @!!float 0.03", "tags (!name) are not part"},
    {17, "@--- \nformat: 1", "second document"},
    {11, "  mass: {60: 1\n  speed@: 2", "not valid YAML"},
    {11, "  mass: 1\n@\tpool: 2", "not valid YAML"},
};

/** The file of a case without its marks, and where those stood. @return number of marks */
static size_t lay_out(const fault_case* it, char text[TEXT_MAX], unsigned place[PLACES_MAX][2]) {
  size_t n = 0, marks = 0;
  unsigned line = 1, column = 1;
  for (unsigned l = 1; l <= BASE_LINES; ++l) {
    for (const char* c = l == it->line ? it->text : base_lines[l - 1];; ++c) {
      if (*c == '@') {
        assert_true(marks < PLACES_MAX);
        place[marks][0] = line;
        place[marks++][1] = column;
        continue;
      }
      assert_true(n + 2 < TEXT_MAX);
      text[n++] = *c ? *c : '\n';
      column = text[n - 1] == '\n' ? 1 : column + 1;
      line += text[n - 1] == '\n';
      if (!*c) {
        break;
      }
    }
  }
  text[n] = '\0';
  return marks;
}

static bool run_case(const fault_case* it, htz_diags* diags, size_t* marks, unsigned place[PLACES_MAX][2]) {
  char text[TEXT_MAX];
  htz_spec* spec;
  *marks = lay_out(it, text, place);
  const htz_status st = htz_spec_parse("a.yaml", text, strlen(text), &spec, diags);
  assert_int_equal(st == HTZ_OK, spec != NULL);
  htz_spec_free(spec);
  if (st != HTZ_BAD_INPUT || diags->n == 0) {
    return false;
  }
  for (size_t m = 0; m < *marks; ++m) {
    if (m >= diags->n || diags->item[m].line != place[m][0] || diags->item[m].column != place[m][1]) {
      return false;
    }
  }
  return (*marks == 0 || diags->n == *marks) && strstr(diags->item[0].text, it->says) != NULL;
}

static void each_mistake_is_found_where_it_stands(void** state) {
  (void)state;
  size_t failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_diags diags;
    size_t marks;
    unsigned place[PLACES_MAX][2];
    if (!run_case(&cases[i], &diags, &marks, place)) {
      ++failed;
      printf("case %zu, line %u: %s\n  wanted \"%s\" at", i, cases[i].line, cases[i].text, cases[i].says);
      for (size_t m = 0; m < marks; ++m) {
        printf(" %u:%u", place[m][0], place[m][1]);
      }
      printf("\n");
      htz_diags_print(&diags, stdout);
    }
  }
  assert_int_equal(failed, 0);
}

static void the_base_file_is_good(void** state) {
  (void)state;
  const fault_case none = {0, "", ""};
  char text[TEXT_MAX];
  unsigned place[PLACES_MAX][2];
  htz_spec* spec;
  htz_diags diags;
  lay_out(&none, text, place);
  const htz_status st = htz_spec_parse("some/where/test.yaml", text, strlen(text), &spec, &diags);
  htz_diags_print(&diags, stdout);
  assert_int_equal(st, HTZ_OK);
  assert_string_equal(spec->id, "test");
  assert_string_equal(spec->file, "some/where/test.yaml");
  assert_int_equal(spec->n_bodies, 2);
  assert_string_equal(spec->bodies[0].name, "bar");
  assert_int_equal(spec->feeds[0].to, 1);
  htz_spec_free(spec);
}

static void all_faults_come_at_once_and_in_order(void** state) {
  (void)state;
  const char* text = "format: 3\n"
                     "nmae: x\n"
                     "keys: [90, 200]\n"
                     "per_key:\n"
                     "  bar: {body: bar, mass: 1,5, t60: fast}\n"
                     "mallet:\n"
                     "  strikes: bar\n"
                     "  mass: 0\n"
                     "  speed: [0.1]\n"
                     "  contact: {stifness: 3}\n"
                     "pickups: [{of: bra}]\n";
  // `mass: 1,5` in braces reads as mass: 1 and a key "5" of its own.
  static const unsigned places[][2] = {{1, 9}, {2, 1}, {3, 12}, {5, 28}, {5, 36}, {8, 9}, {9, 10}, {10, 13}, {11, 16}};
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_parse("many.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  assert_null(spec);
  htz_diags_print(&diags, stdout);
  assert_int_equal(diags.n, sizeof places / sizeof places[0]);
  for (size_t i = 0; i < diags.n; ++i) {
    assert_int_equal(diags.item[i].line, places[i][0]);
    assert_int_equal(diags.item[i].column, places[i][1]);
  }
}

static void the_faulty_fixture_shows_them_all(void** state) {
  (void)state;
  const char* path = HTZ_SOURCE_DIR "/tests/fixtures/instruments/faulty.yaml";
  static const unsigned lines[] = {3, 4, 6, 7, 9, 12, 13, 14, 14, 16, 16, 18};
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_load(path, &spec, &diags), HTZ_BAD_INPUT);
  htz_diags_print(&diags, stdout);
  assert_string_equal(diags.file, path);
  assert_int_equal(diags.n, sizeof lines / sizeof lines[0]);
  for (size_t i = 0; i < diags.n; ++i) {
    assert_int_equal(diags.item[i].line, lines[i]);
  }
}

static void the_list_of_faults_is_bounded(void** state) {
  (void)state;
  char text[TEXT_MAX] = "format: 1\n";
  size_t n = strlen(text);
  const unsigned lines = 100;
  for (unsigned i = 0; i < lines; ++i) {
    n += (size_t)snprintf(text + n, sizeof text - n, "wrong%u: 1\n", i);
  }
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_parse("x", text, n, &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, HTZ_DIAGS_MAX);
  assert_int_equal(diags.n + diags.more, lines); // any of which may be meant by one that is required
}

static void odd_files_are_refused_without_harm(void** state) {
  (void)state;
  static const struct {
    const char* text;
    size_t length;
    unsigned line, column;
    const char* says;
  } files[] = {
      {"", 0, 1, 1, "empty"},
      {"# nothing\n", 10, 1, 1, "empty"},
      {"[]", 2, 1, 1, "expected a map"},
      {"hello", 5, 1, 1, "expected a map"},
      {"a: \xff\xfe", 5, 1, 4, "not valid YAML"},
      {"a: b\nc: \x01", 9, 2, 4, "not valid YAML"},
      {"a: \"x\\0y\"", 9, 1, 4, "zero byte"},
      {"? [a]\n: 1\n", 10, 1, 3, "plain name"},
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(htz_spec_parse("x", files[i].text, files[i].length, &spec, &diags), HTZ_BAD_INPUT);
    bool found = false;
    for (size_t d = 0; d < diags.n; ++d) {
      found = found || (diags.item[d].line == files[i].line && diags.item[d].column == files[i].column &&
                        strstr(diags.item[d].text, files[i].says));
    }
    if (!found) {
      htz_diags_print(&diags, stdout);
    }
    assert_true(found);
  }
}

static void depth_size_and_count_are_limited(void** state) {
  (void)state;
  static char text[HTZ_SPEC_BYTES_MAX + 1];
  htz_spec* spec;
  htz_diags diags;
  const size_t deep = 5000;
  memset(text, '[', deep);
  assert_int_equal(htz_spec_parse("x", text, deep, &spec, &diags), HTZ_BAD_INPUT);
  assert_non_null(strstr(diags.item[0].text, "nested too deeply"));
  assert_int_equal(diags.item[0].column, 17);

  memset(text, ' ', sizeof text);
  assert_int_equal(htz_spec_parse("x", text, sizeof text, &spec, &diags), HTZ_BAD_INPUT);
  assert_non_null(strstr(diags.item[0].text, "longer than"));

  for (size_t i = 0; i + 1 < sizeof text; i += 2) {
    memcpy(text + i, i ? "1," : "[ ", 2);
  }
  assert_int_equal(htz_spec_parse("x", text, HTZ_SPEC_BYTES_MAX, &spec, &diags), HTZ_BAD_INPUT);
  assert_non_null(strstr(diags.item[0].text, "too many values"));
}

static void suggestions_are_near_or_absent(void** state) {
  (void)state;
  static const char* const names[] = {"stiffness", "mass", "at", "law"};
  assert_string_equal(htz_suggest("stifness", names, 4), "stiffness");
  assert_string_equal(htz_suggest("Stiffness", names, 4), "stiffness");
  assert_string_equal(htz_suggest("msas", names, 4), "mass");
  assert_string_equal(htz_suggest("masse", names, 4), "mass");
  assert_null(htz_suggest("colour", names, 4));
  assert_null(htz_suggest("x", names, 4));
  assert_null(htz_suggest("", names, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_base_file_is_good),
      cmocka_unit_test(each_mistake_is_found_where_it_stands),
      cmocka_unit_test(all_faults_come_at_once_and_in_order),
      cmocka_unit_test(the_faulty_fixture_shows_them_all),
      cmocka_unit_test(the_list_of_faults_is_bounded),
      cmocka_unit_test(odd_files_are_refused_without_harm),
      cmocka_unit_test(depth_size_and_count_are_limited),
      cmocka_unit_test(suggestions_are_near_or_absent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

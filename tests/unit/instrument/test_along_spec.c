// Contacts along a string, and contacts with a name, as files say them: what is refused, and which places, shares and gaps follow.
#include "check.h"

#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/spec_link.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2048, LINKS_LINE = 9 };

#define STRING "body: string, length: {36: 1, 48: 0.5}, lin_density: 0.005, t60: 4"
#define HEAD                                                                                                                   \
  "format: 1\nname: T\nkeys: [36, 60]\nclock: 96000\nper_key:\n  string: {" STRING ", modes: 60}\n  other: {" STRING           \
  ", modes: 40}\n  bar: {body: bar, mass: 0.3}\n"
#define TAIL                                                                                                                   \
  "\nmallet: {strikes: string, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\n"                                   \
  "pickups: [{of: string}, {of: other}, {of: bar}]\n"
#define CONTACT "{type: contact, between: [string, ground], stiffness: 1.0e+8, "
#define REST "{type: rigid, between: [string, other]}, {type: rigid, between: [string, bar]}]"

/** A line of links, in which `@` marks the place of the only fault, and part of its message. */
typedef struct {
  const char *text, *says;
} fault_case;

static const fault_case cases[] = {
    {"links: [" CONTACT "from: 0.1, at: @[0.2]}, " REST, "at: not with `from` and `to`"},
    {"links: [" CONTACT "points: @9}, " REST, "points: goes with `from` and `to`"},
    {"links: [" CONTACT "frets: @9}, " REST, "frets: goes with `from` and `to`"},
    {"links: [" CONTACT "parabola: @{apex: 0.5, curvature: 1}}, " REST, "parabola: goes with `from` and `to`"},
    {"links: [" CONTACT "profile: @[[0, 0], [1, 0]]}, " REST, "profile: goes with `from` and `to`"},
    {"links: [" CONTACT "from: @0.3, to: 0.2}, " REST, "from: must be below `to`; at key 36 they are 0.3 and 0.2"},
    {"links: [" CONTACT "from: @{36: 0.1, 60: 0.5}, to: 0.4}, " REST, "from: must be below `to`; at key 5"},
    {"links: [" CONTACT "from: @1.5}, " REST, "allowed: 0 to 1"},
    {"links: [" CONTACT "from: 0.1, points: @65}, " REST, "allowed: 1 to 64"},
    {"links: [" CONTACT "from: 0.1, points: @2.5}, " REST, "not a whole number"},
    {"links: [" CONTACT "from: 0.1, frets: 12, points: @20}, " REST, "points: each fret is one"},
    {"links: [" CONTACT "from: 0.1, frets: @2.5}, " REST, "2.5 is not a whole number"},
    {"links: [" CONTACT "from: 0.1, law: @stulov}, " REST, "law: along a string it is hunt-crossley"},
    {"links: [@" CONTACT "from: 0, profile: [[0, 0], [1, 0]], parabola: {apex: 0.5, curvature: 1}}, " REST,
     "give one of `profile` and `parabola`"},
    {"links: [" CONTACT "to: 0.2, profile: [[0, 0], @[0, 1.0e-3]]}, " REST, "its points go from x = 0 to 1"},
    {"links: [" CONTACT "to: 0.2, profile: [[0, 0], @0.1]}, " REST, "a list of points [x, gap]"},
    {"links: [" CONTACT "to: 0.2, parabola: {apex: 0.5, @curve: 1}}, " REST, "unknown key \"curve\""},
    {"links: [{type: contact, between: @[string, bar], stiffness: 1, to: 0.2}, " REST,
     "allowed: two strings of the key, or one and `ground`"},
    {"links: [{type: contact, between: @[string, next.string], stiffness: 1, to: 0.2}, " REST, "places along strings"},
    {"links: [{type: contact, between: [bar, next.bar], stiffness: 1, name: @rim}, " REST, "with a shared body or another key"},
    {"links: [" CONTACT "at: [0.2], name: @a.b}, " REST, "made of 1 to"},
    {"links: [" CONTACT "at: [0.2], name: @rattle}, " REST, "parameters of other things begin with"},
    {"links: [{type: spring, between: [string, ground], stiffness: 1, name: @rim}, " REST, "a link of type spring has none"},
    {"links: [{type: spring, between: [string, ground], stiffness: 1, from: @0.2}, " REST, "a link of type spring has none"},
};

/** The file of the case without its mark, and where that stood. */
static void lay_out(const fault_case* it, char text[TEXT_MAX], unsigned* column) {
  const char* mark = strchr(it->text, '@');
  const size_t before = mark ? (size_t)(mark - it->text) : strlen(it->text);
  *column = (unsigned)before + 1;
  const int n = snprintf(text, TEXT_MAX, "%s%.*s%s%s", HEAD, (int)before, it->text, it->text + before + (mark ? 1 : 0), TAIL);
  assert_true(n > 0 && n < TEXT_MAX);
}

static void each_mistake_is_found_where_it_stands(void** state) {
  (void)state;
  size_t failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[TEXT_MAX];
    unsigned column;
    htz_spec* spec;
    htz_diags diags;
    lay_out(&cases[i], text, &column);
    const htz_status st = htz_spec_parse("a.yaml", text, strlen(text), &spec, &diags);
    htz_spec_free(spec);
    const bool there = st == HTZ_BAD_INPUT && diags.n > 0 && diags.item[0].line == LINKS_LINE &&
                       diags.item[0].column == column && strstr(diags.item[0].text, cases[i].says) != NULL;
    if (!there) {
      ++failed;
      printf("%s\n  wanted \"%s\" at %d:%u\n", cases[i].text, cases[i].says, (int)LINKS_LINE, column);
      htz_diags_print(&diags, stdout);
    }
  }
  assert_int_equal(failed, 0);
}

static htz_spec* parse(const char* links) {
  const fault_case good = {links, ""};
  char text[TEXT_MAX];
  unsigned column;
  htz_spec* spec;
  htz_diags diags;
  lay_out(&good, text, &column);
  if (htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags)) {
    htz_diags_print(&diags, stdout);
  }
  assert_non_null(spec);
  return spec;
}

/** Refused with `says` as the first of what is wrong. */
static void refuse(const char* text, const char* says) {
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  htz_diags_print(&diags, stdout);
  assert_non_null(strstr(diags.item[0].text, says));
}

static void the_whole_file_is_checked(void** state) {
  (void)state;
  char text[TEXT_MAX];
  unsigned column;
  // 64 places along each of two strings that are struck are more contacts than a key has.
  const fault_case many = {"links: [" CONTACT "to: 0.2, points: 64}, " CONTACT "from: 0.5, points: 64}, " REST, ""};
  lay_out(&many, text, &column);
  refuse(text, "128 contacts at key 36 with each body as often as it is there; at most 96");
  const fault_case linked = {
      "links: [" CONTACT "to: 0.2}, {type: spring, between: [string, next.string], stiffness: 100}, " REST, ""};
  lay_out(&linked, text, &column);
  refuse(text, "keys that are linked to each other run at the rate that is played at");
  char plain[TEXT_MAX];
  const char* clock = strstr(text, "clock: 96000\n");
  snprintf(plain, sizeof plain, "%.*s%s", (int)(clock - text), text, strchr(clock, '\n') + 1);
  refuse(plain, "contacts along a string are solved all together, key by key");
  // A reaction is heard of what belongs to a key alone, and on grids by the names of contacts.
  refuse(
      "format: 1\nname: T\nkeys: [36, 60]\nper_key: {a: {body: bar, mass: 0.3}}\nlinks: [{type: spring, between: [a, next.a], "
      "stiffness: 1}]\nmallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\n"
      "pickups: [{of: a, quantity: reaction}]\n",
      "a reaction is heard of a key by itself");
  refuse("format: 1\nname: T\nkeys: [36, 60]\nper_key: {a: {body: string, length: 1, lin_density: 0.005, t60: 4}}\n"
         "shared: {box: {body: modal-list, zones: 1, frequencies: [200], q: 9, mass: 0.1}}\n"
         "drives: [{from: a, quantity: reaction, to: box, gain: 1}]\n"
         "links: [{type: spring, between: [a, next.a], stiffness: 1}]\n"
         "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\n"
         "pickups: [{of: box, at: [0.5, 0.5]}]\n",
         "a reaction is heard of a key by itself");
  refuse("format: 1\nname: T\nkeys: [36, 60]\nper_key: {a: {body: bar, mass: 0.3}}\nlinks: [{type: contact, name: rim, "
         "between: [a, "
         "ground], at: [0.3], stiffness: 1.0e+7, gap: 0.05}]\nmallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: "
         "{stiffness: 1.0e+7}}\npickups: [{of: a}]\n",
         "goes up to 0.02 m, and the gap is more");
  refuse(
      "format: 1\nfamily: grid\nname: T\nkeys: [36, 60]\nper_key: {a: {body: string, length: 1, lin_density: 0.005, t60: 4}}\n"
      "kick: {body: a, speed: [0.1, 1], at: 0.3}\npickups: [{of: a, quantity: reaction}]\n",
      "on grids the force of a contact is heard by its name");
  refuse(
      "format: 1\nname: T\nkeys: [36, 60]\nclock: 8000\nper_key: {a: {body: bar, mass: 0.3}}\nmallet: {strikes: a, mass: 0.03, "
      "speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\npickups: [{of: a}]\n",
      "allowed: 32000 to 192000 Hz");
  static const struct {
    const char *body, *player, *says;
  } tunings[] = {
      {"tuned_at: [200]", "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}", "127"},
      {"tuned_at: [40.5]", "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}", "40.5"},
      {"tuned_at: 40", "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}",
       "tuned_at: expected a list"},
      {"tuned_at: []", "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}", "tuned_at: "},
      {"tuned_at: [40]", "bow: {plays: a, at: 0.1, force: [0.2, 0.9], speed: [0.1, 0.3]}", "allowed: with a `mallet`"},
      {"tuned_at: [40]",
       "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\nfingered: {keys: [36]}",
       "fingers share a few strings"},
      {"tuned_at: [40]",
       "mallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\nlinks: [{type: spring, between: "
       "[a, next.a], stiffness: 1}]",
       "keys that are linked to each other sound together"},
  };
  for (size_t i = 0; i < sizeof tunings / sizeof tunings[0]; ++i) {
    snprintf(text, sizeof text,
             "format: 1\nname: T\nkeys: [36, 60]\n%s\nper_key: {a: {body: string, length: 1, lin_density: 0.005, "
             "t60: 4}}\n%s\npickups: [{of: a}]\n",
             tunings[i].body, tunings[i].player);
    refuse(text, tunings[i].says);
  }
}

#define SHARED_FILE                                                                                                            \
  "format: 1\nname: T\nkeys: [36, 60]\nper_key: {a: {body: bar, mass: 0.3}}\n"                                                 \
  "shared: {box: {body: modal-list, frequencies: [200], q: 9, mass: 0.1}, lid: {body: modal-list, frequencies: [300], q: 9, "  \
  "mass: 0.1}}\nmallet: {strikes: a, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\npickups: [{of: a}]\nlinks:\n"

/** What joins bodies that keys share to each other is there once. */
static void links_of_what_keys_share(void** state) {
  (void)state;
  static const char to_box[] = "  - {type: spring, between: [a, box], stiffness: 100}\n";
  static const struct {
    const char *link, *says;
  } cases_of[] = {
      {"  - {type: rigid, between: [box, lid], keys: [40, 41]}\n", "keys: it joins what all keys share"},
      {"  - {type: rigid, between: [box, lid], at: [{36: 0.2, 60: 0.3}, 0.5]}\n",
       "at: a link of what all keys share is there once"},
      {"  - {type: spring, between: [ground, lid], at: [0.5], stiffness: {36: 1, 60: 2}}\n",
       "stiffness: a link of what all keys share"},
      {"  - {type: contact, between: [box, lid], stiffness: {36: 1, 60: 2}}\n", "stiffness: a link of what all keys share"},
      {"  - {type: contact, between: [box, lid], stiffness: 10, gap: {36: 0.001, 60: 0.002}}\n",
       "gap: a link of what all keys"},
      {"  - {type: contact, between: [box, lid], stiffness: 10, name: rim}\n", "name: the gap of a contact with a shared body"},
      {"  - {type: spring, between: [lid, ground], at: [0.5], stiffness: 10}\n", "shared: nothing moves \"lid\""},
      {"  - {type: rigid, between: [next.a, lid]}\n", "one end of a link to the next key up is a body of the key itself"},
      {"  - {type: rigid, between: [next.a, ground], at: [0.5]}\n", "name the body without \"next.\""},
  };
  for (size_t i = 0; i < sizeof cases_of / sizeof cases_of[0]; ++i) {
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%s%s%s", SHARED_FILE, to_box, cases_of[i].link);
    refuse(text, cases_of[i].says);
  }
  char text[TEXT_MAX];
  htz_spec* spec;
  htz_diags diags;
  snprintf(text, sizeof text,
           "%s%s  - {type: rigid, between: [lid, box]}\n  - {type: damper, between: [ground, box], at: [0.3], "
           "damping: 1}\n",
           SHARED_FILE, to_box);
  assert_int_equal(htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags), HTZ_OK);
  htz_spec_free(spec);
}

/** Beyond the range tables go on, and places with them, which nobody has counted: such a key is not there. */
static void beyond_the_range_there_may_be_too_many(void** state) {
  (void)state;
  static const char text[] =
      "format: 1\nname: T\nkeys: [36, 60]\nper_key: {string: {body: string, length: 1, lin_density: 0.005, t60: 4, modes: "
      "60}}\n"
      "mallet: {strikes: string, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\nlinks:\n"
      "  - {type: contact, between: [string, ground], stiffness: 1.0e+8, to: {36: 0.2, 60: 0.25}, gap: 0.001}\n"
      "  - {type: contact, between: [string, ground], stiffness: 1.0e+8, to: {36: 0.2, 60: 0.25}, gap: 0.001, side: front}\n"
      "pickups: [{of: string}]\n";
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags), HTZ_OK);
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  assert_non_null(it->keys[60].island);
  assert_null(it->keys[127].island);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

/** Places lie in the middle of equal shares, whose metres the stiffness is multiplied with; gaps follow the profile in metres. */
static void places_and_gaps_follow_from_the_profile(void** state) {
  (void)state;
  htz_spec* spec =
      parse("links: [" CONTACT "from: 0.1, to: 0.3, points: 4, gap: 1.0e-3, parabola: {apex: 0.1, curvature: 2}}, " CONTACT
            "from: 0, to: 0.5, gap: 5.0e-4, frets: 19}, " CONTACT "to: 0.1, profile: [[0, 1.0e-3], [1, 2.0e-3]]}, "
            "{type: contact, between: [string, other], stiffness: 1, from: 0.5, to: 0.6}, " REST);
  const htz_spec_link* bridge = &spec->links[0];
  assert_int_equal(htz_spec_link_points(spec, bridge, 36.0), 4);
  for (size_t i = 0; i < 4; ++i) {
    for (int key = 36; key <= 48; key += 12) {
      double share = 0.0;
      const double length = key == 36 ? 1.0 : 0.5, x = htz_spec_link_place(spec, bridge, key, 0, i, &share);
      check_near(x, 0.125 + 0.05 * (double)i, 1e-15);
      check_near(share, 0.05 * length, 1e-15);
      check_close(htz_spec_link_gap(spec, bridge, key, i), 1e-3 + 2.0 * pow((x - 0.1) * length, 2.0), 1e-12);
    }
  }
  // Frets of equal temperament up to the octave, which lies in the middle of the string: 12 of 19.
  const htz_spec_link* neck = &spec->links[1];
  assert_int_equal(htz_spec_link_points(spec, neck, 40.0), 12);
  check_close(htz_spec_link_place(spec, neck, 40.0, 0, 0, NULL), 1.0 - exp2(-1.0 / 12.0), 1e-14);
  check_close(htz_spec_link_place(spec, neck, 40.0, 0, 11, NULL), 0.5, 1e-14);
  check_close(htz_spec_link_gap(spec, neck, 40.0, 5), 5e-4, 1e-14);
  // A straight line between the points of a profile, at the places of the rule: three to the half wave of mode 60, over a tenth.
  const htz_spec_link* edge = &spec->links[2];
  assert_int_equal(htz_spec_link_points(spec, edge, 40.0), 18);
  check_close(htz_spec_link_gap(spec, edge, 40.0, 17), 1e-3 * (1.0 + htz_spec_link_place(spec, edge, 40.0, 0, 17, NULL)),
              1e-12);
  // Of two strings the one with more modes says how many.
  assert_int_equal(htz_spec_link_points(spec, &spec->links[3], 40.0), 18);
  htz_spec_free(spec);
  // The crowns of frets lie on a profile: at the octave in its middle.
  spec = parse("links: [" CONTACT "to: 0.5, gap: 5.0e-4, frets: 19, profile: [[0, 0], [1, 4.0e-3]]}, " REST);
  assert_int_equal(htz_spec_link_points(spec, &spec->links[0], 40.0), 12);
  check_close(htz_spec_link_gap(spec, &spec->links[0], 40.0, 11), 2.5e-3, 1e-12);
  htz_spec_free(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_mistake_is_found_where_it_stands),
      cmocka_unit_test(the_whole_file_is_checked),
      cmocka_unit_test(links_of_what_keys_share),
      cmocka_unit_test(beyond_the_range_there_may_be_too_many),
      cmocka_unit_test(places_and_gaps_follow_from_the_profile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
   Files of several objects: which keys belong to which, what stands where, and what is refused at its place.
*/
#include "check.h"

#include "hertzian/instrument/instrument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

#define BAR "{body: bar, material: steel, mass: 0.05, t60: 3, modes: 6}"
#define CONTACT "contact: {exponent: 1.5, stiffness: 1.0e+8}"

// A good file, by line; cases replace one of them.
static const char* const lines[] = {
    "format: 1",                                                                                  // 1
    "name: Two",                                                                                  // 2
    "shared:",                                                                                    // 3
    "  box: {body: modal-list, zones: 1, frequencies: [110, 190], q: 12, mass: 0.3}",             // 4
    "pickups:",                                                                                   // 5
    "  - {of: box, at: [0.5, 0.5]}",                                                              // 6
    "objects:",                                                                                   // 7
    "  - name: low",                                                                              // 8
    "    keys: {list: [36, 38]}",                                                                 // 9
    "    per_key: {bar: " BAR "}",                                                                // 10
    "    mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], at: 0.3, " CONTACT "}",              // 11
    "    pickups: [{of: bar, pan: keys}]",                                                        // 12
    "  - name: high",                                                                             // 13
    "    keys: [40, 44]",                                                                         // 14
    "    per_key: {string: {body: string, length: 0.65, lin_density: 0.005, t60: 4, modes: 30}}", // 15
    "    bow: {plays: string, force: [0.2, 0.9], speed: [0.06, 0.35]}",                           // 16
    "    drives: [{from: string, to: box, gain: 1}]",                                             // 17
    "defaults: {decay: 2}",                                                                       // 18
    "controls:",                                                                                  // 19
    "  bow.force: {cc: 11}",                                                                      // 20
};

enum { LINES = sizeof lines / sizeof lines[0] };

/** Line `line` replaced by `text`, in which `@` marks the place of the only fault. */
typedef struct {
  unsigned line;
  const char *text, *says;
} fault_case;

static const fault_case cases[] = {
    // Keys.
    {9, "    keys: {list: [36, @36]}", "keys: 36 stands twice"},
    {9, "    keys: {list: @[]}", "it takes 1 to 128"},
    {9, "    keys: {list: [36, @200]}", "allowed: 0 to 127"},
    {9, "    keys: [@38.5, 39]", "not a whole number"},
    {9, "    keys: @[39, 38]", "lowest key comes first"},
    {14, "    keys: @[38, 44]", "keys: key 38 belongs to object 1 of the file already"},
    {2, "name: Two\nkeys: @[37, 50]", "the objects have keys 36 to 44, which is beyond"},
    {9, "    @wibble: 36", "unknown key \"wibble\" in the object"},
    // What stands where.
    {8, "  - name: low\n    programs: @[1]", "programs: belongs to the whole file; it stands beside `objects`"},
    {8, "  - name: low\n    strict: @true", "strict: belongs to the whole file"},
    {8, "  - name: low\n    shared: @{x: {body: bar}}", "shared: belongs to the whole file"},
    {8, "  - name: low\n    controls: @{decay: {cc: 1}}", "controls: belongs to the whole file"},
    {2, "name: Two\n@mallet: {strikes: bar}", "unknown key \"mallet\" in the file, beside what its objects have"},
    {2, "name: Two\n@strict: true", "unknown key \"strict\" in the file, beside what its objects have"},
    {7, "@object:", "did you mean \"objects\"?"},
    {7, "objects: 3\nx:", "objects: expected a list"},
    {12, "    pickups: [@{of: box, at: [0.5, 0.5]}]", "\"box\" belongs to all objects; it is heard by the pickups beside"},
    {8, "  - name: @a b", "that of an object is made of 1 to 32 letters"},
    {13, "  - name: @low", "\"low\" is that of object 1 already"},
    {12, "    drives: []", "nothing is heard of it; give it pickups, or drives of the shared body"},
    {10, "    per_key: {box: " BAR "}", "\"box\" is the name of the body that all keys share"},
    // Parts of an object are checked as those of a file are.
    {11, "    mallet: {strikes: @bra, mass: 0.01, speed: [0.2, 5], at: 0.3, " CONTACT "}", "did you mean \"bar\"?"},
    {11, "    damper: {loss: 3}", "the object: missing key \"mallet\" (or \"bow\")"},
    {17, "    drives: [{from: string, to: @bax, gain: 1}]", "did you mean \"box\"?"},
    {12, "    pickups: [{of: bar}]\n    defaults: {@bow.force: 1}", "\"bow.force\" has no effect on this instrument"},
    {12, "    pickups: [{of: bar}]\n    defaults: {@width: 1}",
     "\"width\" belongs to all objects; it stands under the defaults"},
    {16, "    mallet: {strikes: string, mass: 1, speed: [1, 2], at: @0, " CONTACT "}", "the body stands still there"},
    // The whole.
    {18, "defaults: {@rattle.gap: 0}", "\"rattle.gap\" has no effect on this instrument"},
    {18, "defaults: {@low.bow.force: 1}", "\"low.bow.force\" has no effect on this instrument"},
    {18, "defaults: {@low.decai: 1}", "did you mean \"low.decay\"?"},
    {18, "defaults: {@low.width: 1}", "unknown \"low.width\""},
    {18, "defaults: {low.mallet.mass: @100}", "low.mallet.mass: 100 is out of range; allowed: 0.1 to 10"},
    {20, "  bow.force: {cc: 11}\n  low.decay: {cc: @7}", "taken by channel volume"},
    {17, "    pickups: [{of: string}]", "nothing moves \"box\"; it needs drives"},
    {16, "    bow: {plays: string, force: [0.2, 0.9], speed: [0.06, 0.35]}\n    fingered: {keys: [@36]}",
     "open string 36 is no key of this object; allowed: 40 to 44"},
};

/** The file with the case's line in it. @return false when no place is marked */
static bool lay_out(const fault_case* it, char text[TEXT_MAX], unsigned place[2]) {
  size_t n = 0;
  unsigned line = 1, column = 1;
  bool marked = false;
  for (unsigned l = 0; l < LINES; ++l) {
    const char* from = it && l + 1 == it->line ? it->text : lines[l];
    for (;; ++from) {
      if (*from == '@') {
        place[0] = line;
        place[1] = column;
        marked = true;
        continue;
      }
      assert_true(n + 2 < TEXT_MAX);
      text[n++] = *from ? *from : '\n';
      column = text[n - 1] == '\n' ? 1 : column + 1;
      line += text[n - 1] == '\n';
      if (!*from) {
        break;
      }
    }
  }
  text[n] = '\0';
  return marked;
}

static htz_spec* load(const char* text) {
  htz_spec* spec;
  htz_diags diags;
  const htz_status st = htz_spec_parse("two.yaml", text, strlen(text), &spec, &diags);
  htz_diags_print(&diags, stdout);
  assert_int_equal(st, HTZ_OK);
  return spec;
}

static void each_mistake_is_found_where_it_stands(void** state) {
  (void)state;
  size_t failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[TEXT_MAX];
    unsigned place[2];
    htz_spec* spec;
    htz_diags diags;
    const bool marked = lay_out(&cases[i], text, place);
    const htz_status st = htz_spec_parse("two.yaml", text, strlen(text), &spec, &diags);
    htz_spec_free(spec);
    const bool there = !marked || (diags.n == 1 && diags.item[0].line == place[0] && diags.item[0].column == place[1]);
    if (st != HTZ_BAD_INPUT || !there || !strstr(diags.item[0].text, cases[i].says)) {
      ++failed;
      printf("case %zu: %s\n  wanted \"%s\"\n", i, cases[i].text, cases[i].says);
      htz_diags_print(&diags, stdout);
    }
  }
  assert_int_equal(failed, 0);
}

static void keys_belong_to_their_objects(void** state) {
  (void)state;
  char text[TEXT_MAX];
  unsigned place[2];
  lay_out(NULL, text, place);
  htz_spec* spec = load(text);
  assert_int_equal(spec->n_objects, 2);
  assert_int_equal(spec->key_low, 36);
  assert_int_equal(spec->key_high, 44);
  for (int key = 0; key < HTZ_KEYS; ++key) {
    const htz_spec* wanted = key == 36 || key == 38 ? spec->objects[0] : key >= 40 && key <= 44 ? spec->objects[1] : NULL;
    assert_ptr_equal(htz_spec_object(spec, key), wanted);
  }
  assert_int_equal(htz_spec_count_keys(spec), 7);
  assert_int_equal(htz_spec_middle_key(spec), 40);
  assert_string_equal(spec->objects[1]->name, "high");
  assert_true(spec->objects[1]->whole == spec && spec->objects[1]->bowed && !spec->bowed);
  // What one of them has a use for, the file has; the shared decay is every object's.
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_BOW_FORCE) && htz_spec_param_used(spec, HTZ_PARAM_MALLET_HARDNESS));
  assert_true(!htz_spec_param_used(spec->objects[0], HTZ_PARAM_BOW_FORCE));
  check_near(spec->params[HTZ_PARAM_BOW_FORCE], 0.9, 1e-12);
  check_near(spec->objects[0]->params[HTZ_PARAM_DECAY], 2.0, 0.0);
  // A mark is one in the whole file.
  assert_int_equal(htz_spec_place(spec->objects[1], "bow.force").line, 16);
  htz_spec_free(spec);
}

/** Parameters by the names of objects. */
static void objects_have_parameters_of_their_own(void** state) {
  (void)state;
  char text[TEXT_MAX];
  unsigned place[2];
  const fault_case own = {18, "defaults: {decay: 2, low.decay: 3, high.bow.force: 1.5}", ""};
  lay_out(&own, text, place);
  htz_spec* spec = load(text);
  const size_t decay = htz_spec_param_find(spec, "low.decay"), force = htz_spec_param_find(spec, "high.bow.force");
  assert_true(decay >= HTZ_PARAM_COUNT && force < htz_spec_n_params(spec) && htz_spec_param_used(spec, force));
  check_near(htz_spec_param_initial(spec, decay), 3.0, 0.0);
  check_near(htz_spec_param_initial(spec, force), 1.5, 0.0);
  check_near(spec->objects[0]->params[HTZ_PARAM_DECAY], 3.0, 0.0);
  check_near(spec->objects[1]->params[HTZ_PARAM_DECAY], 2.0, 0.0);
  assert_string_equal(htz_spec_param(spec, force).unit, "N");
  assert_int_equal(htz_spec_param_find(spec, "level"), HTZ_PARAM_LEVEL);
  assert_int_equal(htz_spec_param_find(spec, "volume"), htz_spec_n_params(spec));   // the channel's
  assert_int_equal(htz_spec_param_find(spec, "low.room"), htz_spec_n_params(spec)); // the part's
  assert_false(htz_spec_param_used(spec, htz_spec_param_find(spec, "low.bow.force")));
  assert_false(htz_spec_param_used(spec, htz_spec_n_params(spec)));
  htz_spec_free(spec);
}

static void pan_by_key_goes_over_the_whole_instrument(void** state) {
  (void)state;
  char text[TEXT_MAX];
  unsigned place[2];
  const char* why;
  htz_arena arena;
  htz_instrument* it;
  lay_out(NULL, text, place);
  htz_spec* spec = load(text);
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  // Keys 36 to 44 from -0.7 to 0.7.
  check_near(it->keys[36].pan[0], -0.7, 1e-12);
  check_near(it->keys[38].pan[0], -0.35, 1e-12);
  assert_true(!it->keys[37].island && !it->keys[45].island && it->keys[40].island);
  assert_true(it->keys[40].drives[0] && !it->keys[36].drives[0]);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_mistake_is_found_where_it_stands),
      cmocka_unit_test(keys_belong_to_their_objects),
      cmocka_unit_test(objects_have_parameters_of_their_own),
      cmocka_unit_test(pan_by_key_goes_over_the_whole_instrument),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "check.h"

#include "midi_in_pick.h"
#include "midi_in_portmidi.h"

#include <stdbool.h>
#include <string.h>

static const char* const ports[] = {
    "Midi Through Port-0", "Keystation 61 MK3 MIDI 1", "USB Uno MIDI Interface MIDI 1", "Keys 1", "Keys 2", "Keys 1"};
enum { PORTS = sizeof ports / sizeof ports[0] };

// The wanted ones as a row of digits.
static const char* chosen(const char* const* names, size_t n_names, char* text) {
  char* end = text;
  for (size_t i = 0; i < PORTS; ++i) {
    if (htz_midi_wanted(names, n_names, ports, PORTS, i)) {
      *end++ = (char)('0' + i);
    }
  }
  *end = '\0';
  return text;
}

static void by_default_every_real_input(void** state) {
  (void)state;
  char text[PORTS + 1];
  const char* const all[] = {"ALL"};
  const char* const none[] = {"keys", "none"};
  assert_string_equal(chosen(NULL, 0, text), "12345");
  assert_string_equal(chosen(all, 1, text), "12345");
  assert_string_equal(chosen(none, 2, text), "");
  assert_true(htz_midi_skipped("MIDI THROUGH Port-1"));
  assert_true(htz_midi_skipped("hertzian"));
  assert_true(htz_midi_skipped("Announce"));
  assert_false(htz_midi_skipped("System-1m MIDI 1")); // a keyboard of that name
}

static void by_a_part_of_the_name(void** state) {
  (void)state;
  char text[PORTS + 1];
  const char* const uno[] = {"usb uno"};
  const char* const two[] = {"keystation", "KEYS 2"};
  const char* const keys[] = {"keys"};
  const char* const through[] = {"through"};
  assert_string_equal(chosen(uno, 1, text), "2");
  assert_string_equal(chosen(two, 2, text), "14");
  assert_string_equal(chosen(keys, 1, text), "1345");
  assert_string_equal(chosen(through, 1, text), "0"); // named, so meant
}

static void by_a_number_among_equals(void** state) {
  (void)state;
  char text[PORTS + 1];
  const char* const first[] = {"keys 1#1"};
  const char* const second[] = {"keys 1#2"};
  const char* const third[] = {"keys 1#3"};
  const char* const mark[] = {"keys 1#"};
  assert_string_equal(chosen(first, 1, text), "3");
  assert_string_equal(chosen(second, 1, text), "5");
  assert_string_equal(chosen(third, 1, text), "");
  assert_string_equal(chosen(mark, 1, text), ""); // no number: part of the name
}

static void the_absent_one_is_told(void** state) {
  (void)state;
  const char* const names[] = {"all", "uno", "tuba", "oboe"};
  assert_string_equal(htz_midi_unanswered(names, 4, ports, PORTS), "tuba");
  assert_null(htz_midi_unanswered(names, 2, ports, PORTS));
  assert_string_equal(htz_midi_unanswered(names + 1, 1, ports, 0), "uno");
  assert_null(htz_midi_unanswered(NULL, 0, ports, 0));
}

#if defined(HTZ_HAVE_PORTMIDI)

static PmMessage message(unsigned a, unsigned b, unsigned c, unsigned d) {
  return (PmMessage)(a | b << 8 | c << 16 | d << 24);
}

static void expect(htz_pm_bytes* state, PmMessage m, const char* bytes, size_t n) {
  uint8_t out[4];
  assert_int_equal(htz_pm_bytes_of(state, m, out), n);
  assert_memory_equal(out, bytes, n);
}

static void events_become_the_bytes_they_were(void** state) {
  (void)state;
  htz_pm_bytes s = {0};
  expect(&s, message(0x93, 60, 100, 0), "\x93\x3c\x64", 3);
  expect(&s, message(0xc0, 5, 0, 0), "\xc0\x05", 2);
  expect(&s, message(0xd1, 7, 0, 0), "\xd1\x07", 2);
  expect(&s, message(0xe2, 0, 64, 0), "\xe2\x00\x40", 3);
  expect(&s, message(0xf1, 9, 0, 0), "\xf1\x09", 2);
  expect(&s, message(0xf2, 1, 2, 0), "\xf2\x01\x02", 3);
  expect(&s, message(0xf3, 4, 0, 0), "\xf3\x04", 2);
  expect(&s, message(0xf6, 0, 0, 0), "\xf6", 1);
  expect(&s, message(0xfe, 0, 0, 0), "\xfe", 1);
}

static void exclusive_messages_come_in_fours(void** state) {
  (void)state;
  htz_pm_bytes s = {0};
  expect(&s, message(0xf0, 0x7e, 0x7f, 0x09), "\xf0\x7e\x7f\x09", 4);
  expect(&s, message(0xf8, 0, 0, 0), "\xf8", 1); // a clock within
  expect(&s, message(0x01, 0xf7, 0, 0), "\x01\xf7", 2);
  assert_false(s.in_sysex);
  expect(&s, message(0x05, 1, 2, 3), "", 0); // the rest of one whose start was lost
  expect(&s, message(0xf7, 0, 0, 0), "", 0);
  expect(&s, message(0xf0, 1, 2, 3), "\xf0\x01\x02\x03", 4);
  expect(&s, message(0xf7, 0, 0, 0), "\xf7", 1);
  expect(&s, message(0xf0, 1, 2, 3), "\xf0\x01\x02\x03", 4);
  expect(&s, message(0x90, 60, 1, 0), "\x90\x3c\x01", 3); // cut off
  assert_false(s.in_sysex);
}

static void stamps_of_another_clock_are_not_believed(void** state) {
  (void)state;
  check_near(htz_pm_time(1000, 1003, 50.0), 49.997, 1e-9);
  check_near(htz_pm_time(1000, 1000, 50.0), 50.0, 0);
  check_near(htz_pm_time(1001, 1000, 50.0), 50.0, 0);                    // not yet
  check_near(htz_pm_time(5, 1000000, 50.0), 50.0, 0);                    // long ago
  check_near(htz_pm_time(INT32_MAX, INT32_MIN + 1, 50.0), 49.998, 1e-9); // the clock wraps after 25 days
}

#endif

static void twins_have_numbers(void** state) {
  (void)state;
  static const char* const some[] = {"Keys", "Pads", "Keys", "Keys 2"};
  char text[32];
  const unsigned twins[] = {1, 0, 2, 0};
  const char* const shown[] = {"Keys#1", "Pads", "Keys#2", "Keys 2"};
  for (size_t i = 0; i < 4; ++i) {
    assert_int_equal(htz_midi_twin(some, 4, i), twins[i]);
    htz_midi_name_twin(text, sizeof text, some, 4, i);
    assert_string_equal(text, shown[i]);
  }
  assert_int_equal(htz_midi_alike("pads#2", some, 4), 1); // there is one, and there never is a second of it
  assert_int_equal(htz_midi_alike("keys#3", some, 4), 0);
  assert_int_equal(htz_midi_alike("keys#4", some, 4), 3);
  assert_int_equal(htz_midi_alike("organ#1", some, 4), 0); // may still come
  assert_int_equal(htz_midi_alike("pads", some, 4), 0);
}

static void a_port_of_our_own(void** state) {
  (void)state;
  static const char* const some[] = {"alsa something"};
  const char* const own[] = {"alsa"};
  const char* const all[] = {"ALL"};
  const char* const none[] = {"alsa", "none"};
  const char* const keys[] = {"keys"};
  const char* const jack[] = {"JACK"};
  const char* const both[] = {"jack", "keys"};
  for (size_t i = 0; i < 2; ++i) {
    const char* system = i ? "jack" : "alsa";
    assert_true(htz_midi_own_port(system, NULL, 0));
    assert_true(htz_midi_own_port(system, all, 1));
    assert_false(htz_midi_own_port(system, none, 2));
    assert_false(htz_midi_own_port(system, keys, 1));
    assert_int_equal(htz_midi_own_port(system, own, 1), i == 0);
    assert_int_equal(htz_midi_own_port(system, jack, 1), i == 1);
    assert_int_equal(htz_midi_own_port(system, both, 2), i == 1);
  }
  assert_true(htz_midi_named("jack", both, 2));
  assert_false(htz_midi_named("jack", all, 1));
  assert_false(htz_midi_named("jack", NULL, 0));
  assert_false(htz_midi_wanted(own, 1, some, 1, 0));
  assert_null(htz_midi_unanswered(own, 1, some, 1));
  assert_null(htz_midi_unanswered(jack, 1, some, 1));
  // The sequencer's ports are looked for unless nothing but our own on JACK is asked for.
  assert_true(htz_midi_beyond_jack(NULL, 0));
  assert_true(htz_midi_beyond_jack(own, 1));
  assert_true(htz_midi_beyond_jack(both, 2));
  assert_false(htz_midi_beyond_jack(jack, 1));
  assert_false(htz_midi_beyond_jack(none, 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(twins_have_numbers),
    cmocka_unit_test(a_port_of_our_own),
    cmocka_unit_test(by_default_every_real_input),
    cmocka_unit_test(by_a_part_of_the_name),
    cmocka_unit_test(by_a_number_among_equals),
    cmocka_unit_test(the_absent_one_is_told),
#if defined(HTZ_HAVE_PORTMIDI)
    cmocka_unit_test(events_become_the_bytes_they_were),
    cmocka_unit_test(exclusive_messages_come_in_fours),
    cmocka_unit_test(stamps_of_another_clock_are_not_believed),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

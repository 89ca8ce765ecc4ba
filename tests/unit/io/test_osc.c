// Packets of Open Sound Control: every type, bundles, and packets that end where they should not.
#include "check.h"

#include "osc.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  unsigned n;
  htz_osc_message last;
} heard;

static void hear(void* context, const htz_osc_message* message) {
  heard* h = context;
  h->n++;
  h->last = *message;
}

// In memory of exactly its size, so that a sanitizer sees what reads beyond it.
static bool read_copy(const char* bytes, size_t size, heard* h) {
  uint8_t* copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  *h = (heard){0};
  const bool ok = htz_osc_read(copy, size, hear, h);
  free(copy); // what is compared below is no text
  return ok;
}

#define PACKET(text) (text), sizeof(text) - 1

static void numbers_of_all_types(void** state) {
  (void)state;
  heard h;
  assert_true(read_copy(PACKET("/a\0\0,ifhdTF\0\xff\xff\xff\xfe\x3f\x00\x00\x00\0\0\0\x01\0\0\0\0\x3f\xe0\0\0\0\0\0\0"), &h));
  assert_int_equal(h.n, 1);
  assert_int_equal(h.last.n, 6);
  const double values[] = {-2.0, 0.5, 4294967296.0, 0.5, 1.0, 0.0};
  for (size_t i = 0; i < h.last.n; i++) {
    assert_int_equal(h.last.arg[i].type, 'n');
    assert_true(h.last.arg[i].number == values[i]);
  }
}

static void what_is_no_number(void** state) {
  (void)state;
  heard h;
  static const uint8_t midi[] = {0, 0x90, 60, 100};
  assert_true(read_copy(PACKET("/a\0\0,sbmN[]t\0\0\0\0hi\0\0\0\0\0\x03xyz\0\0\x90\x3c\x64\0\0\0\0\0\0\0\x01"), &h));
  assert_int_equal(h.last.n, 2);
  assert_int_equal(h.last.arg[0].type, 's');
  assert_int_equal(h.last.arg[1].type, 'm');
  assert_memory_equal(h.last.arg[1].midi, midi, sizeof midi);
}

static void bundles_within_bundles(void** state) {
  (void)state;
  heard h;
  assert_true(read_copy(PACKET("#bundle\0\0\0\0\0\0\0\0\x01"), &h));
  assert_int_equal(h.n, 0);
  assert_true(read_copy(
      PACKET("#bundle\0\0\0\0\0\0\0\0\x01\0\0\0\x08/a\0\0,\0\0\0\0\0\0\x1c#bundle\0\0\0\0\0\0\0\0\x01\0\0\0\x08/b\0\0,\0\0\0"),
      &h));
  assert_int_equal(h.n, 2);
  char deep[512] = "";
  size_t size = 0;
  for (unsigned i = 0; i < 10; i++) { // deeper than is followed, so that no packet takes the stack
    memcpy(deep + size, "#bundle\0\0\0\0\0\0\0\0\x01", 16);
    size += 16;
    deep[size + 3] = (char)((10 - i - 1) * 20);
    size += i < 9 ? 4 : 0;
  }
  assert_false(read_copy(deep, size, &h));
}

static void every_packet_that_ends_too_early_is_refused_without_reading_on(void** state) {
  (void)state;
  heard h;
  static const char whole[] = "#bundle\0\0\0\0\0\0\0\0\x01\0\0\0\x1c/note\0\0\0,isb\0\0\0\0\0\0\0\x3chi\0\0\0\0\0\0";
  const size_t size = sizeof whole - 1;
  for (size_t n = 1; n < size; n++) {
    const bool ok = read_copy(whole, n, &h);
    assert_true(ok == (n == 16)); // an empty bundle is one
  }
  assert_true(read_copy(whole, size, &h));
  assert_false(read_copy(PACKET(""), &h));
  assert_false(read_copy(PACKET("note\0\0\0\0,\0\0\0"), &h));
  assert_false(read_copy(PACKET("/a\0\0i\0\0\0\0\0\0\x01"), &h));
  assert_false(read_copy(PACKET("/a\0\0,b\0\0\xff\xff\xff\xffxyz\0"), &h));
  assert_false(read_copy(PACKET("#bundle\0\0\0\0\0\0\0\0\x01\xff\xff\xff\xfc/a\0\0"), &h));
  assert_true(read_copy(PACKET("/a\0\0"), &h)); // old senders leave the types out
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_all_types),
      cmocka_unit_test(what_is_no_number),
      cmocka_unit_test(bundles_within_bundles),
      cmocka_unit_test(every_packet_that_ends_too_early_is_refused_without_reading_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

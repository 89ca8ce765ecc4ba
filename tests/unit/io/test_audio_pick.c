#include "check.h"

#include "audio_holder.h"
#include "audio_pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const htz_audio_entry laptop[] = {
    {"alsa", "HDA Intel PCH: ALC295 Analog (hw:0,0)", 2, false},
    {"alsa", "HDA Intel PCH: HDMI 0 (hw:0,3)", 8, false},
    {"alsa", "USB Audio: - (hw:1,0)", 1, false},
    {"alsa", "sysdefault", 128, false},
    {"alsa", "hdmi", 2, false},
    {"alsa", "pipewire", 64, false},
    {"alsa", "default", 64, true},
    {"oss", "/dev/dsp", 16, true},
    {"jack", "system", 2, true},
    {"jack", "Monitor", 2, false},
};
enum { LAPTOP = sizeof laptop / sizeof laptop[0] };

// Name of the k-th choice, "-" when there are not so many.
static const char* choice(const char* device, const htz_audio_entry* entries, size_t n, size_t k) {
  size_t order[16];
  const size_t found = htz_audio_pick(device, entries, n, order, 16);
  return k < found ? entries[order[k]].name : "-";
}

static void the_default_is_shared_and_never_raw(void** state) {
  (void)state;
  assert_string_equal(choice(NULL, laptop, LAPTOP, 0), "default");
  assert_string_equal(choice("", laptop, LAPTOP, 1), "pipewire");
  assert_string_equal(choice("", laptop, LAPTOP, 2), "system");
  assert_string_equal(choice("", laptop, LAPTOP, 3), "-");
  assert_string_equal(choice("", laptop, 3, 0), "-"); // nothing but raw devices
  assert_string_equal(choice("", laptop + 7, 1, 0), "-");
  assert_string_equal(choice("", NULL, 0, 0), "-");
  const htz_audio_entry mac[] = {{"coreaudio", "HDMI", 2, false}, {"coreaudio", "Built-in Output", 2, true}};
  assert_string_equal(choice("", mac, 2, 0), "Built-in Output");
  assert_string_equal(choice("", mac, 2, 1), "-");
}

static const char* card(const char* device, bool raw, const htz_audio_entry* entries, size_t n, size_t k) {
  size_t order[16];
  const size_t found = htz_audio_pick_card(device, raw, entries, n, order, 16);
  return k < found ? entries[order[k]].name : "-";
}

static void where_nothing_is_shared_there_are_cards(void** state) {
  (void)state;
  assert_string_equal(card("", false, laptop, LAPTOP, 0), "sysdefault");
  assert_string_equal(card("", false, laptop, LAPTOP, 1), "-");
  assert_string_equal(card("jack:", false, laptop, LAPTOP, 0), "-");
  const htz_audio_entry box[] = {
      {"alsa", "HDMI: HDMI 0 (hw:0,3)", 8, true},
      {"alsa", "Loopback: Loopback PCM (hw:1,0)", 32, false},
      {"alsa", "Scarlett 2i2 USB: Audio (hw:2,0)", 2, false},
      {"oss", "/dev/dsp", 16, true},
      {"oss", "/dev/dsp1", 16, false},
  };
  assert_string_equal(card("", true, box, 5, 0), "Scarlett 2i2 USB: Audio (hw:2,0)");
  assert_string_equal(card("", true, box, 5, 1), "HDMI: HDMI 0 (hw:0,3)"); // a screen may be off
  assert_string_equal(card("", true, box, 5, 2), "/dev/dsp");
  assert_string_equal(card("", true, box, 5, 3), "-"); // a loopback is heard by nobody
  assert_string_equal(card("oss:", true, box, 5, 0), "/dev/dsp");
  assert_string_equal(card("", false, box, 5, 0), "-");
  assert_string_equal(choice("", box, 5, 0), "-");
}

// A card that was pulled out and plugged in again may have another number: it is the same card all the same.
static void a_card_is_found_under_another_number(void** state) {
  (void)state;
  const htz_audio_entry cards[] = {
      {"alsa", "Scarlett 2i2 USB: USB Audio #1 (hw:3,1)", 2, false},
      {"alsa", "Scarlett 2i2 USB: USB Audio (hw:3,0)", 2, false},
      {"alsa", "Scarlett 2i2 USB: USB Audio (hw:1,1)", 2, false},
      {"alsa", "Other: USB Audio (hw:1,0)", 2, false},
  };
  assert_string_equal(choice("alsa:Scarlett 2i2 USB: USB Audio (hw:1,0)", cards, 4, 0), "Scarlett 2i2 USB: USB Audio (hw:3,0)");
  assert_string_equal(choice("alsa:Scarlett 2i2 USB: USB Audio (hw:1,1)", cards, 4, 0), "Scarlett 2i2 USB: USB Audio (hw:1,1)");
  assert_string_equal(choice("alsa:Scarlett 2i2 USB: USB Audio (hw:1,2)", cards, 4, 0), "-");
  assert_string_equal(choice("alsa:Scarlett (hw:1,0)", cards, 4, 0), "-");
}

static void a_host_can_be_asked_for(void** state) {
  (void)state;
  assert_string_equal(choice("jack:", laptop, LAPTOP, 0), "system");
  assert_string_equal(choice("JACK:", laptop, LAPTOP, 0), "system");
  assert_string_equal(choice("jack:mon", laptop, LAPTOP, 0), "Monitor");
  assert_string_equal(choice("alsa:", laptop, LAPTOP, 0), "default");
  assert_string_equal(choice("oss:", laptop, LAPTOP, 0), "/dev/dsp");
  assert_string_equal(choice("alsa:system", laptop, LAPTOP, 0), "-");
  assert_string_equal(choice("asio:", laptop, LAPTOP, 0), "-");
}

static void a_part_of_a_name_is_enough(void** state) {
  (void)state;
  assert_string_equal(choice("alc295", laptop, LAPTOP, 0), "HDA Intel PCH: ALC295 Analog (hw:0,0)");
  assert_string_equal(choice("HDMI", laptop, LAPTOP, 0), "hdmi"); // equal before a part
  assert_string_equal(choice("dmi", laptop, LAPTOP, 0), "hdmi");  // shared before raw
  assert_string_equal(choice("hw:0,3", laptop, LAPTOP, 0), "HDA Intel PCH: HDMI 0 (hw:0,3)");
  assert_string_equal(choice("USB", laptop, LAPTOP, 0), "USB Audio: - (hw:1,0)"); // one channel is enough
  assert_string_equal(choice("tuba", laptop, LAPTOP, 0), "-");
}

// An input needs one channel; what is chosen without a name follows the same order.
static void inputs_may_have_one_channel(void** state) {
  (void)state;
  const htz_audio_entry inputs[] = {
      {"alsa", "USB Microphone: - (hw:1,0)", 1, false},
      {"alsa", "default", 64, true},
      {"jack", "system", 1, true},
      {"jack", "other player", 2, false},
  };
  assert_string_equal(choice("microphone", inputs, 4, 0), "USB Microphone: - (hw:1,0)");
  assert_string_equal(choice("", inputs, 4, 0), "default");
  assert_string_equal(choice("", inputs, 1, 0), "-"); // never a raw one by itself
  assert_string_equal(choice("jack:", inputs, 4, 0), "system");
  assert_string_equal(choice("jack:player", inputs, 4, 0), "other player");
}

static void parts_are_found_anywhere(void** state) {
  (void)state;
  assert_true(htz_has_part("Keystation 61", "station"));
  assert_true(htz_has_part("Keystation 61", "61"));
  assert_true(htz_has_part("Keystation 61", ""));
  assert_true(htz_has_part("", ""));
  assert_false(htz_has_part("", "a"));
  assert_false(htz_has_part("abc", "abcd"));
}

// ---- who holds a device: a process file system of our own

static void make_file(const char* folder, const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void make_folder(char* path, size_t size, const char* folder, const char* name) {
  snprintf(path, size, "%s/%s", folder, name);
  assert_int_equal(mkdir(path, 0700), 0);
}

static void the_holder_is_named(void** state) {
  (void)state;
  char root[] = "/tmp/hertzian-proc-XXXXXX";
  assert_non_null(mkdtemp(root));
  char process[64], fds[80], link[100], sound[64];
  make_folder(process, sizeof process, root, "912");
  make_folder(fds, sizeof fds, process, "fd");
  make_file(process, "comm", "pipewire\n");
  snprintf(link, sizeof link, "%s/7", fds);
  assert_int_equal(symlink("/dev/snd/pcmC1D3p", link), 0);
  make_folder(sound, sizeof sound, root, "asound");
  make_file(sound, "pcm",
            "00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1\n"
            "01-03: HDMI 0 : HDMI 0 : playback 1\n"
            "02-00: Webcam : Webcam : capture 1\nnonsense\n"
            "03-00: USB Audio : USB Audio : playback 1 : capture 1\n");
  make_file(sound, "cards",
            " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n"
            "                      HDA Intel PCH at 0xb1218000 irq 145\n"
            " 1 [NVidia         ]: HDA-Intel - HDA - NVidia\n"
            "                      HDA NVidia at 0xb3080000 irq 17\n"
            " 3 [USB            ]: USB-Audio - Scarlett 2i2 USB\n"
            "                      Focusrite Scarlett 2i2 USB at usb-0000:00:14.0-1, high speed\n");

  char text[64];
  assert_true(htz_audio_holder(root, 1, 3, text, sizeof text));
  assert_string_equal(text, "pipewire[912]");
  assert_true(htz_audio_holder(root, -1, 0, text, sizeof text));
  assert_false(htz_audio_holder(root, 1, 0, text, sizeof text));
  assert_string_equal(text, "");
  assert_false(htz_audio_holder("/nonexistent", 1, 3, text, sizeof text));

  // What the kernel says itself is known of anybody's process; it says the thread.
  char card3[80], pcm0[96], sub0[112], player[64];
  make_folder(card3, sizeof card3, sound, "card3");
  make_folder(pcm0, sizeof pcm0, card3, "pcm0p");
  make_folder(sub0, sizeof sub0, pcm0, "sub0");
  make_file(sub0, "status", "closed\n");
  assert_false(htz_audio_holder(root, 3, 0, text, sizeof text));
  make_file(sub0, "status", "state: RUNNING\nowner_pid   : 4711\ntrigger_time: 1.2\n");
  make_folder(player, sizeof player, root, "4711");
  make_file(player, "comm", "alsa-sink\n");
  make_file(player, "status", "Name:\talsa-sink\nTgid:\t912\nPid:\t4711\n");
  assert_true(htz_audio_holder(root, 3, 0, text, sizeof text));
  assert_string_equal(text, "pipewire[912]");

  htz_audio_pcm pcms[4];
  assert_int_equal(htz_audio_pcms(root, pcms, 4), 3);
  assert_string_equal(pcms[0].name, "HDA Intel PCH: ALC295 Analog (hw:0,0)");
  assert_string_equal(pcms[0].id, "PCH");
  assert_string_equal(pcms[1].name, "HDA - NVidia: HDMI 0 (hw:1,3)");
  assert_string_equal(pcms[2].name, "Scarlett 2i2 USB: USB Audio (hw:3,0)");
  assert_string_equal(pcms[2].id, "USB");
  assert_int_equal(pcms[1].card, 1);
  assert_int_equal(pcms[1].device, 3);
  assert_int_equal(htz_audio_pcms(root, pcms, 1), 1);
  assert_int_equal(htz_audio_pcms("/nonexistent", pcms, 4), 0);

  char command[96];
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default_is_shared_and_never_raw),
      cmocka_unit_test(where_nothing_is_shared_there_are_cards),
      cmocka_unit_test(a_card_is_found_under_another_number),
      cmocka_unit_test(a_host_can_be_asked_for),
      cmocka_unit_test(a_part_of_a_name_is_enough),
      cmocka_unit_test(inputs_may_have_one_channel),
      cmocka_unit_test(parts_are_found_anywhere),
      cmocka_unit_test(the_holder_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

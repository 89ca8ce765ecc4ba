/* Renders a chord through libhertzian into a WAV file: chord [INSTRUMENT [FILE]]. Compiles as C11 and as C++17. */
#include <hertzian/hertzian.h>

#include <stdio.h>

enum { RATE = 48000, BLOCK = 512, BLOCKS = 4 * RATE / BLOCK };

static void put(FILE* file, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    fputc((int)(value >> (8 * i) & 255u), file);
  }
}

static void put_header(FILE* file, uint32_t frames) {
  const uint32_t bytes = frames * 4; /* two channels of 16 bits */
  fputs("RIFF", file), put(file, 36 + bytes, 4), fputs("WAVEfmt ", file), put(file, 16, 4), put(file, 1, 2), put(file, 2, 2);
  put(file, RATE, 4), put(file, RATE * 4, 4), put(file, 4, 2), put(file, 16, 2), fputs("data", file), put(file, bytes, 4);
}

int main(int argc, char** argv) {
  htz_fault fault = {HTZ_FAULT_NONE, 0, 0, 0, "the synth takes no part"};
  htz_synth_desc desc = {RATE, BLOCK, 0, 0.0, true};
  htz_model* model = htz_model_load(argc > 1 ? argv[1] : "piano", &fault);
  htz_synth* synth = model ? htz_synth_new(&desc, &fault) : NULL;
  htz_synth_part* part = synth ? htz_synth_build(synth, model, &fault) : NULL;
  if (!part || htz_synth_attach(synth, part, HTZ_ALL_CHANNELS) < 0) {
    fprintf(stderr, "chord: %s\n", fault.text);
    return 1;
  }
  static const uint8_t keys[] = {48, 55, 60, 64};
  for (uint32_t i = 0; i < sizeof keys; i++) {
    const uint8_t on[] = {0x90, keys[i], 90}, off[] = {0x80, keys[i], 64};
    htz_synth_midi(synth, i * RATE / 50, on, sizeof on); /* spread by 20 ms */
    htz_synth_midi(synth, 3 * RATE, off, sizeof off);
  }
  FILE* file = fopen(argc > 2 ? argv[2] : "chord.wav", "wb");
  if (!file) {
    perror("chord");
    return 1;
  }
  put_header(file, BLOCKS * BLOCK);
  for (uint32_t block = 0; block < BLOCKS; block++) {
    float out[2 * BLOCK];
    htz_synth_process(synth, out, out + 1, 2, BLOCK);
    for (uint32_t i = 0; i < 2 * BLOCK; i++) {
      put(file, (uint32_t)(int32_t)(out[i] * 32767.0f), 2);
    }
  }
  htz_synth_free(synth);
  htz_model_free(model);
  if (fclose(file) != 0) {
    perror("chord");
    return 1;
  }
  return 0;
}

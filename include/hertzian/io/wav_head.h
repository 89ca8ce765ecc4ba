#ifndef HERTZIAN_IO_WAV_HEAD_H
#define HERTZIAN_IO_WAV_HEAD_H

#include <stddef.h>
#include <stdint.h>

/*
   The beginning of a WAV file of 32-bit float samples. It is as long for any number of frames, so that it can be made true again and again
   while the file grows: past 4 GiB the place kept free at its beginning holds the sizes, and the file is an RF64 (EBU Tech 3306).
*/
enum { HTZ_WAV_HEAD = 92 }; ///< [byte] before the first sample

/** @param behind bytes of chunks that follow the samples */
void htz_wav_head(uint8_t head[HTZ_WAV_HEAD], unsigned rate_hz, unsigned channels, uint64_t frames, uint64_t behind);

/** A place in a recording. */
typedef struct {
  uint64_t frame;
  char label[48];
} htz_wav_mark;

/**
   Chunks that name places, for behind the samples (RIFF `cue ` and `LIST` `adtl`). Places beyond 32 bits are left out.

   @param out from malloc(), NULL without places or memory
   @return its size [byte]
*/
size_t htz_wav_marks(const htz_wav_mark* marks, size_t n, uint8_t** out);

#endif

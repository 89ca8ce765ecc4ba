#ifndef HERTZIAN_INSTRUMENT_PERFORMANCE_FILE_H
#define HERTZIAN_INSTRUMENT_PERFORMANCE_FILE_H

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/spec.h"

/**
   Performance files: instruments that play together, on which channels, keys and velocities. Named files lie in the folder
   `performances` of the user's settings, or in one of that name beside instruments.
*/
enum {
  HTZ_PERFORMANCE_PARTS = 32,    ///< of one file
  HTZ_PERFORMANCE_SETTINGS = 32, ///< of one part
  HTZ_PERFORMANCE_NAME = 255,    ///< bytes of an instrument's name
  HTZ_PERFORMANCE_BYTES_MAX = 64 * 1024,
};

/** A parameter of a part's own. */
typedef struct {
  size_t param; ///< number on its instrument
  double value; ///< [its unit]
} htz_performance_setting;

typedef struct {
  char instrument[HTZ_PERFORMANCE_NAME + 1]; ///< as the file has it
  const htz_spec* spec;                      ///< what that is, the caller's
  uint16_t channels;                         ///< bit c: channel c (0..15)
  uint8_t key_low, key_high;                 ///< as pressed
  uint8_t velocity_low, velocity_high;       ///< 0..127
  int transpose;                             ///< [semitone]
  double level_db;                           ///< [dB]
  double pan;                                ///< -1..1
  size_t n_settings;
  htz_performance_setting setting[HTZ_PERFORMANCE_SETTINGS];
} htz_performance_part;

/** Plain data. */
typedef struct {
  char name[64]; ///< empty when it has none
  char about[304];
  size_t n_programs; ///< that choose it
  uint8_t programs[HTZ_SPEC_PROGRAMS_MAX];
  uint8_t bank;
  size_t n_parts;
  htz_performance_part part[HTZ_PERFORMANCE_PARTS];
} htz_performance_file;

/** A part that plays everything on `spec`, whose name is `instrument`. */
htz_performance_part htz_performance_plain_part(const char* instrument, const htz_spec* spec);

/**
   What the instrument `name` of a performance is.

   @param folder  of the performance, with its last slash; empty: the current one
   @param why     receives one line when there is none
   @return NULL when there is none
*/
typedef const htz_spec* htz_spec_source(void* user, const char* name, const char* folder, char why[HTZ_DIAG_TEXT]);

/**
   Read a performance file.

   @param name    for messages, and for the folder that files of instruments are looked for in
   @param source  gives the instruments, which outlive what is read
   @param diags   receives all faults
   @return HTZ_OK, HTZ_BAD_INPUT, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_performance_parse(const char* name, const char* text, size_t length, htz_spec_source* source, void* user,
                                 htz_performance_file* out, htz_diags* diags);

/** The same of a file. @return also HTZ_NOT_FOUND, HTZ_IO, HTZ_NO_FILES */
htz_status htz_performance_load(const char* path, htz_spec_source* source, void* user, htz_performance_file* out,
                                htz_diags* diags);

/** Write it so that it is read as it is. @return HTZ_OK, or HTZ_IO when the stream has failed */
htz_status htz_performance_write(const htz_performance_file* performance, FILE* out);

/** Where the performance `name` lies: in the user's settings (`users`), or beside instruments. @return false when there is none */
bool htz_performance_find(const char* name, bool users, char path[HTZ_PATH_MAX]);

/** Names of the performances there are. */
typedef struct {
  size_t n;
  char** name; ///< [n] sorted
} htz_performance_names;

/**
   Whether the performance at `path` claims programs, from its head alone; of a file that cannot be read true: loading it says why.

   @return HTZ_OK, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_performance_claims(const char* path, bool* any);

/** @return HTZ_OK, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread. */
htz_status htz_performance_list(htz_performance_names* out);
void htz_performance_list_free(htz_performance_names* names);

#endif

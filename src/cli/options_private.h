#ifndef HERTZIAN_CLI_OPTIONS_PRIVATE_H
#define HERTZIAN_CLI_OPTIONS_PRIVATE_H

#include "options.h"

typedef enum {
#define HTZ_FLAG(id, name, letter, commands, argument, takes, low, high) HTZ_FLAG_##id,
#include "options_flags.def"
#undef HTZ_FLAG
  HTZ_FLAG_COUNT
} htz_flag_id;

typedef enum { HTZ_ARGUMENT_NONE = 0, HTZ_ARGUMENT_REQUIRED, HTZ_ARGUMENT_OPTIONAL } htz_argument;

/** A flag as the command line knows it. An optional argument can only be given after an equals sign. */
typedef struct {
  const char* name;
  char letter;       ///< 0: no short form
  unsigned commands; ///< bit c: command c knows it
  htz_argument argument;
  const char* takes; ///< in words, for messages
  double low, high;  ///< allowed range of its number
} htz_flag;

extern const htz_flag htz_flags[HTZ_FLAG_COUNT];

/** Commands (bits) whose flags may also stand in a file of settings and in the environment. */
extern const unsigned htz_config_commands;

/** One flag being carried out. */
typedef struct {
  const htz_flag* flag;
  const char* shown; ///< up to where its value begins
  const char* value;
  htz_parse_result* result;
} htz_flag_use;

/** Say why the value is not allowed. @return false */
bool htz_flag_refuse(const htz_flag_use* f, const char* what);

/** Take a number. @return false, and say so, when it is none, or beyond its range */
bool htz_flag_number(const htz_flag_use* f, double low, double high, bool whole, double* out);

/** `-i`, `--layer`, `--split`. */
bool htz_flag_instrument(const htz_flag_use* f, htz_options* options);
bool htz_flag_layer(const htz_flag_use* f, htz_options* options);
bool htz_flag_split(const htz_flag_use* f, htz_options* options);

/** `--channels`. */
bool htz_flag_channels(const htz_flag_use* f, htz_options* options);

/** Take back all splits, or all other layers. */
void htz_layers_forget(htz_orchestra_wish* wish, bool splits);

/** What of layers and splits does not go together; NULL when all does. */
const char* htz_layers_refuse(const htz_orchestra_wish* wish);

/** A copy of `text` that lives as long as the options; NULL when there is no room for it. */
char* htz_options_keep(htz_options* options, const char* text);

/** `-s`. */
bool htz_flag_set_param(const htz_flag_use* f, htz_options* options, htz_setting* settings);

/** `--human SHARE`: `-s human=SHARE`. */
bool htz_flag_set_human(const htz_flag_use* f, htz_options* options, htz_setting* settings);

/** Forget what a flag has said so far, where what it says next would be added to that. */
void htz_flag_forget(htz_flag_id id, htz_options* options);

extern const double htz_usual_rate_hz; ///< [Hz]

/**
   Carry out one flag.

   @param shown  the flag as the user wrote it, for messages
   @param value  its argument, or NULL
   @return false with result->error filled when the value is not allowed
*/
bool htz_flag_apply(htz_flag_id id, const char* shown, const char* value, htz_options* options, htz_setting* settings,
                    htz_parse_result* result);

/** `--split` is of the keyboard, or of what is recorded. @return whether it is a length */
bool htz_flag_is_length(const htz_flag_use* f, const htz_options* options);

/** Note a flag in options->played if it has an effect on the sound, live and in a render alike. */
void htz_flag_note_played(htz_flag_id id, const htz_flag_use* f, htz_options* options);

/** Why `--stems` cannot be had with the rest of the command line. @return NULL when it can */
const char* htz_stems_refused(const htz_options* options);

/** What was said of it does not hold any more. */
void htz_flag_forget_played(htz_flag_id id, htz_options* options);

/** Names of the commands, in the order of htz_command. */
extern const char* const htz_command_names[HTZ_CMD_COUNT];

#endif

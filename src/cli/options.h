#ifndef HERTZIAN_CLI_OPTIONS_H
#define HERTZIAN_CLI_OPTIONS_H

#include "cli.h"

#include "hertzian/base/log.h"
#include "hertzian/host/live.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/host/performance.h"
#include "hertzian/io/sound_out.h"
#include "hertzian/midi/tuning.h"

#include <stdbool.h>
#include <stddef.h>

struct htz_config;

/** When a render ends. */
typedef enum {
  HTZ_TAIL_AUTO = 0, ///< when it has been quiet for a while
  HTZ_TAIL_EOT,      ///< at End of Track
  HTZ_TAIL_SECONDS,  ///< a fixed time after the last event
} htz_tail;

/** What level a render is brought to. */
typedef enum {
  HTZ_GOAL_NONE = 0,
  HTZ_GOAL_PEAK,     ///< `--normalize`
  HTZ_GOAL_LOUDNESS, ///< `--loudness`
} htz_level_goal;

typedef enum { HTZ_PROGRESS_AUTO = 0, HTZ_PROGRESS_ALWAYS, HTZ_PROGRESS_NEVER } htz_progress;

enum {
  HTZ_CHANNEL_DEFAULT = -1, ///< the command's own choice: all but 10 in `render`
  HTZ_CHANNEL_OMNI = 0,     ///< all sixteen
};

enum { HTZ_TRY_KEYS_MAX = 16, HTZ_TRY_VELOCITIES_MAX = 8 }; ///< of a `try`

enum { HTZ_OPTIONS_KEPT = 4096 };

enum { HTZ_SOURCES_MAX = 16 }; ///< `-m` and `--midi-raw`, each

/** `--fail-on`, bits. */
enum { HTZ_FAIL_ON_XRUN = 1, HTZ_FAIL_ON_CLIP = 2 };

/** What `lab impact` throws; NaN: not given. */
typedef struct {
  double mass;       ///< [kg]
  double stiffness;  ///< [N/m^exponent]
  double exponent;   ///< []
  double viscosity;  ///< [s/m]
  double hysteresis; ///< []
  double relaxation; ///< [s]
  double speed;      ///< [m/s]
  double at;         ///< fraction of the length
  double velocity;   ///< MIDI velocity, NaN unless given
  int key;           ///< MIDI key, -1 unless given
  bool stulov;       ///< `--law stulov`
  bool law_given;
  const char* solver; ///< or NULL
} htz_lab_options;

/** A flag as it was given. */
typedef struct {
  const char* name;  ///< its long name
  const char* value; ///< or NULL
} htz_flag_given;

enum { HTZ_PLAYED_MAX = 120 };

enum { HTZ_HISTORY_MIB = 256 }; ///< of the MIDI of what was played that is kept unless told

/**
   The command line, checked as far as it can be without opening anything. Plain data; strings belong to argv.
*/
typedef struct htz_options {
  htz_command command;
  const char** args; ///< what is not a flag, in order, without the command's own name
  size_t n_args;
  htz_log* log; ///< where to say things; its prefix is the program's name

  // Common.
  htz_orchestra_wish orchestra; ///< `-i`, `--layer`, `--split`
  char kept[HTZ_OPTIONS_KEPT];  ///< texts that are no argument as they stand
  size_t n_kept;
  const htz_setting* settings; ///< `-s`, checked against htz_instrument_params
  size_t n_settings;
  double gain_db;                  ///< `-g` [dB], 0 unless given
  int transpose;                   ///< [semitone]
  const char* bind[HTZ_BINDS_MAX]; ///< `--bind`, as given
  size_t n_bind;
  htz_bind binds[HTZ_BINDS_MAX]; ///< what they and the player's own file say, filled before the command runs
  size_t n_binds;
  htz_mpe_zone mpe;              ///< `--mpe`
  unsigned mpe_bend;             ///< `--mpe-bend` [semitone], 0 unless given
  htz_tuning_wish tuning;        ///< `--tuning`, `--keymap`, `--a4`
  bool tuned;                    ///< any of them is given: `pitch` is filled before the command runs
  double pitch[HTZ_TUNING_KEYS]; ///< of each key, as htz_tuning_make() has it
  htz_velocity_curve velocity;
  int channel;     ///< 1..16, HTZ_CHANNEL_OMNI or HTZ_CHANNEL_DEFAULT
  double rate_hz;  ///< `-r`; the command's default unless given [Hz]
  bool rate_given; ///< with a number
  unsigned buffer; ///< `-b` [frame]
  int verbosity;   ///< -1 `-q`, 0, 1 `-v`, 2 `-vv`
  bool json;
  htz_flag_given played[HTZ_PLAYED_MAX]; ///< flags given that change the sound, live as in a render
  size_t n_played;

  // Live.
  const char* audio;    ///< `-a`, or NULL
  unsigned channels[2]; ///< `--channels`: outputs for left and right from 1, twice the same: their mean; 0 unless given
  const char* input;    ///< `--input`, or NULL
  const char* midi[HTZ_SOURCES_MAX];
  size_t n_midi;
  const char* midi_raw[HTZ_SOURCES_MAX];
  size_t n_midi_raw;
  const char* record;      ///< `--record`, or NULL
  const char* record_midi; ///< `--record-midi`, or NULL
  const char* takes;       ///< `--takes`, a folder, or NULL
  double preroll_s;        ///< `--preroll`, 0 unless given [s]
  double split_s;          ///< `--split`, 0: never [s]
  int record_by, mark_by;  ///< controllers, -1 unless given
  bool no_history;
  unsigned history_mib; ///< how much of it is kept, see hertzian --help=history
  double duration_s;    ///< infinite unless given [s]
  bool limiter;
  bool midi_asap;
  bool no_sensing; ///< `--no-active-sensing`
  htz_pedal pedal;
  bool hotplug;
  bool require_midi;
  bool force;    ///< `midi learn` binds reserved controllers, too
  double wait_s; ///< how long an audio device is waited for, 0 unless given [s]
  int realtime;  ///< 0: the usual priority, 1..99, or -1: none
  unsigned fail_on;
  unsigned osc_port;    ///< `--osc`, 0: none
  const char* osc_bind; ///< `--osc-bind`, or NULL
  const char* control;  ///< `--control`, "": the usual place, or NULL
  bool stats;

  // Songs, rendered or played.
  double start_s; ///< `--start`, 0 unless given [s]
  double end_s;   ///< `--end`, infinite unless given [s]
  double tempo;   ///< speed factor
  bool strict;
  bool dialled; ///< what was dialled in while songs were taken is done again
  bool loop;
  const char* song_flag; ///< the first flag given that is about songs, or NULL

  // Render.
  const char* output; ///< `-o`, or NULL
  const char* drive;  ///< `--drive`, or NULL
  bool container_given, encoding_given;
  htz_container container;
  htz_encoding encoding;
  htz_tail tail;
  double tail_s; ///< with HTZ_TAIL_SECONDS [s]
  htz_level_goal goal;
  double goal_db; ///< [dBFS] or [LUFS]
  unsigned jobs;
  bool no_clobber;
  bool dry_run; ///< say what plays what, and render nothing
  bool stems;   ///< `--stems channel`: a file for each
  htz_progress progress;

  // Try.
  int keys[HTZ_TRY_KEYS_MAX]; ///< `--keys`
  size_t n_keys;
  int velocities[HTZ_TRY_VELOCITIES_MAX]; ///< `--velocity`
  size_t n_velocities;

  // Lab.
  const char* csv;  ///< `--csv`, or NULL
  unsigned phases;  ///< `--phases`, entry phases of a sample
  const char* out;  ///< `--out`, or NULL
  const char* plot; ///< `--plot`, or NULL
  htz_lab_options lab;
} htz_options;

/** What is to be done after reading the command line. */
typedef enum {
  HTZ_PARSE_RUN = 0, ///< run the command
  HTZ_PARSE_HELP,    ///< print the help on `topic` to stdout
  HTZ_PARSE_VERSION, ///< print the version to stdout
  HTZ_PARSE_ERROR,   ///< a usage error; `error` says which
} htz_parse;

enum { HTZ_USAGE_TEXT = 1024 };

typedef struct {
  htz_parse what;
  const char* topic;          ///< with HTZ_PARSE_HELP: a command's name, or NULL
  const char* log_file;       ///< `--log-file`, or NULL
  char error[HTZ_USAGE_TEXT]; ///< with HTZ_PARSE_ERROR: one line
} htz_parse_result;

/**
   Read a command line. Flags may stand anywhere; `--` ends them.

   @param config    what was said elsewhere, or NULL; borrowed by `options`
   @param args      receives the positional arguments, room for argc
   @param settings  receives the `-s` settings, room for argc and for what `config` has
*/
htz_parse_result htz_options_parse(int argc, char** argv, struct htz_config* config, htz_options* options, const char** args,
                                   htz_setting* settings);

/** Whether the command that is meant reads files of settings and the environment; `*file` receives what `-c` names, or NULL. */
bool htz_options_configured(int argc, char** argv, const char** file);

/** The file that `--input file:NAME` names, or NULL when it names a device. */
const char* htz_input_file(const char* input);

/** Work out the pitches that the command line asks for, if it does. @return an exit code; unless it is 0 its faults are said */
int htz_options_tune(htz_options* options);

/** How the command line wants events to be played; `unless_told` are the channels (bits) without `--channel`. */
htz_performance htz_options_performance(const htz_options* options, uint16_t unless_told);

/** The commands, one source file each. @return the program's exit code */
int htz_cmd_play(const htz_options* options); // and record
int htz_cmd_devices(const htz_options* options);
int htz_cmd_render(const htz_options* options);
int htz_cmd_history(const htz_options* options);
int htz_cmd_repair(const htz_options* options);
int htz_cmd_instruments(const htz_options* options);
int htz_cmd_bench(const htz_options* options);
int htz_cmd_lab(const htz_options* options);
int htz_cmd_midi(const htz_options* options);
int htz_cmd_completion(const htz_options* options);
int htz_cmd_ctl(const htz_options* options);
int htz_cmd_try(const htz_options* options);
int htz_cmd_level(const htz_options* options);
int htz_cmd_check(const htz_options* options);

enum { HTZ_COMMANDS_TEXT = 256 };

/** Names of all commands, with commas. */
void htz_list_commands(char text[HTZ_COMMANDS_TEXT]);

/** Help on a command, on the program when `topic` is NULL or empty; NULL when there is no such topic. */
const char* htz_help_text(const char* topic);

#endif

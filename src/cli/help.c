#include "options.h"

#include <stddef.h>
#include <string.h>

static const char main_text[] =
    "hertzian " HTZ_VERSION " - instruments made of colliding bodies\n"
    "\n"
    "    hertzian render [options] SONG.mid...       a MIDI file becomes an audio file\n"
    "    hertzian instruments [list|show NAME|validate FILE]\n"
    "    hertzian bench [-i NAME]                    how fast this machine is\n"
    "    hertzian lab impact --csv IN.csv            impacts on a wall, measured\n"
    "    hertzian --help=COMMAND, --version\n"
    "\n"
    "Examples\n"
    "    hertzian render song.mid                    writes song.wav beside it\n"
    "    hertzian render song.mid -i glockenspiel -o song.flac\n"
    "    hertzian render *.mid -o folder -j 2 --normalize\n"
    "    cat song.mid | hertzian render - -o - | aplay\n"
    "\n"
    "Options of most commands (hertzian --help=render has them all)\n"
    "    -i, --instrument NAME|FILE  what plays; see hertzian instruments\n"
    "    -s, --set PARAM=VALUE       change the instrument; see hertzian instruments show NAME\n"
    "    -g, --gain DB               louder or quieter\n"
    "    -r, --rate HZ               sample rate, 48000 unless told\n"
    "    -o, --output FILE|-|FOLDER  where to; the ending decides the format\n"
    "    -q, -v, -vv                 say less, say more\n"
    "        --log-file FILE         all messages with their time\n"
    "        --json                  a summary for programs on standard output\n"
    "    Options may stand anywhere; -- ends them.\n"
    "\n"
    "Exit codes: 0 done, 1 internal, 2 usage, 4 bad song or instrument, 5 output, 130 or 143 interrupted\n";

static const char render_text[] =
    "hertzian render [options] SONG.mid...\n"
    "\n"
    "Renders Standard MIDI Files to audio, faster than real time. - is standard input.\n"
    "Without -i, program changes choose among the installed instruments, marimba by default.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument NAME|FILE  one instrument for everything; program changes are ignored\n"
    "    -s, --set PARAM=VALUE       may be repeated; hertzian instruments show NAME lists them\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --transpose N           semitones\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N, or all; default all but 10 (drums)\n"
    "        --tempo F               2 is twice as fast, 0.1 to 10\n"
    "    -r, --rate HZ               8000 to 192000, default 48000\n"
    "    -b, --buffer FRAMES         16 to 8192; sounds the same\n"
    "\n"
    "File\n"
    "    -o, --output FILE|-|FOLDER  default: the song's name with the new ending, beside it\n"
    "    -f, --format FORMAT         wav, rf64, w64, flac or raw; default: by the ending of -o\n"
    "    -e, --encoding ENCODING     s16, s24, s32 or f32, default s24; flac takes s16 and s24\n"
    "        --normalize[=DBFS]      bring the peak to -1 dBFS, or to this\n"
    "        --no-clobber            keep a file that is already there\n"
    "\n"
    "Length\n"
    "        --tail auto|none|eot|SEC  auto: until 300 ms were below -90 dBFS, at most 30 s, with a\n"
    "                                fade of 10 ms; none: to the last event; eot: to End of Track;\n"
    "                                SEC: so long after the last event\n"
    "        --start SEC             leave out what is heard before; notes begun earlier ring on\n"
    "        --end SEC               the song ends here, held notes are released, the tail follows\n"
    "\n"
    "Working\n"
    "        --strict                a damaged song is an error; else it is played as far as it goes\n"
    "    -j, --jobs JOBS             songs at a time\n"
    "        --progress auto|always|never\n"
    "    -q, -v, -vv, --log-file FILE, --json\n";

static const char instruments_text[] = "hertzian instruments [list|show NAME|validate FILE...] [--json]\n"
                                       "\n"
                                       "    list            what is installed (also without a word)\n"
                                       "    show NAME       its range, its parameters for -s, its controllers\n"
                                       "    validate FILE   all faults of instrument files, each with its line and column\n"
                                       "\n"
                                       "    -q, -v, -vv, --log-file FILE\n";

static const char bench_text[] = "hertzian bench [-i NAME|FILE] [-r HZ] [--json]\n"
                                 "\n"
                                 "Measures this machine: modes, contacts, and a whole instrument, against a reference kernel.\n"
                                 "\n"
                                 "    -q, -v, -vv, --log-file FILE\n";

static const char lab_text[] = "hertzian lab impact --csv IN.csv [--rate HZ] [--phases N] [--json]\n"
                               "\n"
                               "Throws a mass at a wall for every row of IN.csv and measures rebound, compression and contact\n"
                               "time. Columns read: mass_kg, stiffness_N_per_m_alpha, mu_s_per_m, alpha, v_in_m_per_s.\n"
                               "\n"
                               "    --rate HZ       sample rate, 1000 to 1000000, default 48000\n"
                               "    --phases N      entry phases k/N of a sample, 1 to 10000, default 20\n"
                               "    --json          an array of rows instead of a table\n"
                               "    -q, -v, -vv, --log-file FILE\n";

const char* htz_help_text(const char* topic) {
  static const struct {
    const char* topic;
    const char* text;
  } texts[] = {
      {"render", render_text}, {"instruments", instruments_text}, {"bench", bench_text}, {"lab", lab_text},
      {"impact", lab_text},
  };
  for (size_t i = 0; topic && i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(topic, texts[i].topic) == 0) {
      return texts[i].text;
    }
  }
  return topic && topic[0] ? NULL : main_text;
}

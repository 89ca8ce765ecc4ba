#include "options.h"

#include <stddef.h>
#include <string.h>

static const char main_text[] = "hertzian " HTZ_VERSION " - instruments made of colliding bodies\n"
                                "\n"
                                "    hertzian [play] [options]                   play live, from a MIDI keyboard\n"
                                "    hertzian record [options] [FILE]            play and record\n"
                                "    hertzian render [options] SONG.mid...       a MIDI file becomes an audio file\n"
                                "    hertzian devices [audio|midi] [--json]      what can be opened, what would be used\n"
                                "    hertzian instruments [list|show NAME|validate FILE]\n"
                                "    hertzian bench [-i NAME]                    how fast this machine is\n"
                                "    hertzian lab impact --csv IN.csv            impacts on a wall, measured\n"
                                "    hertzian --help=COMMAND, --version\n"
                                "\n"
                                "Examples\n"
                                "    hertzian -i marimba                         play it; Ctrl-C ends\n"
                                "    hertzian record take.wav -m keystation\n"
                                "    hertzian render song.mid                    writes song.wav beside it\n"
                                "    hertzian render song.mid -i glockenspiel -o song.flac\n"
                                "    hertzian render *.mid -o folder -j 2 --normalize\n"
                                "    cat song.mid | hertzian render - -o - | aplay\n"
                                "\n"
                                "Options of most commands (hertzian --help=play, --help=render have them all)\n"
                                "    -i, --instrument NAME|FILE  what plays; see hertzian instruments\n"
                                "    -s, --set PARAM=VALUE       change the instrument; see hertzian instruments show NAME\n"
                                "    -g, --gain DB               louder or quieter\n"
                                "    -r, --rate HZ               sample rate; live the device's own, else 48000\n"
                                "    -o, --output FILE|-|FOLDER  where to; the ending decides the format\n"
                                "    -q, -v, -vv                 say less, say more\n"
                                "        --log-file FILE         all messages with their time\n"
                                "        --json                  a summary for programs on standard output\n"
                                "    Options may stand anywhere; -- ends them.\n"
                                "\n"
                                "Exit codes: 0 done, 1 internal, 2 usage, 3 no device, 4 bad song or instrument, 5 output,\n"
                                "6 --fail-on, 130 or 143 render interrupted\n";

static const char play_text[] =
    "hertzian [play] [options]\n"
    "hertzian record [options] [FILE]\n"
    "\n"
    "Plays what MIDI keyboards send, until Ctrl-C. Without -i, program changes choose among the installed\n"
    "instruments. record also writes FILE, or a file with the date in its name.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument NAME|FILE  one instrument for everything; program changes are ignored\n"
    "    -s, --set PARAM=VALUE       may be repeated; hertzian instruments show NAME lists them\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --limiter on|off        hold peaks below -1 dBFS (on); says when it acts\n"
    "        --transpose N           semitones\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N; default all\n"
    "\n"
    "Devices\n"
    "    -a, --audio NAME            any part of a device's name, with alsa: or jack: before it if wanted;\n"
    "                                null: no device, in real time all the same\n"
    "    -m, --midi NAME[#N]         any part of an input's name, all or none; may be repeated; default all\n"
    "        --midi-raw PATH|-       a stream of MIDI bytes: FIFO, device file, - standard input; may be repeated\n"
    "    -r, --rate HZ|auto          8000 to 192000, default: the device's own\n"
    "    -b, --buffer FRAMES         a power of two from 16 to 8192, default 128\n"
    "        --midi-delay constant|asap  constant: notes keep their spacing, one buffer later; asap: at once\n"
    "        --no-hotplug            keep to the inputs that are there at the start\n"
    "        --require-midi          no MIDI input is an error\n"
    "        --wait[=SEC]            wait for an audio device\n"
    "        --rt PRIORITY|off       real-time priority, 1 to 99\n"
    "\n"
    "Recording\n"
    "        --record FILE           32-bit float WAV, before the limiter; never overwrites\n"
    "        --record-midi FILE      what was played, one tick a frame: rendered, it gives the recording again\n"
    "\n"
    "Working\n"
    "        --duration SEC          end by itself; else when the input has ended and all is silent, or by signal\n"
    "        --fail-on xrun,clip     exit with 6 when that has happened; clip: beyond full scale before the limiter\n"
    "        --stats                 a summary for programs on standard output\n"
    "    -q, -v, -vv, --log-file FILE, --json\n"
    "\n"
    "Signals: INT and TERM end it, HUP goes on recording in a new file, USR1 begins or ends a recording,\n"
    "USR2 silences everything.\n";

static const char render_text[] =
    "hertzian render [options] SONG.mid...\n"
    "\n"
    "Renders Standard MIDI Files to audio, faster than real time. - is standard input.\n"
    "Without -i, program changes choose among the installed instruments, the piano by default.\n"
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

static const char devices_text[] =
    "hertzian devices [audio|midi]\n"
    "\n"
    "Lists audio outputs and MIDI inputs; * marks what is used when nothing is given. A device that another\n"
    "program holds shows who that is.\n"
    "\n"
    "        --json          an object with the arrays \"audio\" and \"midi\" instead of a table\n"
    "    -q, -v, -vv, --log-file FILE\n";

const char* htz_help_text(const char* topic) {
  static const struct {
    const char* topic;
    const char* text;
  } texts[] = {
      {"play", play_text},       {"record", play_text}, {"render", render_text}, {"instruments", instruments_text},
      {"devices", devices_text}, {"bench", bench_text}, {"lab", lab_text},       {"impact", lab_text},
  };
  for (size_t i = 0; topic && i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(topic, texts[i].topic) == 0) {
      return texts[i].text;
    }
  }
  return topic && topic[0] ? NULL : main_text;
}

#include "options.h"

#include <stddef.h>
#include <string.h>

static const char main_text[] =
    "hertzian " HTZ_VERSION " - instruments made of colliding bodies\n"
    "\n"
    "    hertzian [play] [options]                   play live, from a MIDI keyboard\n"
    "    hertzian [play] [options] SONG.mid...       play songs, and along with them\n"
    "    hertzian record [options] [FILE]            play and record\n"
    "    hertzian render [options] SONG.mid...       a MIDI file becomes an audio file\n"
    "    hertzian devices [audio|midi] [--json]      what can be opened, what would be used\n"
    "    hertzian instruments [list|show NAME|validate FILE|schema|reference|parameters]\n"
    "    hertzian midi monitor|learn PARAM           events in words; bind a controller\n"
    "    hertzian bench [-i NAME]                    how fast this machine is\n"
    "    hertzian lab list|run NAME|impact           the papers' experiments, and any impact, measured\n"
    "    hertzian --help=COMMAND, --version\n"
    "\n"
    "Examples\n"
    "    hertzian -i marimba                         play it; Ctrl-C ends\n"
    "    hertzian song.mid                           hear it; space pauses\n"
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
    "Exit codes: 0 done, 1 internal (also no memory, thread or descriptor to be had), 2 usage,\n"
    "3 no device, 4 bad song or instrument, 5 output, 6 --fail-on, 130 or 143 render interrupted\n";

static const char play_text[] =
    "hertzian [play] [options] [SONG.mid...]\n"
    "hertzian record [options] [FILE]\n"
    "\n"
    "Plays what MIDI keyboards send, until Ctrl-C. Without -i, program changes choose among the installed\n"
    "instruments. record also writes FILE, or a file with the date in its name.\n"
    "\n"
    "With songs (Standard MIDI Files; - is standard input) these are heard, one after the other, and what is played on\n"
    "keyboards with them. It ends when the last one has died away.\n"
    "\n"
    "Songs\n"
    "        --start SEC             from there on: programs, pedals and controllers as they are by then; notes begun\n"
    "                                earlier are not struck\n"
    "        --end SEC               the song ends here, held notes are released\n"
    "        --tempo F               2 is twice as fast, 0.1 to 10; --start and --end count the time that is heard\n"
    "        --loop                  again and again, without a gap, until it is stopped; several songs in turn\n"
    "        --strict                a damaged song is an error; else it is played as far as it goes\n"
    "    Keys, on a terminal: space pauses and goes on, b back to the beginning, n the next song, q ends.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument NAME|FILE  one instrument for everything; program changes are ignored\n"
    "    -s, --set PARAM=VALUE       may be repeated; hertzian instruments show NAME lists them; room=0 takes away the room\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --limiter on|off        hold peaks below -1 dBFS (on); says when it acts\n"
    "        --transpose N           semitones\n"
    "        --bind CC=PARAM:LO..HI  let a controller (0 to 119, or pressure) move PARAM; with :pickup behind it does nothing\n"
    "                                until it has come to where PARAM is; or a file of such lines; may be repeated\n"
    "        --tuning NAME|N-edo|FILE.scl, --keymap FILE.kbm, --a4 HZ   meantone, 31-edo, ...; equal steps at 440 Hz\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N; default all, of songs all but 10 (drums)\n"
    "        --input NAME|file:NAME  an audio input, or a sound file, shakes the hammers of the keys that are held; its\n"
    "                                first channel; without -i on an instrument that is made for it\n"
    "\n"
    "Devices\n"
    "    -a, --audio NAME            any part of a device's name, with alsa: or jack: before it if wanted;\n"
    "                                null: no device, in real time all the same\n"
    "    -m, --midi NAME[#N]         any part of an input's name, all or none; may be repeated; default all\n"
    "        --midi-raw PATH|-       a stream of MIDI bytes: FIFO, device file, - standard input; may be repeated\n"
    "    -r, --rate HZ|auto          8000 to 192000, default: the device's own\n"
    "    -b, --buffer FRAMES         a power of two from 16 to 8192, default 128\n"
    "        --midi-delay constant|asap  constant: notes keep their spacing, one buffer later; asap: at once\n"
    "        --no-active-sensing     do not let go of a keyboard's notes when it falls silent\n"
    "        --pedal normal|inverted|auto  of sustain pedals; auto: inverted when the first that is heard of one is 0\n"
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
    "        --duration SEC          end by itself; else when input and songs have ended and all is silent, or by signal\n"
    "        --fail-on xrun,clip     exit with 6 when that has happened; clip: beyond full scale before the limiter\n"
    "        --stats                 a summary for programs on standard output\n"
    "    -q, -v, -vv, --log-file FILE, --json\n"
    "\n"
    "Signals: INT and TERM end it, HUP goes on recording in a new file, USR1 begins or ends a recording,\n"
    "USR2 silences everything.\n";

static const char render_text[] =
    "hertzian render [options] SONG.mid...\n"
    "hertzian render [options] --drive IN.wav [SONG.mid...]\n"
    "\n"
    "Renders Standard MIDI Files to audio, faster than real time. - is standard input.\n"
    "Without -i, program changes choose among the installed instruments, the piano by default.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument NAME|FILE  one instrument for everything; program changes are ignored\n"
    "    -s, --set PARAM=VALUE       may be repeated; hertzian instruments show NAME lists them; room=0 takes away the room\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --transpose N           semitones\n"
    "        --bind CC=PARAM:LO..HI  let a controller (0 to 119, or pressure) move PARAM; with :pickup behind it does nothing\n"
    "                                until it has come to where PARAM is; or a file of such lines; may be repeated\n"
    "        --tuning NAME|N-edo|FILE.scl, --keymap FILE.kbm, --a4 HZ   meantone, 31-edo, ...; equal steps at 440 Hz\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N, or all; default all but 10 (drums)\n"
    "        --tempo F               2 is twice as fast, 0.1 to 10\n"
    "        --drive IN.wav          this sound, mixed to one channel, shakes the hammers of the keys that the song holds;\n"
    "                                without a song the middle key, for as long as it lasts (--transpose moves it);\n"
    "                                without -i on an instrument that is made for it\n"
    "    -r, --rate HZ               8000 to 192000, default 48000\n"
    "    -b, --buffer FRAMES         16 to 8192; sounds the same\n"
    "\n"
    "File\n"
    "    -o, --output FILE|-|FOLDER  default: the song's name with the new ending, beside it;\n"
    "                                without a song IN-driven.wav, beside IN.wav\n"
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
    "        --strict                a damaged song is an error; else what can be read is played\n"
    "    -j, --jobs JOBS             songs at a time\n"
    "        --progress auto|always|never\n"
    "    -q, -v, -vv, --log-file FILE, --json\n";

static const char midi_text[] =
    "hertzian midi monitor [options]\n"
    "hertzian midi learn PARAM[:LO..HI] [options]\n"
    "\n"
    "monitor writes what comes in, in words, until Ctrl-C. learn waits for a controller that is moved, writes the --bind that\n"
    "lets it move PARAM, and keeps it in a file that play, record and render read unless --bind is given to them:\n"
    "$XDG_CONFIG_HOME/hertzian/controllers. Bank select, pedals and mode messages are left what they are.\n"
    "\n"
    "    -m, --midi NAME[#N]         any part of an input's name, all or none; may be repeated; default all\n"
    "        --midi-raw PATH|-       a stream of MIDI bytes; may be repeated\n"
    "        --duration SEC          end by itself\n"
    "    -i, --instrument NAME|FILE  learn: whose parameter; default any of the installed instruments\n"
    "    -o, --output FILE           learn: where to keep it\n"
    "        --force                 learn: bind controllers 0, 32 and 64 to 67, too\n"
    "        --json                  monitor: a line for each event, for programs\n";

static const char instruments_text[] =
    "hertzian instruments [list|show NAME|validate FILE...] [--json]\n"
    "hertzian instruments schema|reference|parameters [--json]\n"
    "\n"
    "    list            what is installed (also without a word)\n"
    "    show NAME       its range, its parameters for -s, its controllers\n"
    "    validate FILE   all faults of instrument files, each with its line and column\n"
    "    schema          JSON Schema of instrument files, for editors\n"
    "    reference       every property of instrument files, as Markdown; with --json the schema\n"
    "    parameters      every parameter, as Markdown or JSON\n"
    "\n"
    "    -q, -v, -vv, --log-file FILE\n";

static const char bench_text[] = "hertzian bench [-i NAME|FILE] [-r HZ] [--plot F.png|svg] [--json]\n"
                                 "\n"
                                 "Measures this machine: modes, contacts, and a whole instrument, against a reference kernel.\n"
                                 "\n"
                                 "    --plot F.png|svg  draw the cost against the number of ringing keys (needs gnuplot)\n"
                                 "    -q, -v, -vv, --log-file FILE\n";

static const char lab_text[] =
    "hertzian lab list [--json]\n"
    "hertzian lab run NAME...|all [--out F.csv|-] [--plot F.png|svg] [--json]\n"
    "hertzian lab impact ...                       see hertzian --help=impact\n"
    "\n"
    "    list    the papers' experiments, one per table and figure, and the solvers\n"
    "    run     run them: what the paper prints, what we measure, the difference, whether it agrees\n"
    "    impact  throw a hammer at a wall or at a key and measure\n"
    "\n"
    "    -o, --out F.csv|-     all numbers of one experiment; - is standard output\n"
    "        --plot F.png|svg  draw one experiment with gnuplot; without it the numbers go to --out or F.png.csv\n"
    "        --json            a summary for programs on standard output\n"
    "        --progress auto|always|never\n"
    "    -q, -v, -vv, --log-file FILE\n"
    "\n"
    "A finding that differs from the paper's by more than allowed is said on standard error; the exit code stays 0.\n";

static const char impact_text[] =
    "hertzian lab impact --mass KG --stiffness K --exponent A --viscosity MU --speed V\n"
    "hertzian lab impact --csv IN.csv|-\n"
    "hertzian lab impact -i NAME|FILE --key N [--velocity 1..127]\n"
    "\n"
    "Throws a hammer at a rigid wall, or at a key of an instrument, from every entry phase of a sample, and measures contact\n"
    "time, rebound, compression, peak force, spectral centroid of the force and energy account, against the closed form\n"
    "where there is one. With -i the key's own hammer at that velocity; other flags override what it says. A unison is\n"
    "struck as one of its strings, by that string's share of the hammer.\n"
    "\n"
    "    --mass KG             1e-9 to 1e6\n"
    "    --stiffness K         newtons per metre^A, 1e-12 to 1e60\n"
    "    --exponent A          1 to 4, default 1.5 (two smooth solids)\n"
    "    --viscosity MU        seconds per metre, 0 to 1e6, default 0\n"
    "    --speed V             metres per second, 1e-9 to 1e4\n"
    "    --law LAW             hunt-crossley, or stulov: felt that relaxes, with\n"
    "    --hysteresis EPS      the share of its force that relaxes, 0 to 0.999, default 0.5, and\n"
    "    --relaxation TAU      the time that takes, 1e-7 to 1 seconds, default 1e-4\n"
    "    --csv IN.csv|-        a table with the columns mass_kg, stiffness_N_per_m_alpha, mu_s_per_m, alpha and\n"
    "                          v_in_m_per_s in any order, others are ignored; - is standard input\n"
    "    -i, --instrument NAME|FILE, --key N, --velocity V   a key from 0 to 127, velocity 100 unless told\n"
    "    --at X                where on the key's body, a fraction of its length\n"
    "    --solver NAME         the house's unless told; an unknown name lists them\n"
    "    --rate HZ             sample rate, 1000 to 1000000, default 48000\n"
    "    --phases N            entry phases k/N of a sample, 1 to 4096, default 20\n"
    "    --plot F.png|svg      the force over time, one phase, beside the closed form (needs gnuplot)\n"
    "    --json                an array of objects, one per impact\n"
    "    -q, -v, -vv, --log-file FILE\n"
    "\n"
    "A solver that cannot represent an impact says so in its row and goes on with the next.\n";

static const char devices_text[] =
    "hertzian devices [audio|midi]\n"
    "\n"
    "Lists audio outputs and inputs and MIDI inputs; * marks what is used when nothing is given. A device that another\n"
    "program holds shows who that is.\n"
    "\n"
    "        --json          an object with the arrays \"audio\", \"audio_in\" and \"midi\" instead of a table\n"
    "    -q, -v, -vv, --log-file FILE\n";

const char* htz_help_text(const char* topic) {
  static const struct {
    const char* topic;
    const char* text;
  } texts[] = {
      {"midi", midi_text},
      {"play", play_text},
      {"record", play_text},
      {"render", render_text},
      {"instruments", instruments_text},
      {"devices", devices_text},
      {"bench", bench_text},
      {"lab", lab_text},
      {"impact", impact_text},
  };
  for (size_t i = 0; topic && i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(topic, texts[i].topic) == 0) {
      return texts[i].text;
    }
  }
  return topic && topic[0] ? NULL : main_text;
}

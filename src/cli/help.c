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
    "    hertzian midi monitor|dump SONG|learn PARAM events in words; bind a controller\n"
    "    hertzian try|level NAME|FILE                hear and measure an instrument; even gains\n"
    "    hertzian history list|render|clear          MIDI of everything that was played\n"
    "    hertzian repair FILE.wav                    fix a header that a crash left behind\n"
    "    hertzian ctl CMD...                         ask the hertzian that plays: status, panic, ...\n"
    "    hertzian check [-i NAME]                    will it work here, and what to do if not\n"
    "    hertzian bench [-i NAME]                    how fast this machine is\n"
    "    hertzian lab list|run NAME|impact           the papers' experiments, and any impact, measured\n"
    "    hertzian --help=COMMAND, --version\n"
    "\n"
    "Examples\n"
    "    hertzian -i marimba                         play it; Ctrl-C ends\n"
    "    hertzian song.mid                           hear it; space pauses\n"
    "    hertzian record take.wav -m keystation\n"
    "    hertzian render song.mid                    writes song.wav beside it\n"
    "    hertzian render *.mid -o folder -j 2 --normalize\n"
    "    cat song.mid | hertzian render - -o - | aplay\n"
    "\n"
    "Options of most commands (hertzian --help=play, --help=render have them all)\n"
    "    -i, --instrument NAME|FILE  what plays; see hertzian instruments\n"
    "    -s, --set PARAM=VALUE       change the instrument; see hertzian instruments show NAME\n"
    "    -g, --gain DB               louder or quieter\n"
    "    -r, --rate HZ               sample rate; live the device's own, else 48000\n"
    "    -o, --output FILE|-|FOLDER  where to; the ending decides the format\n"
    "    -c, --config FILE           settings; default ~/.config/hertzian/config\n"
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
    "        --start SEC             programs, pedals and controllers are as by then; earlier notes are not struck\n"
    "        --end SEC               the song ends here, held notes are released\n"
    "        --tempo F               2 is twice as fast, 0.1 to 10; --start and --end go by what is heard\n"
    "        --loop                  again and again, without a gap; several songs in turn\n"
    "        --dialled on|off        off: without what was dialled in for a take\n"
    "        --strict                a damaged song is an error; else it is played as far as it goes\n"
    "    Keys, on a terminal: space pauses and goes on, b back to the beginning, n the next song; ? says them all.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument [CH:]NAME  plays everything, or a channel; program changes are ignored there\n"
    "        --layer, --split        see hertzian --help=parts\n"
    "    -s, --set PARAM=VALUE       hertzian instruments show NAME lists them; room=0: dry\n"
    "        --human 0..1            0: all strokes alike\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --limiter on|off        hold peaks below -1 dBFS (on); says when it acts\n"
    "        --transpose N           semitones\n"
    "        --tuning, --keymap, --a4, --mpe, --bind   see hertzian --help=midi\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N; default all; with -i of songs all but 10\n"
    "        --input NAME|file:NAME  an audio input, or a sound file, shakes the hammers of the keys that are held; its\n"
    "                                first channel; without -i on an instrument that is made for it\n"
    "\n"
    "Devices\n"
    "    -a, --audio NAME            any part of a device's name, with alsa: or jack: before it if wanted;\n"
    "                                null: no device, in real time all the same\n"
    "        --channels A[,B]        outputs for left and right; one alone: their mean\n"
    "    -m, --midi NAME[#N]         any part of an input's name, all, none, alsa or jack (own ports); default all\n"
    "        --midi-raw PATH|-       a stream of MIDI bytes: FIFO, device file, - standard input; may be repeated\n"
    "    -r, --rate HZ|auto          8000 to 192000, default: the device's own\n"
    "    -b, --buffer FRAMES         a power of two from 16 to 8192, default 128\n"
    "        --midi-delay constant|asap  constant: a buffer later, as spaced; asap: at once\n"
    "        --no-active-sensing     keep the notes of a keyboard that falls silent\n"
    "        --pedal normal|inverted|auto  sustain pedals; auto: inverted when the first value is 0\n"
    "        --no-hotplug            keep to the inputs that are there at the start\n"
    "        --require-midi          no MIDI input is an error\n"
    "        --wait[=SEC]            wait for an audio device\n"
    "        --rt PRIORITY|off       real-time priority, 1 to 99\n"
    "\n"
    "Recording\n"
    "        --record FILE           sound and, beside it, MIDI of what is played; never overwrites\n"
    "        --record-midi, --takes, --preroll, --record-by, --mark-by, --history   see hertzian --help=record\n"
    "\n"
    "Working\n"
    "        --duration SEC          end by itself; else when input and songs have ended and all is silent, or by signal\n"
    "        --fail-on xrun,clip     exit with 6 when that has happened; clip: beyond full scale before the limiter\n"
    "        --stats                 a summary for programs on standard output\n"
    "        --control[=PATH]        let hertzian ctl ask for things, over a socket for this user alone; none unless asked\n"
    "        --osc PORT              OSC on this UDP port of the loopback; --osc-bind ADDR: of another address\n"
    "    -q, -v, -vv, --log-file FILE, --json\n"
    "\n"
    "Signals: INT and TERM end it, HUP reads -i again and records on in a new file, USR1 begins or ends a recording,\n"
    "USR2 silences everything.\n";

static const char render_text[] =
    "hertzian render [options] SONG.mid...\n"
    "hertzian render [options] --drive IN.wav [SONG.mid...]\n"
    "\n"
    "Renders Standard MIDI Files to audio, faster than real time. - is standard input.\n"
    "Without -i, program changes choose among the installed instruments, the piano by default.\n"
    "\n"
    "Sound\n"
    "    -i, --instrument [CH:]NAME  plays everything, or a channel; program changes are ignored there\n"
    "        --layer, --split        see hertzian --help=parts\n"
    "    -s, --set PARAM=VALUE       may be repeated; hertzian instruments show NAME lists them; room=0 takes away the room\n"
    "        --human 0..1            0: all strokes alike\n"
    "    -g, --gain DB               -96 to 48\n"
    "        --transpose N           semitones\n"
    "        --tuning, --keymap, --a4, --mpe, --bind   see hertzian --help=midi\n"
    "        --velocity CURVE        linear, soft, hard, fixed=N or curve=IN:OUT,IN:OUT...\n"
    "        --channel N|omni        only channel N, or all; default all; with -i all but 10\n"
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
    "        --stems channel         a file for each channel, NAME-ch01.wav and so on; together they are the whole\n"
    "        --normalize[=DBFS]      bring the peak to -1 dBFS, or to this\n"
    "        --loudness LUFS         bring the loudness of the whole (BS.1770) to this; broadcast has -23, streams -14\n"
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
    "        --dialled on|off        off: without what was dialled in for a take\n"
    "        --strict                a damaged song is an error; else what can be read is played\n"
    "        --dry-run               render nothing: with -v or --json say which instrument plays what, and how many notes\n"
    "    -j, --jobs JOBS             songs at a time\n"
    "        --progress auto|always|never\n"
    "    -q, -v, -vv, --log-file FILE, --json\n";

static const char midi_text[] =
    "hertzian midi monitor [options]\n"
    "hertzian midi dump SONG.mid [--json]\n"
    "hertzian midi learn PARAM[:LO..HI] [options]\n"
    "\n"
    "monitor writes what comes in, in words, until Ctrl-C; dump what is in a song. learn waits for a controller that is\n"
    "moved, writes the --bind that lets it move PARAM, and keeps it in a file that play, record and render read unless\n"
    "--bind is given to them:\n"
    "$XDG_CONFIG_HOME/hertzian/controllers. Bank select, pedals and mode messages are left what they are.\n"
    "\n"
    "    -m, --midi NAME[#N]         any part of an input's name, all, none, or alsa (a port of its own); default all\n"
    "        --midi-raw PATH|-       a stream of MIDI bytes; may be repeated\n"
    "        --duration SEC          end by itself\n"
    "    -i, --instrument NAME|FILE  learn: whose parameter; default any of the installed instruments\n"
    "    -o, --output FILE           learn: where to keep it\n"
    "        --force                 learn: bind controllers 0, 32 and 64 to 67, too\n"
    "        --json                  monitor, dump: a line for each event, for programs\n"
    "\n"
    "What play, record and render know of it, too\n"
    "        --bind CC=PARAM:LO..HI  let a controller (0 to 119, or pressure) move PARAM; with :pickup behind it does nothing\n"
    "                                until it has come to where PARAM is; or a file of such lines; may be repeated\n"
    "        --mpe[=lower|upper]     MPE: a note on each channel but the first, or the last, has its own bend, pressure and\n"
    "                                timbre; for keyboards that do not say so; --mpe-bend N: semitones, 48 unless told\n"
    "        --tuning NAME|N-edo|FILE.scl, --keymap FILE.kbm, --a4 HZ   meantone, 31-edo, ...; equal steps at 440 Hz\n";

static const char try_text[] =
    "hertzian try NAME|FILE\n"
    "\n"
    "Plays a few notes of an instrument, two seconds each, and prints of each its peak, the loudness of its loudest 400 ms\n"
    "(BS.1770), the centroid of its first 80 ms, how long it takes to fall by 60 dB, and the pitch of its first partial,\n"
    "beside equal temperament. A dash: there is no answer, as of how long a bowed note lasts.\n"
    "\n"
    "        --keys K,K,...        numbers or names, C4 is 60; default: the middle of the range and its quarter points\n"
    "        --velocity V,V,...    default 40,100\n"
    "    -s, --set PARAM=VALUE     as for play\n"
    "    -o, --output FILE         write the notes to a WAV file, and do not play them\n"
    "    -a, --audio NAME          play them there; default: the usual device, if there is one\n"
    "        --plot F.png|svg      draw the last of them: spectrogram, and the decay of its partials beside what the struck\n"
    "                              body does alone (needs gnuplot)\n"
    "    -r, --rate HZ             8000 to 192000, default 48000\n"
    "        --json                an object instead of the table\n"
    "    -q, -v, -vv, --log-file FILE\n";

static const char level_text[] =
    "hertzian level NAME|FILE\n"
    "\n"
    "Plays every key at velocity 80, dry, and prints a gain table for each pickup, or where there is none for each drive of\n"
    "the shared board, to be put in the place of its gain: with them all keys are as loud as the middle one, which at\n"
    "velocity 127 then peaks at -16 dBFS. A point every six keys; what that leaves over is said.\n"
    "\n"
    "        --json          loudness and correction of every key\n"
    "    -q, -v, -vv, --log-file FILE\n";

static const char ctl_text[] = "hertzian ctl [--control=PATH] COMMAND [--json]\n"
                               "\n"
                               "Asks the hertzian that plays, if it was started with --control, which its user alone may use.\n"
                               "\n"
                               "    status              what plays, on what, how much of the machine it takes\n"
                               "    panic               silence everything, at once\n"
                               "    instrument NAME|FILE [CHANNEL]  play it from now on; old notes ring on\n"
                               "    set PARAM=VALUE     change a parameter of everything that has it\n"
                               "    save NAME           keep what is played now as a performance, for -i NAME\n"
                               "    record start|stop   a recording with the date in its name\n"
                               "    devices [audio|midi]  what is there now, as hertzian devices has it\n"
                               "    reset-audio         close the audio device and open it again\n"
                               "    quit                end it as Ctrl-C does\n"
                               "\n"
                               "        --control=PATH  of its socket; default $XDG_RUNTIME_DIR/hertzian.sock\n"
                               "        --json          the answer for programs\n"
                               "    -q, -v, -vv, --log-file FILE\n"
                               "\n"
                               "Exit codes: 0 done, 2 no such command, 3 no hertzian listens there, or what the command met.\n";

static const char check_text[] =
    "hertzian check [-i NAME|FILE] [-b FRAMES] [-r HZ] [--json]\n"
    "\n"
    "Looks at what playing live needs: real-time priority, memory that is not swapped out, the processors' governor,\n"
    "an audio output, a MIDI input; and plays ten-note chords on the instrument (the piano unless told), unheard, to see\n"
    "whether this machine is fast enough. What is not as it should be has a ! and a line on what to do.\n"
    "\n"
    "    -c FILE, -q, -v, -vv, --log-file FILE\n"
    "\n"
    "Exit codes: 0 it can be played, 3 there is no audio output, 4 no such instrument.\n";

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

static const char parts_text[] =
    "Several instruments, in play, record and render\n"
    "\n"
    "    -i NAME|FILE                one instrument, or a performance file, for everything\n"
    "    -i CH:NAME|FILE             for one channel, 1 to 16; may be repeated\n"
    "    --layer [CH:]NAME[,WORD=..]...  another instrument with them:\n"
    "        keys=LOW-HIGH           on these keys only: numbers, or names (C4 is 60)\n"
    "        velocity=LOW-HIGH       at these velocities only\n"
    "        transpose=N             semitones, -96 to 96\n"
    "        level=DB                -96 to 24\n"
    "        pan=X                   -1 left to 1 right\n"
    "    --split [CH:]NAME:KEY       another for the keys below KEY\n"
    "    --split KEY:NAME            another for KEY and above; splits of one side share it, the outer ones outside\n"
    "\n"
    "A performance file keeps it all: in ~/.config/hertzian/performances it goes by its name. hertzian instruments lists "
    "them.\n"
    "\n"
    "    hertzian -i piano --split bass-electric:C3 --layer vibraphone,level=-6\n"
    "    hertzian render song.mid -i marimba -i 3:cello\n"
    "    hertzian -i bass-and-piano\n";

static const char record_text[] =
    "hertzian record [options] [FILE]\n"
    "hertzian play --record FILE [options] [SONG.mid...]\n"
    "\n"
    "Plays, and writes what is heard: before the limiter, as 32-bit float WAV (RF64 past 4 GiB), or as 24-bit FLAC where the\n"
    "name ends in .flac. The MIDI of a take is beside it, under its name with .mid. Without FILE the name has the date in it;\n"
    "one that is there already gets -2, -3 and so on.\n"
    "\n"
    "Files\n"
    "        --record-midi FILE      all that was played, one tick a frame: rendered, it gives the recording again\n"
    "        --takes FOLDER          where takes go whose names say no folder\n"
    "        --preroll SEC           takes that are begun later have what was played just before, up to 300\n"
    "        --split LENGTH          go on in a new file after 90 (seconds), 30m or 1h; no sample is lost between\n"
    "        --record-by CC          this controller, pressed, begins or ends a take; --mark-by CC names a place in it\n"
    "        --history on|off|MIB    keep the MIDI of all that is played (on), or how much; see hertzian --help=history\n"
    "    All other options are those of play, see hertzian --help=play.\n"
    "\n"
    "Signals: HUP goes on in a new file, USR1 begins or ends a take, INT and TERM finish the files and end.\n"
    "A file that a crash left is put right by hertzian repair.\n";

static const char history_text[] =
    "hertzian history [list]\n"
    "hertzian history render [last|N|NAME|FILE.mid] [options of render]\n"
    "hertzian history clear\n"
    "\n"
    "Everything that is played is kept as MIDI in $XDG_STATE_HOME/hertzian/history (~/.local/state), with what it was\n"
    "played on. list shows it, the last one as number 1; clear removes it but for what is being played.\n"
    "Of more than 256 MiB (play --history MIB) the oldest performances go, whole, and never what was played in the last\n"
    "24 hours; list says so.\n"
    "\n"
    "render makes sound of it again, with the instrument, settings and rate that it was played with: the same, sample for\n"
    "sample. Options of render overrule them; the file goes into this folder unless -o says another. It takes the MIDI\n"
    "beside a take, too.\n"
    "\n"
    "        --json          list: an array\n"
    "    -q, -v, -vv, --log-file FILE\n";

static const char repair_text[] =
    "hertzian repair FILE.wav...\n"
    "\n"
    "Makes the header of a WAV or RF64 file say what is there, whatever program was ended while it wrote it. Files whose\n"
    "header is true stay as they are.\n"
    "\n"
    "    -q, -v, -vv, --log-file FILE\n";

static const char completion_text[] =
    "hertzian completion bash|zsh|fish|man\n"
    "\n"
    "Prints what completes the command line in that shell, or the manual page, from the flags as this program knows them.\n"
    "\n"
    "    hertzian completion bash > ~/.local/share/bash-completion/completions/hertzian\n"
    "    hertzian completion zsh > ~/.zfunc/_hertzian          (a folder of fpath)\n"
    "    hertzian completion fish > ~/.config/fish/completions/hertzian.fish\n"
    "    hertzian completion man | man -l -\n";

const char* htz_help_text(const char* topic) {
  static const struct {
    const char* topic;
    const char* text;
  } texts[] = {
      {"midi", midi_text},
      {"play", play_text},
      {"record", record_text},
      {"render", render_text},
      {"history", history_text},
      {"repair", repair_text},
      {"ctl", ctl_text},
      {"check", check_text},
      {"try", try_text},
      {"level", level_text},
      {"instruments", instruments_text},
      {"devices", devices_text},
      {"bench", bench_text},
      {"lab", lab_text},
      {"impact", impact_text},
      {"parts", parts_text},
      {"completion", completion_text},
  };
  for (size_t i = 0; topic && i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(topic, texts[i].topic) == 0) {
      return texts[i].text;
    }
  }
  return topic && topic[0] ? NULL : main_text;
}

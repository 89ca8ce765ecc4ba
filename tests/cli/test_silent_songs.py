"""A song that holds notes never comes out without any: exit 4 or 2, one line with the remedy, no file. And how a song is let go."""

import os
import random
import sys

sys.dont_write_bytecode = True
from support import Case, INPUT, RATE, Sound, USAGE, main, notes, run, smf, tick_of  # noqa: E402
from damage import Song  # noqa: E402

MARIMBA = ("-i", "marimba", "-r", "8000")


class Silent(Case):
    def refuse(self, song, code, *args, words=()):
        self.one_error(run("render", song, *MARIMBA, *args), code, os.path.basename(song), *words)
        self.nothing_written(os.path.basename(song))

    def test_drums_alone(self):
        song = self.write("drums.mid", smf([notes([(0.0, 60, 100, 0.2), (0.2, 62, 100, 0.2)], 9)]))
        self.refuse(song, INPUT, words=("2 on channel 10", "--channel omni"))
        self.render(song, *MARIMBA, "-q", "--channel", "omni")
        self.render(song, *MARIMBA, "-q", "--channel", "10")

    def test_another_channel(self):
        song = self.write("two.mid", smf([notes([(0.0, 60, 100, 0.2)], 1), notes([(0.0, 62, 100, 0.2)], 4)]))
        self.refuse(song, INPUT, "--channel", "7", words=("none on channel 7", "has them on 2, 5"))
        self.render(song, *MARIMBA, "-q", "--channel", "5")

    def test_beyond_the_keyboard(self):
        song = self.song(spec=((0.0, 100, 100, 0.2),))
        self.refuse(song, INPUT, "--transpose", "50", words=("1 beyond the keyboard", "--transpose 50"))

    def test_no_such_key(self):
        # 8 kHz hold no partial of the instrument's last key.
        song = self.song(spec=((0.0, 108, 100, 0.2),))
        self.one_error(run("render", song, "-i", "glockenspiel", "-r", "8000"), INPUT, "song.mid", "none of its notes")
        self.nothing_written("song.mid")

    def test_before_the_first_note(self):
        song = self.song(spec=((2.0, 60, 100, 0.2), (3.0, 60, 100, 0.2)))
        self.refuse(song, USAGE, "--end", "1", words=("2 after --end",))
        self.refuse(song, USAGE, "--start", "0.5", "--end", "1", words=("2 after --end",))
        self.render(song, *MARIMBA, "-q", "--end", "2.5")

    def test_between_two_notes(self):
        song = self.song(spec=((0.0, 90, 100, 0.2), (20.0, 60, 100, 0.2)))
        self.refuse(song, USAGE, "--start", "15", "--end", "16", "--tail", "none", words=("--start and --end",))
        self.render(song, *MARIMBA, "-q", "--start", "0.1", "--end", "16", "--tail", "none")

    def test_some_reasons_at_once(self):
        song = self.write("all.mid", smf([notes([(0.0, 60, 100, 0.2)], 9), notes([(0.0, 110, 100, 0.2)], 0)]))
        self.refuse(song, INPUT, "--transpose", "30", words=("1 on channel 10", "1 beyond the keyboard"))

    def test_nothing_left_of_a_damaged_song(self):
        song = Song(random.Random(1), running=False)
        song.tracks[1:] = [[(b"\x00", b"\xf0\x90\x90\x90\x90")]]
        self.refuse(self.write("lost.mid", song.bytes(song.bodies(b""))), INPUT, words=("breaks off", "there is no note in what can be read"))

    def test_no_tail_and_no_length(self):
        song = self.write("at_once.mid", smf([[(0, b"\x90\x3c\x64"), (0, b"\x80\x3c\x40")]]))
        self.refuse(song, INPUT, "--tail", "none", words=("none of its notes is heard",))
        self.render(song, *MARIMBA, "-q")

    def test_a_song_without_notes_says_so(self):
        song = self.write("none.mid", smf([[(0, b"\x90\x3c\x00"), (tick_of(0.5), b"\xb0\x07\x40")]]))
        result = self.render(song, *MARIMBA)
        self.assertIn("warning: there is no note in it, silence", result.err)

    def test_in_a_folder_of_songs_the_others_are_rendered(self):
        drums = self.write("drums.mid", smf([notes([(0.0, 60, 100, 0.2)], 9)]))
        result = run("render", drums, self.song(), *MARIMBA, "-q")
        self.one_error(result, INPUT, "drums.mid")
        self.nothing_written("drums.mid", "song.mid", "song.wav")


class LetGo(Case):
    def body(self, name, events, *args):
        song = self.write(name, smf([events]))
        self.render(song, "-q", "-e", "f32", "-i", "piano", "-r", "22050", "--tail", "3", *args)
        return Sound(self.read(name[:-4] + ".wav")).samples()

    def held(self, cc, lifted):
        """A key struck, then a pedal; the key is released under it, and at the end the pedal is lifted by the song or it is not."""
        press, up = bytes([0xB0, cc, 127]), bytes([0xB0, cc, 0])
        events = [(0, b"\x90\x3c\x64"), (tick_of(0.1), press), (tick_of(0.2), b"\x80\x3c\x40")]
        end = tick_of(0.5)
        return events + ([(end, up)] if lifted else []) + [(end, b"\xff\x2f\x00")]

    def test_pedals_left_down_are_lifted(self):
        for cc in (64, 66):
            with self.subTest(cc=cc):
                self.assertEqual(self.body("left.mid", self.held(cc, False)), self.body("lifted.mid", self.held(cc, True)))

    def test_so_the_sound_ends(self):
        samples = self.body("left.mid", self.held(64, False))
        second = 2 * 22050
        self.assertLess(max(map(abs, samples[2 * second:])), 0.02 * max(map(abs, samples[second // 4:second // 2])))

    def test_a_song_cut_off_lets_its_pedals_go_there(self):
        whole = self.held(64, False)
        cut = self.body("cut.mid", whole[:-1] + [(tick_of(2.0), b"\x90\x40\x40")] + [(tick_of(2.5), b"\xff\x2f\x00")], "--end", "0.5")
        self.assertEqual(cut, self.body("left.mid", whole))

    def test_a_pedal_on_a_channel_that_is_not_played_moves_no_end(self):
        song = self.write("other.mid", smf([notes([(0.0, 60, 100, 0.25)]) + [(tick_of(0.25), b"\xb9\x40\x7f"),
                                                                           (tick_of(1.0), b"\xff\x2f\x00")]]))
        self.render(song, "-q", "--tail", "none", "-i", "marimba")
        self.assertEqual(Sound(self.read("other.wav")).frames, RATE // 4)


if __name__ == "__main__":
    main()

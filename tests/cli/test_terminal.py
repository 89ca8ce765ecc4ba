"""On a terminal: a status line that never wraps, keys, nothing echoed, the terminal as it was at every exit."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
from live import SLOW  # noqa: E402
from support import Case, DONE, PROGRAM, USAGE, main, run  # noqa: E402


class Terminal:
    """The program on a pseudo terminal of a given width, its folder the test's."""

    def __init__(self, case, *args, columns=80, env=None, instrument="glockenspiel"):
        self.case = case
        self.screen, self.line = pty.openpty()
        self.resize(columns)
        self.before = termios.tcgetattr(self.line)
        self.said = b""
        self.process = subprocess.Popen([PROGRAM, "play", "-a", "null", "-m", "none", "-i", instrument, *args], stdin=self.line,
                                        stdout=subprocess.DEVNULL, stderr=self.line, cwd=case.folder,
                                        env=dict(os.environ, **(env or {})), start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        case.addCleanup(self.close)

    def resize(self, columns):
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self, seconds=0.0, until=None):
        end = time.monotonic() + (seconds or 30.0) * SLOW
        while time.monotonic() < end:
            if select.select([self.screen], [], [], 0.05)[0]:
                try:
                    self.said += os.read(self.screen, 65536)
                except OSError:
                    return
            if until and re.search(until, self.said.decode(errors="replace")):
                return
        if until:
            self.case.fail(f"{until!r} was not said: {self.said!r}")

    def type(self, keys):
        os.write(self.screen, keys)

    def end(self, code=DONE):
        self.case.assertEqual(self.process.wait(20 * SLOW), code)
        self.read(0.2)
        self.case.assertEqual(termios.tcgetattr(self.line), self.before)
        return self.said.decode(errors="replace")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.screen)
        os.close(self.line)


STATUS = r"ringing  load"


class OnATerminal(Case):
    def test_the_status_line_fits(self):
        for columns in (20, 41, 80, 200):
            with self.subTest(columns=columns):
                t = Terminal(self, columns=columns)
                t.read(until=r"\r *\d+ ringing")
                t.read(0.5)
                t.type(b"q")
                text = t.end()
                shown = [part for part in re.split(r"[\r\n]", text) if re.match(r" *\d+ ringing", part)]
                self.assertGreater(len(shown), 2)
                self.assertLess(max(len(part) for part in shown), columns)

    def test_narrower_while_it_plays(self):
        t = Terminal(self, columns=80)
        t.read(until=STATUS)
        t.resize(30)
        t.read(1.5)
        t.said = b""
        t.read(0.5)
        for part in re.split(r"[\r\n]", t.said.decode()):
            self.assertLess(len(part), 30)
        t.type(b"q")
        t.end()

    def test_what_is_typed_is_not_shown(self):
        t = Terminal(self)
        t.read(until=STATUS)
        t.said = b""
        t.type(b"wzw\n")
        t.read(0.5)
        self.assertNotIn("wzw", t.said.decode())
        self.assertNotIn("\n", t.said.decode())
        t.type(b"q")
        t.end()

    def test_keys(self):
        t = Terminal(self, "--record-midi", "a.mid", columns=200)
        t.read(until=STATUS)
        t.type(b" ")
        t.read(until="silence")
        t.type(b"?")
        t.read(until="keys: q ends")
        t.read(until="digits: 1 glockenspiel, 2 ")
        t.type(b"\x1b[B")
        t.read(until=r"  level 0 ")
        t.type(b"\x1b[B")
        t.read(until=r"  (width|tune) ")
        t.type(b"r")
        t.read(until="  rec")
        t.read(0.3)
        t.type(b"r")
        t.read(until=r"\.wav")
        t.type(b"q")
        text = t.end()
        self.assertIn("played 0:", text)
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.endswith(".wav")]), 1)

    def test_the_terminal_comes_back(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGABRT):
            t = Terminal(self)
            t.read(until=STATUS)
            self.assertNotEqual(termios.tcgetattr(t.line), t.before)
            t.process.send_signal(number)
            t.end(DONE if number in (signal.SIGINT, signal.SIGTERM) else -number)

    def test_completions_and_the_manual(self):
        for kind in ("bash", "zsh", "fish", "man"):
            text = run("completion", kind).out.decode()
            for word in ("render", "loudness", "layer", "instrument"):
                self.assertIn(word, text, kind)
        script = self.write("bash", run("completion", "bash").out)
        told = subprocess.run(["bash", "-c", f"source {script}; COMP_WORDS=(hertzian render --norm); COMP_CWORD=2; _hertzian; "
                               "echo \"${COMPREPLY[@]}\""], capture_output=True, check=False)
        self.assertEqual(told.stdout.split(), [b"--normalize"], told.stderr)
        self.one_error(run("completion", "csh"), USAGE, "bash, zsh, fish")

    def test_unknown_flags_come_first(self):
        for args, word in ((("--tune", "442"), "--tune"), (("-y", "3", "play"), "-y"), (("--wibble=1", "wobble"), "--wibble"),
                           (("-q", "--tunning", "5"), "did you mean --tuning?")):
            self.one_error(run(*args), USAGE, "unknown flag", word)
        self.one_error(run("442"), USAGE, "442: unknown command")


if __name__ == "__main__":
    main()

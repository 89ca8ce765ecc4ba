#!/usr/bin/env python3
"""`hertzian check`: what it finds, what it advises, and that the machine's speed decides."""

import json
import os

from support import DONE, INPUT, USAGE, Case, main, run

DEVICE = 3
QUIET = {"JACK_DEFAULT_SERVER": "hertzian-test-nobody", "JACK_NO_START_SERVER": "1"}


class Check(Case):
    def check(self, *args, **more):
        result = run("check", *args, env=QUIET, **more)
        self.assertIn(result.code, (DONE, DEVICE), result.err)
        self.assertEqual(result.err, "")
        return result

    def test_every_row_and_advice_where_it_is_wanted(self):
        result = self.check("-i", "glockenspiel", "--json")
        found = json.loads(result.out)
        rows = {row["what"]: row for row in found["checks"]}
        self.assertEqual(list(rows), ["real-time priority", "locked memory", "processor speed", "audio output", "MIDI input", "speed"])
        self.assertEqual(result.code, DONE if rows["audio output"]["ok"] else DEVICE)
        for row in found["checks"]:
            self.assertTrue(row["found"])
            self.assertTrue(row["ok"] or row["advice"], row)
        self.assertGreater(found["load_worst"], found["load_mean"])
        self.assertGreater(found["load_mean"], 0.0)
        text = self.check("-i", "glockenspiel").out.decode()
        for what, row in rows.items():
            self.assertIn(what, text)
            if row["advice"] and what != "speed":
                self.assertIn(row["advice"], text)

    def test_more_work_is_more_load(self):
        def least(*args):  # of some: what others do on the machine only ever adds
            return min(json.loads(self.check(*args, "--json").out)["load_mean"] for _ in range(2))

        cheap, dear, double = least("-i", "glockenspiel"), least("-i", "piano"), least("-i", "glockenspiel", "-r", "96000")
        self.assertGreater(dear, 3 * cheap)
        self.assertGreater(double, 1.3 * cheap)

    def test_without_real_time_rights_it_says_how_to_get_them(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        import resource
        import subprocess

        from support import PROGRAM

        def poor():
            resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        done = subprocess.run([PROGRAM, "check", "-i", "glockenspiel", "--json"], preexec_fn=poor, cwd="/", capture_output=True, check=False,
                              env=dict(os.environ, HOME="/nonexistent", **QUIET))
        rows = {row["what"]: row for row in json.loads(done.stdout)["checks"]}
        self.assertIn("limits.d", rows["real-time priority"]["advice"])
        self.assertIn("memlock", rows["locked memory"]["advice"])

    def test_what_cannot_be(self):
        self.one_error(run("check", "piano"), USAGE, "-i")
        self.one_error(run("check", "-i", "no such"), INPUT, "no such")
        self.one_error(run("check", "-b", "15"), USAGE, "16 to 8192")


if __name__ == "__main__":
    main()

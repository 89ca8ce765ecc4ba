"""hertzian lab impact: accuracy against the closed form, hammers from flags, tables and instruments, faults in one line each."""

import json
import math
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, OUTPUT, PROGRAM, SOURCE, USAGE, main, run  # noqa: E402

WALL = os.path.join(SOURCE, "tests", "fixtures", "impact", "wall.csv")
HEAD = "mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s\n"
HAMMER = ("--mass", "0.01", "--stiffness", "1e9", "--exponent", "1.5", "--viscosity", "0.5", "--speed", "1")


def impact(*args, stdin=None):
    return run("lab", "impact", *args, stdin=stdin)


def measured(*args, stdin=None):
    result = impact("--json", *args, stdin=stdin)
    assert result.code == DONE, result.err
    return json.loads(result.out)


def stiffness_for(mass, alpha, speed, duration):
    """Of a contact without loss that lasts so long: its length scale is x, tau = (2 x/v) sqrt(pi) Gamma(1+p)/Gamma(1/2+p)."""
    p = 1 / (alpha + 1)
    x = duration * speed / (2 * math.sqrt(math.pi) * math.gamma(1 + p) / math.gamma(0.5 + p))
    return (alpha + 1) * mass * speed ** 2 / 2 / x ** (alpha + 1)


class Accuracy(Case):
    def check_row(self, row):
        # What 32 to 64 steps per contact allow: the promise of docs/papers.md.
        for name, exact, limit in (("contact_time_s", "contact_time_exact_s", 2e-3),
                                   ("v_out_m_per_s", "v_out_exact_m_per_s", 2e-3), ("x_max_m", "x_max_exact_m", 5e-3)):
            for which in (name, name + "_worst"):
                self.assertLess(abs(row[which] / row[exact] - 1), limit, (row, which))
        self.assertLessEqual(row["steps_most"], row["steps_allowed"] + 0.5)
        self.assertLess(row["energy_defect_worst"], 1e-10)
        self.assertLess(row["energy_rise_worst"], 1e-12)
        # The greatest force of a step of 1/32 of the contact is below the peak by some (2 pi/32)^2/24 (alpha ...) of it.
        self.assertLess(abs(row["force_max_N"] / row["force_max_exact_N"] - 1), 2e-2)
        self.assertLess(abs(row["centroid_Hz_worst"] / row["centroid_exact_Hz"] - 1), 1e-2)
        self.assertEqual((row["note"], row["contacts"], row["surface"], row["solver"]), (None, 1, "wall", "house"))

    def test_the_reference_table(self):
        with open(WALL, encoding="ascii") as table:
            lines = table.read().splitlines()
        names = lines[0].split(",")
        truth = [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]
        rows = measured("--csv", WALL, "--rate", "44100", "--phases", "10")
        self.assertEqual(len(rows), len(truth))
        for row, line in zip(rows, truth):
            self.check_row(row)
            for name, exact in (("contact_time_s", "contact_time_exact_s"), ("v_out_m_per_s", "v_out_exact_m_per_s"),
                                ("x_max_m", "x_max_exact_m")):
                # The table has its stiffness to six digits only.
                self.assertLess(abs(row[exact] / line[name] - 1), 1e-6)

    def test_from_a_fiftieth_of_a_sample_to_thousands(self):
        text = HEAD
        for samples in (0.02, 0.3, 5.9, 4000):
            for alpha in (1, 1.5, 2.3, 3.2):
                for loss in (0, 0.3, 3):
                    speed = 0.05 * (1 + loss)
                    text += "0.004,%r,%r,%r,%r\n" % (stiffness_for(0.004, alpha, speed, samples / 44100), loss / speed, alpha, speed)
        rows = measured("--csv", "-", "--rate", "44100", "--phases", "5", stdin=text.encode())
        self.assertEqual(len(rows), 48)
        for row in rows:
            self.check_row(row)

    def test_long_contacts_are_bounded(self):
        long = "1,%r,0,1.5,1\n" % stiffness_for(1, 1.5, 1, 2e6 / 48000)
        longer = "1,%r,0,1.5,1\n" % stiffness_for(1, 1.5, 1, 2e7 / 48000)
        result = impact("--json", "--csv", "-", "--phases", "4096", stdin=(HEAD + long + longer).encode())
        self.assertEqual(result.code, DONE)
        rows = json.loads(result.out)
        self.assertLess(rows[0]["phases"], 4)
        self.assertLess(abs(rows[0]["contact_time_s"] / rows[0]["contact_time_exact_s"] - 1), 1e-6)
        self.assertIsNone(rows[1]["contact_time_s"])
        self.assertIn("lower rate", rows[1]["note"])
        self.assertEqual(len(result.lines), 1)
        self.assertIn("row 2", result.lines[0])


class Hammers(Case):
    def test_flags(self):
        row, = measured(*HAMMER, "--rate", "44100")
        self.assertEqual((row["mass_kg"], row["stiffness_N_per_m_alpha"], row["alpha"]), (0.01, 1e9, 1.5))
        self.assertLess(abs(row["contact_time_exact_s"] / 1.328982359e-4 - 1), 1e-9)
        text = impact(*HAMMER, "--rate", "44100").out.decode()
        self.assertRegex(text, r"contact time +132\.\d+ us +132\.8982 +\+0\.0\d+ % +\+0\.0\d+ %")
        self.assertRegex(text, r"steps: \d+ at most, \d+ allowed")

    def test_felt_that_relaxes(self):
        felt = ("--mass", "0.008", "--stiffness", "4e9", "--exponent", "2.5", "--speed", "2")
        soft, = measured(*felt, "--law", "stulov", "--hysteresis", "0.6", "--relaxation", "2e-4")
        same, = measured(*felt, "--law", "stulov", "--hysteresis", "0")
        hard, = measured(*felt)
        self.assertEqual(soft["law"], "stulov")
        self.assertEqual(same["v_out_m_per_s"], hard["v_out_m_per_s"])
        self.assertGreater(soft["contact_time_s"], 1.2 * hard["contact_time_s"])
        self.assertLess(abs(soft["v_out_m_per_s"]), 0.9 * 2)
        self.assertLess(soft["energy_defect_worst"], 1e-10)
        self.assertIsNone(soft["contact_time_exact_s"])

    def test_on_a_key(self):
        key = ("-i", "marimba", "--key", "60", "--velocity", "100")
        row, = measured(*key)
        self.assertEqual(row["surface"], "body")
        self.assertLess(row["energy_defect_worst"], 1e-10)
        self.assertTrue(0 < -row["v_out_m_per_s"] < row["v_in_m_per_s"])
        self.assertTrue(1e-4 < row["contact_time_s"] < 3e-3)
        # On the wall the same hammer is thrown back faster; a hammer that weighs nothing sees the bar as a wall.
        hammer = [x for flag, name in (("--mass", "mass_kg"), ("--stiffness", "stiffness_N_per_m_alpha"),
                                       ("--exponent", "alpha"), ("--viscosity", "mu_s_per_m"), ("--speed", "v_in_m_per_s"))
                  for x in (flag, repr(row[name]))]
        wall, = measured(*hammer)
        self.assertGreater(-wall["v_out_m_per_s"], -row["v_out_m_per_s"])
        light = ["1e-7" if before == "--mass" else x for before, x in zip([""] + hammer, hammer)]
        on_wall, = measured(*light)
        on_bar, = measured(*key, "--mass", "1e-7")
        self.assertLess(abs(on_bar["contact_time_s"] / on_wall["contact_time_s"] - 1), 1e-3)
        self.assertLess(abs(on_bar["v_out_m_per_s"] / on_wall["v_out_m_per_s"] - 1), 1e-3)
        slow, = measured("-i", "marimba", "--key", "60", "--velocity", "10")
        self.assertLess(slow["v_in_m_per_s"], 0.5 * row["v_in_m_per_s"])
        self.assertGreater(slow["contact_time_s"], row["contact_time_s"])
        self.assertIn("one of its 3 strings", impact("-i", "piano", "--key", "60").out.decode())

    def test_plot(self):
        if not shutil.which("gnuplot"):
            self.skipTest("no gnuplot")
        for name, begins in (("force.png", b"\x89PNG"), ("force.svg", b"<?xml")):
            path = os.path.join(self.folder, name)
            self.assertEqual(impact(*HAMMER, "--plot", path).code, DONE)
            with open(path, "rb") as picture:
                self.assertTrue(picture.read().startswith(begins))
        result = impact(*HAMMER, "--plot", os.path.join(self.folder, "no", "force.png"))
        self.assertEqual((result.code, len(result.lines)), (OUTPUT, 1))

    def test_what_a_solver_cannot_do_is_a_note(self):
        result = impact("--solver", "transition", "--csv", "-", stdin=(HEAD + "0.01,1e6,0,1,1\n0.01,1e9,0,1.5,1\n").encode())
        self.assertEqual(result.code, DONE)
        lines = result.out.decode().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertNotIn("linear", lines[1])
        self.assertIn("linear", lines[2])
        self.assertEqual(len(result.lines), 1)
        rows = measured("--solver", "transition", "--csv", "-", stdin=(HEAD + "0.01,1e6,0,1,1\n0.01,1e9,0,1.5,1\n").encode())
        self.assertEqual([row["note"] is None for row in rows], [True, False])
        self.assertIsNone(rows[1]["v_out_m_per_s"])
        self.assertEqual(rows[1]["v_out_exact_m_per_s"], -1)

    def test_figures_that_are_not_of_this_contact_are_a_note(self):
        """Beside the closed form where there is one; on a body by the length of the contact alone."""
        bell = ("-i", "glockenspiel", "--key", "60", "--mass", "0.01", "--speed", "1")
        wall = ("--mass", "0.01", "--speed", "1", "--stiffness", "1e6")
        creeping = ("--mass", "1e-9", "--speed", "1e4", "--stiffness", "1e6", "--viscosity", "1e6")
        for solver, hammer, note in (("transition", wall + ("--viscosity", "3"), "off by more than a tenth"),
                                     ("two-point", wall[:-1] + ("1e5",), None),
                                     ("am1-corrected", creeping, "too far outside to tell a contact time"),
                                     ("two-point", bell + ("--stiffness", "1e9"), "shorter than two samples"),
                                     ("two-point", bell + ("--stiffness", "1e5"), None)):
            row, = measured("--solver", solver, *hammer, "--exponent", "1", "--rate", "8000", "--phases", "2")
            self.assertIn(note or "None", str(row["note"]), row)

    def test_every_solver_says_how_it_fares(self):
        text = (HEAD + "0.01,1e6,0.5,1.6,0.3\n0.01,1e14,0.5,1.5,1\n0.01,1e6,0.1,1,0.5\n").encode()
        solvers = [line.split()[0] for line in run("lab", "list").out.decode().split("Solvers")[1].splitlines()[1:]]
        self.assertLessEqual({"house", "am1", "verlet", "heun", "rk4", "two-point", "transition"}, set(solvers))
        for solver in solvers:
            rows = measured("--solver", solver, "--csv", "-", "--rate", "44100", "--phases", "5", stdin=text)
            # Half a sample: none but the house's can have that right, and each says so.
            self.assertEqual(rows[1]["note"] is None, solver == "house", solver)
            for row in rows[::2]:
                if row["note"] is None:
                    self.assertLess(abs(row["contact_time_s"] / row["contact_time_exact_s"] - 1), 0.05, solver)
            self.assertTrue(rows[0]["note"] is None or rows[2]["note"] is None, solver)


class Faults(Case):
    def fault(self, code, says, *args, stdin=None):
        result = impact(*args, stdin=stdin)
        self.assertEqual((result.code, result.out, len(result.lines)), (code, b"", 1), result.err)
        self.assertIn(says, result.lines[0])

    def test_one_line_each(self):
        self.fault(USAGE, "needs --mass, --stiffness and --speed")
        self.fault(USAGE, "needs --mass, --stiffness and --speed", "--mass", "0.01")
        self.fault(USAGE, "--mass 0: out of range", "--mass", "0")
        self.fault(USAGE, "--exponent 0.5: out of range", "--exponent", "0.5")
        self.fault(USAGE, "--phases 5000: out of range, 1 to 4096", *HAMMER, "--phases", "5000")
        self.fault(USAGE, "unknown solver; there are house,", *HAMMER, "--solver", "euler")
        self.fault(USAGE, "not both", *HAMMER, "--csv", WALL)
        self.fault(USAGE, "needs an instrument", *HAMMER, "--key", "60")
        self.fault(USAGE, "--velocity needs an instrument", *HAMMER, "--velocity", "100")
        self.fault(USAGE, "--key N says", "-i", "piano")
        self.fault(USAGE, "are of --law stulov", *HAMMER, "--law", "hunt-crossley", "--hysteresis", "0.5")
        self.fault(USAGE, "--viscosity is of --law", *HAMMER, "--law", "stulov")
        self.fault(USAGE, "unknown choice; there are hunt-crossley, stulov", *HAMMER, "--law", "hertz")
        self.fault(USAGE, "ending in .png or .svg", *HAMMER, "--plot", "force.pdf")
        self.fault(USAGE, "not of a table", "--csv", WALL, "--plot", "force.svg")
        self.fault(INPUT, "no instrument", "-i", "theremin", "--key", "60")
        self.fault(INPUT, "No such file", "--csv", os.path.join(self.folder, "nothing.csv"))
        self.fault(INPUT, "stdin:1:1: columns are separated by semicolons", "--csv", "-",
                   stdin=HEAD.replace(",", ";").encode() + b"0,01;1e9;0,5;1,5;1\n" * 20)
        self.fault(INPUT, "stdin:2:1: 2 values for 5 columns", "--csv", "-", stdin=(HEAD + "0.01,1e9\n").encode())
        self.fault(INPUT, "stdin:1:1: no line of column names", "--csv", "-", stdin=b"")

    def test_a_contact_too_short_for_any_step_has_no_figures(self):
        row, = measured("--mass", "1e-9", "--stiffness", "1e60", "--speed", "1e4")
        self.assertIn("too short", row["note"])
        self.assertEqual((row["v_out_m_per_s"], row["contact_time_s"], row["force_max_N"]), (None, None, None))
        self.assertLess(row["contact_time_exact_s"], 1e-27)

    def test_json_of_a_key_says_which(self):
        row, = measured("-i", "glockenspiel", "--key", "84", "--phases", "1")
        self.assertEqual((row["instrument"], row["key"], row["surface"]), ("glockenspiel", 84, "body"))
        self.assertNotIn("instrument", measured(*HAMMER, "--phases", "1")[0])

    def test_quotes(self):
        head = '"what, and where",' + HEAD
        rows = measured("--csv", "-", stdin=(head + '"steel, on ""wood""","0.01",1e9,0.5,1.5,1\n').encode())
        self.assertEqual(rows[0]["mass_kg"], 0.01)
        self.assertEqual(measured("--csv", "-", stdin=HEAD.encode()), [])

    def test_a_full_disk_is_one_line(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            for args in (HAMMER, ("--csv", WALL, "--phases", "1"), (*HAMMER, "--json")):
                process = subprocess.run([PROGRAM, "lab", "impact", *args], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual((process.returncode, process.stderr.count(b"\n")), (OUTPUT, 1), process.stderr)


if __name__ == "__main__":
    main()

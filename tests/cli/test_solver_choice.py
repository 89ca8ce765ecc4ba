"""`solver:` in an instrument file: shown where it is not the house's, and refused in one line at its place."""

import json
import os
import sys

sys.dont_write_bytecode = True
from support import Case, DONE, INPUT, SOURCE, main, run  # noqa: E402

FIXTURE = os.path.join(SOURCE, "tests", "fixtures", "instruments", "solved.yaml")


class SolverChoice(Case):
    def test_shown(self):
        result = run("instruments", "show", FIXTURE)
        self.assertEqual((result.code, result.err), (DONE, ""))
        self.assertIn("solver transition:", result.out.decode())
        self.assertNotIn("solver", run("instruments", "show", "marimba").out.decode())
        for path, solver in ((FIXTURE, "transition"), ("marimba", "house")):
            shown = json.loads(run("instruments", "show", path, "--json").out)
            self.assertEqual(shown["mallet"]["solver"], solver)

    def test_unknown_names_are_told_what_there_is(self):
        with open(FIXTURE, "rb") as file:
            path = self.write("magic.yaml", file.read().replace(b"solver: transition", b"solver: magic"))
        result = run("instruments", "validate", path)
        self.assertEqual(result.code, INPUT)
        self.assertRegex(result.err, r"magic\.yaml:15:11: solver: unknown \"magic\"\. Allowed: house, .*transition")
        self.assertEqual(len(result.err.splitlines()), 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The house rules find what is planted for them.

    test_lint.py PLANTED        PLANTED: a file with the paths of the objects made from planted/
"""
import pathlib
import sys
import tempfile
import unittest

import format as layout
import layers
import reports
import rt_symbols
import tree

PLANTED = None


class Tree(unittest.TestCase):
    """A source tree in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("src/dsp", "src/io", "src/engine", "include/hertzian/base", "include/hertzian/engine", "tests"):
            (self.root / name).mkdir(parents=True)
        self.write("include/hertzian/base/rt.h", "#define HTZ_RT\n")
        self.write("include/hertzian/engine/engine.h", '#include "hertzian/base/rt.h"\n')

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")


class Reports(Tree):
    GOOD = ("The list of reports has 2 of them.\n\n| report | what | test |\n|---|---|---|\n"
            "| U1 | breaks | `cli/test_a` `test_it_plays`, `cli/test_a` `Many`; `unit/io/test_b` `it_holds` |\n"
            "| U2 | never | `cli/test_a` `test_U2_*`: done otherwise |\n")

    def faults(self, page):
        (self.root / "docs/dev").mkdir(parents=True, exist_ok=True)
        (self.root / "tests/cli").mkdir(exist_ok=True)
        (self.root / "tests/unit/io").mkdir(parents=True, exist_ok=True)
        self.write("tests/cli/test_a.py", "class Many:\n    def test_it_plays(self):\n    def test_U2_never(self):\n")
        self.write("tests/unit/io/test_b.c", "static void it_holds(void** state) {\n")
        self.write("docs/dev/user-reports.md", page)
        return reports.check(self.root)

    def test_a_true_table_passes(self):
        self.assertEqual(self.faults(self.GOOD), [])

    def test_what_is_not_there_is_found(self):
        for old, new in (("`test_it_plays`", "`test_it_sings`"), ("`it_holds`", "`it_plays`"), ("unit/io/test_b", "unit/io/test_c"),
                         ("`Many`", "`Few`"), ("2 of them", "3 of them"), ("`cli/test_a` `test_U2_*`: done otherwise", " "),
                         ("| U2 | never", "| U3 | never")):
            with self.subTest(new):
                self.assertNotEqual(self.faults(self.GOOD.replace(old, new)), [])


class Layers(Tree):
    def test_a_clean_tree_passes(self):
        self.write("src/engine/private.h", "#include <math.h>\n")
        self.write("src/engine/mix_rt.c", '#include "hertzian/engine/engine.h"\n#include "private.h"\n')
        self.assertEqual(layers.check(self.root), [])

    def test_an_include_to_the_right_is_found(self):
        for line in ('#include "hertzian/engine/engine.h"', "  #  include <hertzian/engine/engine.h>"):
            self.write("src/dsp/a_rt.c", f"int x;\n{line}\n")
            self.assertEqual(layers.check(self.root), ["src/dsp/a_rt.c:2: dsp may not include hertzian/engine/engine.h"])

    def test_io_does_not_see_the_engine(self):
        self.write("src/io/sink.c", '#include "hertzian/engine/engine.h"\n')
        self.assertEqual(len(layers.check(self.root)), 1)

    def test_a_contract_may_not_look_right_either(self):
        self.write("include/hertzian/base/bad.h", '#include "hertzian/engine/engine.h"\n')
        self.assertEqual(len(layers.check(self.root)), 1)

    def test_another_layers_private_header_is_found(self):
        self.write("src/engine/private.h", "")
        self.write("src/dsp/a_rt.c", '#include "../engine/private.h"\n')
        self.write("src/dsp/b_rt.c", '#include "private.h"\n')
        self.write("src/dsp/c_rt.c", '#include "hertzian/base/absent.h"\n')
        self.assertEqual(len(layers.check(self.root)), 3)

    def test_a_folder_sees_those_it_may(self):
        for name in ("island", "gesture", "misc"):
            (self.root / "src/contact" / name).mkdir(parents=True)
        self.write("src/contact/island/island.h", "")
        self.write("src/contact/gesture/bow.h", '#include "island/island.h"\n')
        self.assertEqual(layers.check(self.root), [])
        self.write("src/contact/island/a_rt.c", '#include "gesture/bow.h"\n')
        self.write("src/contact/gesture/b_rt.c", '#include "island.h"\n#include "island/absent.h"\n')
        self.write("src/contact/misc/c_rt.c", "")
        self.assertEqual(
            layers.check(self.root),
            [
                'src/contact/gesture/b_rt.c:1: "island.h" is neither a contract nor a private header that contact/gesture may see',
                'src/contact/gesture/b_rt.c:2: "island/absent.h" is neither a contract nor a private header that contact/gesture may see',
                'src/contact/island/a_rt.c:1: "gesture/bow.h" is neither a contract nor a private header that contact/island may see',
                "src/contact/misc/c_rt.c: no such folder of contact",
            ],
        )

    def test_a_circle_of_headers_is_found(self):
        self.write("src/engine/a.h", '#include "b.h"\n')
        self.write("src/engine/b.h", '#include "hertzian/engine/engine.h"\n')
        self.assertEqual(layers.check(self.root), [])
        self.write("src/engine/b.h", '#include "c.h"\n')
        self.write("src/engine/c.h", '#include "a.h"\n')
        self.assertEqual(layers.check(self.root), ["includes in a circle: src/engine/a.h, src/engine/b.h, src/engine/c.h"])

    def test_an_unknown_layer_is_found(self):
        (self.root / "src/misc").mkdir()
        self.assertEqual(layers.check(self.root), ["src/misc: no such layer"])


class Files(Tree):
    def test_a_clean_tree_passes(self):
        self.write("src/dsp/a_rt.c", "// printf(\n/* printf(\n */ int x;\n" + "int y;\n" * (tree.MAX_LINES - 3))
        self.write("src/io/sink.c", 'void f(void) { printf(""); }\n')
        self.assertEqual(tree.check(self.root), [])

    def test_faults_are_found(self):
        self.write("src/dsp/long_rt.c", "int x;\n" * (tree.MAX_LINES + 1))
        self.write("src/dsp/plain.c", "int x;\n")
        self.write("src/io/loud_rt.c", "// c\nint x;\n  snprintf (a, 1, b);\n")
        self.assertEqual(
            sorted(tree.check(self.root)),
            [
                "src/dsp/long_rt.c: 501 lines, at most 500",
                "src/dsp/plain.c: neither _rt.c nor _setup.c",
                "src/io/loud_rt.c:3: prints on the audio thread",
            ],
        )

    def test_the_top_is_closed(self):
        self.assertEqual(tree.check_top(["src/a.c", "README.md", ".ci/run", ".gitignore"]), [])
        self.assertEqual(len(tree.check_top(["notes.txt", "cmake/x.cmake", "doc/a.md", "docs/a.md", "src/a.c"])), 3)


class Layout(Tree):
    def test_bad_layout_is_found(self):
        tool = layout.usable()
        if not tool:
            self.skipTest("no clang-format")
        self.write(".clang-format", "BasedOnStyle: LLVM\n")
        self.write("src/dsp/good_rt.c", "int x;\n")
        self.assertEqual(layout.check(self.root, tool), [])
        self.write("src/dsp/bad_rt.c", "int   x ;\n")
        self.assertEqual(layout.check(self.root, tool), ["src/dsp/bad_rt.c: run clang-format -i on it"])


class Symbols(unittest.TestCase):
    def setUp(self):
        self.objects, missing = rt_symbols.read_list(PLANTED)
        self.assertEqual(missing, [])

    def test_every_planted_call_is_found(self):
        faults, count = rt_symbols.check(self.objects)
        self.assertEqual(count, 2)
        text = "\n".join(faults)
        for name in ("malloc", "free", "printf", "pthread_mutex_lock", "usleep", "planted_setup_only"):
            self.assertRegex(text, rf"planted_rt\.c\.o: uses {name}\b")
        self.assertIn("planted_setup_only (defined in planted_setup.c.o)", text)

    def test_what_is_allowed_is_not_named(self):
        faults, _ = rt_symbols.check(self.objects)
        for name in ("planted_other_rt", "sin", "pow", "memcpy"):
            self.assertNotRegex("\n".join(faults), rf"uses {name}\b")

    def test_a_list_of_absent_objects_is_a_fault(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
            listing.write("/nowhere/a_rt.c.o\n")
            listing.flush()
            self.assertEqual(rt_symbols.read_list(listing.name)[1], ["not built: /nowhere/a_rt.c.o"])


if __name__ == "__main__":
    PLANTED = sys.argv.pop(1)
    unittest.main()

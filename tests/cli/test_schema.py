"""The schema of instrument files: its pages are fresh; it accepts what the program reads and refuses what it can see is wrong."""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    SYSTEM = "/usr/bin/python3"  # where a distribution's packages are
    if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    print("no PyYAML: not checked")
    sys.exit(77)

import json_schema

SOURCE = pathlib.Path(os.environ["HERTZIAN_SOURCE"])
HERTZIAN = os.environ["HERTZIAN"]
PAGES = {"schema": "instrument.schema.json", "reference": "reference.md", "parameters": "parameters.md"}
MUTATIONS = 160  # of files in the repository, drawn with a seed
SEED = 11

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$")


def run(*arguments):
    return subprocess.run([HERTZIAN, *arguments], capture_output=True, text=True, check=False)


def value_of(node):
    """What a node means to an editor: YAML 1.2, keys as text."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: value_of(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [value_of(item) for item in node.value]
    if node.style is None and NUMBER.match(node.value):
        return float(node.value)
    if node.style is None and node.value in ("true", "false"):
        return node.value == "true"
    return node.value


def scalars(node, key=None):
    """Every (key, scalar) of a document."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from scalars(value, name.value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from scalars(item, key)
    else:
        yield key, node


def maps(node):
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from maps(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from maps(item)


def files():
    """(name, text) of all instruments there are, but for the faulty one."""
    folders = (SOURCE / "instruments", SOURCE / "tests" / "fixtures" / "instruments")
    paths = [path for folder in folders for path in sorted(folder.glob("*.yaml")) if path.name != "faulty.yaml"]
    out = [(path.name, path.read_text(encoding="utf-8")) for path in paths]
    for page in sorted((SOURCE / "docs").rglob("*.md")):
        blocks = re.findall(r"^```yaml\n(format:.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        out += [(f"{page.name} {i}", block) for i, block in enumerate(blocks)]
    return out


class Pages(unittest.TestCase):
    def test_pages_are_fresh(self):
        for word, page in PAGES.items():
            with self.subTest(page=page):
                made = run("instruments", word)
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                there = (SOURCE / "docs" / page).read_text(encoding="utf-8")
                self.assertEqual(there, made.stdout, f"run: hertzian instruments {word} > docs/{page}")

    def test_as_json(self):
        self.assertEqual(json.loads(run("instruments", "reference", "--json").stdout), json.loads(run("instruments", "schema").stdout))
        named = {one["name"]: one for one in json.loads(run("instruments", "parameters", "--json").stdout)}
        self.assertEqual((named["mallet.mass"]["minimum"], named["mallet.mass"]["maximum"]), (0.1, 10))
        self.assertEqual(named["board"]["words"], ["one-way", "two-way"])

    def test_takes_no_name(self):
        self.assertEqual(run("instruments", "schema", "marimba").returncode, 2)


class Valid(unittest.TestCase):
    def setUp(self):
        self.schema = json_schema.Schema(json.loads(run("instruments", "schema").stdout))

    def test_every_definition_is_used(self):
        text = json.dumps(self.schema.root)
        for name in self.schema.root["$defs"]:
            self.assertIn(f'"#/$defs/{name}"', text)

    def test_accepts_what_is_there(self):
        there = files()
        self.assertGreater(len(there), 60)
        for name, text in there:
            with self.subTest(name=name):
                self.assertEqual(self.schema.faults(value_of(yaml.compose(text))), [])

    def test_refuses(self):
        marimba = (SOURCE / "tests" / "fixtures" / "instruments" / "bar-tube-skin.yaml").read_text(encoding="utf-8")
        good = value_of(yaml.compose(marimba))
        self.assertEqual(self.schema.faults(good), [])

        def faulty(change):
            document = json.loads(json.dumps(good))
            change(document)
            return self.schema.faults(document)

        first = next(iter(good["per_key"]))
        for change, word in (
            (lambda d: d.pop("per_key"), "per_key is missing"),
            (lambda d: d.pop("mallet"), "mallet is missing"),
            (lambda d: d["mallet"].pop("mass"), "mass is missing"),
            (lambda d: d["mallet"].update(mass=1000), "above 100"),
            (lambda d: d["mallet"].update(mass={"60": 0.1, "600": 0.1}), "no number"),
            (lambda d: d["mallet"].update(speed=[1]), "too few"),
            (lambda d: d["mallet"]["contact"].update(law="hertz"), "is none of"),
            (lambda d: d["mallet"]["contact"].update(law="stulov", viscosity=0.1), "nothing may stand here"),
            (lambda d: d["per_key"][first].update(body="baar"), "is none of"),
            (lambda d: d["per_key"][first].update(wibble=1), "nothing may stand here"),
            (lambda d: d["per_key"].update({"a name": d["per_key"][first]}), "is not like"),
            (lambda d: d.update(links=[{"type": "rigid", "between": [first, "ground"], "damping": 1}]), "nothing may stand here"),
            (lambda d: d.update(links=[{"type": "spring", "between": [first, "ground"]}]), "cubic is missing"),
            (lambda d: d.update(family="grid"), "nothing may stand here"),
            (lambda d: d.update(preparations={"nut": {"on": first, "at": 0.5, "mass": 0.001}}), "kind is missing"),
            (lambda d: d.update(defaults={"mallet.mass": 11}), "above 10"),
            (lambda d: d.update(defaults={"wibble": 1}), "nothing may stand here"),
        ):
            faults = faulty(change)
            self.assertTrue(faults, word)
            self.assertIn(word, "; ".join(faults))


class Mutated(unittest.TestCase):
    """One change in a good file: what the schema refuses the program refuses, and the other way round for what a schema can see."""

    def setUp(self):
        self.schema = json_schema.Schema(json.loads(run("instruments", "schema").stdout))
        self.random = random.Random(SEED)
        self.files = [(name, text) for name, text in files() if len(text) < 6000]

    def change(self, root, kind):
        if kind == "unknown":
            node = self.random.choice(list(maps(root)))
            node.value.append((yaml.ScalarNode("tag:yaml.org,2002:str", "wibble"), yaml.ScalarNode("tag:yaml.org,2002:int", "1")))
        elif kind == "missing":
            node = self.random.choice(list(maps(root)))
            node.value.pop(self.random.randrange(len(node.value)))
        elif kind == "list":
            _, node = self.random.choice(list(scalars(root)))
            parent = next(m for m in maps(root) if any(v is node for _, v in m.value)) if node else None
            parent.value = [(k, yaml.SequenceNode("tag:yaml.org,2002:seq", [v] * 9, flow_style=True) if v is node else v)
                            for k, v in parent.value]
        else:
            numeric = kind == "huge"
            some = [node for _, node in scalars(root) if bool(NUMBER.match(node.value)) == numeric and node.style is None]
            node = self.random.choice(some)
            # Beyond every range: a stiffness has that of the contact's law, of which the schema knows the widest.
            node.value = "1.0e+19" if numeric else node.value + "x"

    def test_agree(self):
        seen = {"unknown": 0, "missing": 0, "huge": 0, "word": 0, "list": 0}
        # Whether a place is needed goes by what the name beside it names.
        visible = re.compile(r'unknown key|missing key "(?!at")|out of range|is not a number|expected a (number|map|list)|it takes')
        # Nor does a schema know the range of a parameter that goes by a name of the file: NAME.gap of a contact.
        known = set(re.findall(r"(?m)^\| `([\w.]+)`", (SOURCE / "docs" / PAGES["parameters"]).read_text(encoding="utf-8")))
        ranged = re.compile(r":\d+: ([\w-]+(?:\.[\w-]+)+): .* out of range")
        with tempfile.TemporaryDirectory() as folder:
            for number in range(MUTATIONS):
                name, text = self.random.choice(self.files)
                kind = list(seen)[number % len(seen)]
                root = yaml.compose(text)
                try:
                    self.change(root, kind)
                except StopIteration:
                    continue  # an item of a list
                path = os.path.join(folder, f"{number}.yaml")
                changed = yaml.serialize(root)
                pathlib.Path(path).write_text(changed, encoding="utf-8")
                told = run("instruments", "show", path)
                faults = self.schema.faults(value_of(yaml.compose(changed)))
                with self.subTest(name=name, kind=kind, number=number):
                    if faults:
                        self.assertEqual(told.returncode, 4, f"only the schema refuses: {faults}\n{changed}")
                    elif ranged.search(told.stderr) and ranged.search(told.stderr).group(1) not in known:
                        self.assertEqual(told.returncode, 4)
                    elif told.returncode and visible.search(told.stderr):
                        self.fail(f"only the program refuses: {told.stderr}\n{changed}")
                    seen[kind] += bool(faults)
        for kind, n in seen.items():
            self.assertGreater(n, MUTATIONS // 50, kind)  # a tenth of those of a kind: many a key may be missing


if __name__ == "__main__":
    unittest.main()

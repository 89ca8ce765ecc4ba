"""As much of JSON Schema (draft 2020-12) as the schema of instruments uses. Anything else in a schema is an error of the test."""

import re

ASIDE = {"$schema", "$defs", "title", "description", "default"}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return is_type(value, "number") and value == int(value)
    return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool}[name])


class Schema:
    def __init__(self, root):
        self.root = root

    def faults(self, value, schema=None, path=""):
        """Texts of what is wrong with `value`; empty when it is valid."""
        schema = self.root if schema is None else schema
        if isinstance(schema, bool):
            return [] if schema else [f"{path}: nothing may stand here"]
        out = []
        for word, what in schema.items():
            if word not in ASIDE:
                out += getattr(self, "check_" + word.replace("$", ""))(value, what, schema, path)
        return out

    def check_ref(self, value, what, _schema, path):
        at = self.root
        for part in what.removeprefix("#/").split("/"):
            at = at[part]
        return self.faults(value, at, path)

    def check_type(self, value, what, _schema, path):
        names = [what] if isinstance(what, str) else what
        return [] if any(is_type(value, name) for name in names) else [f"{path}: {value!r} is no {what}"]

    def check_enum(self, value, what, _schema, path):
        return [] if value in what else [f"{path}: {value!r} is none of {what}"]

    def check_const(self, value, what, _schema, path):
        return [] if value == what else [f"{path}: {value!r} is not {what}"]

    def check_minimum(self, value, what, _schema, path):
        return [f"{path}: {value} is below {what}"] if is_type(value, "number") and value < what else []

    def check_maximum(self, value, what, _schema, path):
        return [f"{path}: {value} is above {what}"] if is_type(value, "number") and value > what else []

    def check_minLength(self, value, what, _schema, path):
        return [f"{path}: too short"] if isinstance(value, str) and len(value) < what else []

    def check_maxLength(self, value, what, _schema, path):
        return [f"{path}: too long"] if isinstance(value, str) and len(value) > what else []

    def check_pattern(self, value, what, _schema, path):
        return [f"{path}: {value!r} is not like {what}"] if isinstance(value, str) and not re.search(what, value) else []

    def check_minItems(self, value, what, _schema, path):
        return [f"{path}: too few"] if isinstance(value, list) and len(value) < what else []

    def check_maxItems(self, value, what, _schema, path):
        return [f"{path}: too many"] if isinstance(value, list) and len(value) > what else []

    def check_items(self, value, what, _schema, path):
        items = enumerate(value) if isinstance(value, list) else ()
        return [fault for i, item in items for fault in self.faults(item, what, f"{path}[{i}]")]

    def check_minProperties(self, value, what, _schema, path):
        return [f"{path}: empty"] if isinstance(value, dict) and len(value) < what else []

    def check_maxProperties(self, value, what, _schema, path):
        return [f"{path}: too many"] if isinstance(value, dict) and len(value) > what else []

    def check_required(self, value, what, _schema, path):
        return [f"{path}: {name} is missing" for name in what if isinstance(value, dict) and name not in value]

    def check_propertyNames(self, value, what, _schema, path):
        names = value if isinstance(value, dict) else ()
        return [fault for name in names for fault in self.faults(name, what, f"{path}.{name}")]

    def check_properties(self, value, what, _schema, path):
        items = value.items() if isinstance(value, dict) else ()
        return [fault for name, item in items if name in what for fault in self.faults(item, what[name], f"{path}.{name}")]

    def check_patternProperties(self, value, what, _schema, path):
        items = value.items() if isinstance(value, dict) else ()
        return [
            fault
            for name, item in items
            for pattern, schema in what.items()
            if re.search(pattern, name)
            for fault in self.faults(item, schema, f"{path}.{name}")
        ]

    def check_additionalProperties(self, value, what, schema, path):
        if not isinstance(value, dict):
            return []
        patterns = schema.get("patternProperties", {})
        rest = [
            name
            for name in value
            if name not in schema.get("properties", {}) and not any(re.search(pattern, name) for pattern in patterns)
        ]
        return [fault for name in rest for fault in self.faults(value[name], what, f"{path}.{name}")]

    def check_allOf(self, value, what, _schema, path):
        return [fault for schema in what for fault in self.faults(value, schema, path)]

    def check_anyOf(self, value, what, _schema, path):
        every = [self.faults(value, schema, path) for schema in what]
        return [] if any(not faults for faults in every) else every[0]

    def check_if(self, value, what, schema, path):
        branch = "else" if self.faults(value, what, path) else "then"
        return self.faults(value, schema[branch], path) if branch in schema else []

    def check_then(self, _value, _what, _schema, _path):
        return []

    check_else = check_then

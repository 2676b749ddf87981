"""The places of a source that mutants change, found by libclang: operators, constants, conditions, calls, results.

What the compiler needs to know is left alone, for the build asks for a mutant when it runs (a template's argument, the
size of an array, a static assertion, a case); so are texts, and what macros expand to, but for their arguments.
"""
import dataclasses
import hashlib
import pathlib
import re

import clang.cindex
from clang.cindex import CursorKind as Kind

NAMES = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne", "+": "add", "-": "sub", "*": "mul",
         "/": "div", "%": "rem", "<<": "shl", ">>": "shr", "&": "band", "|": "bor", "^": "bxor"}
# A boundary moved, and the opposite.
RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
OTHERS = {"==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|",
          "|": "&", "^": "|"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "/=", "<<=": ">>=", ">>=": "<<=", "&=": "|=",
               "|=": "&=", "^=": "|="}
STEPS = {"++": "--", "--": "++"}

FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE, Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION,
             Kind.DESTRUCTOR}
# Constants of the compiler's, whole.
CONSTANT = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.TEMPLATE_TYPE_PARAMETER,
            Kind.TEMPLATE_TEMPLATE_PARAMETER, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL, Kind.CXX_UNARY_EXPR,
            Kind.FRIEND_DECL, Kind.CXX_BASE_SPECIFIER, Kind.ALIGNED_ATTR, Kind.TYPE_ALIAS_TEMPLATE_DECL}
# Expressions among these one's children are arguments of a template, or another constant.
NAMING = {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.TEMPLATE_REF, Kind.TYPE_REF, Kind.OVERLOADED_DECL_REF}
WRAPPERS = {Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR}
EXPRESSIONS_OF_STATEMENTS = {Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR,
                             Kind.UNARY_OPERATOR}
NOT_CODE = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S)


@dataclasses.dataclass
class Point:
    """One place; it has as many mutants as changes."""
    file: str
    function: str
    line: int
    kind: str
    text: str
    changes: list
    edits: list  # (offset, end, order, text with {m} for the first mutant's number)
    left_out: bool = False  # the compiler must know it; its mutants keep their numbers, and are not there


class Finder:
    """Walks one file of a parsed unit."""

    def __init__(self, name, path):
        self.name = name
        self.path = str(path)
        self.source = pathlib.Path(path).read_bytes()
        self.points = []
        self.seen = set()
        self.order = 0
        self.functions = []

    def text(self, start, end):
        return self.source[start:end].decode()

    def extent(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(self, kind, cursor, changes, edits, text=None):
        start, end = self.extent(cursor)
        if (kind, start, end) in self.seen:
            return
        self.seen.add((kind, start, end))
        shown = " ".join((text or self.text(start, end)).split())
        self.order += 1
        self.points.append(Point(self.name, self.functions[-1], cursor.extent.start.line, kind, shown, changes,
                                 [(a, b, self.order, t) for a, b, t in edits]))

    def wrap(self, start, end, before, after):
        return [(start, start, before), (end, end, after)]

    def operands(self, cursor):
        """The operator between two operands, and where these stand; None if it is not in the text."""
        children = list(cursor.get_children())
        if len(children) == 3:  # an overloaded operator's name stands between
            children = [children[0], children[2]]
        if len(children) != 2:
            return None
        (a, b), (c, d) = self.extent(children[0]), self.extent(children[1])
        if (a, d) != self.extent(cursor) or not a < b <= c < d:
            return None
        operator = NOT_CODE.sub(b"", self.source[b:c]).decode().strip()
        return operator, a, b, c, d

    def binary(self, cursor):
        found = self.operands(cursor)
        if found is None:
            return
        op, a, b, c, d = found
        if op in RELATIONS:
            boundary, opposite = RELATIONS[op]
            call = f"WFM_RELATION({{m}}, {NAMES[op]}, {NAMES[boundary]}, {NAMES[opposite]}, ("
            changes = [f"{op} to {boundary}", f"{op} to {opposite}"]
            kind = "bound"
        elif op in OTHERS:
            call = f"WFM_BINARY({{m}}, {NAMES[op]}, {NAMES[OTHERS[op]]}, ("
            changes, kind = [f"{op} to {OTHERS[op]}"], "operator"
        elif op in ("&&", "||"):
            call = "WFM_AND({m}, (" if op == "&&" else "WFM_OR({m}, ("
            changes, kind = [f"{op} to {'||' if op == '&&' else '&&'}"], "operator"
        elif op in ASSIGNMENTS:
            call = f"WFM_ASSIGN({{m}}, {op}, {ASSIGNMENTS[op]}, ("
            changes, kind = [f"{op} to {ASSIGNMENTS[op]}"], "operator"
        else:
            return
        lines = "\n" * self.source[b:c].count(b"\n")
        self.add(kind, cursor, changes, [(a, a, call), (b, c, "), (" + lines), (d, d, "))")])

    def unary(self, cursor):
        children = list(cursor.get_children())
        if len(children) != 1:
            return
        (start, end), (a, b) = self.extent(cursor), self.extent(children[0])
        before = self.text(start, a).strip() if start < a else ""
        after = self.text(b, end).strip() if b < end else ""
        if before in STEPS and after == "":
            self.add("operator", cursor, [f"{before} to {STEPS[before]}"],
                     [(start, a, f"WFM_BEFORE({{m}}, {before}, {STEPS[before]}, ("), (b, b, "))")])
        elif after in STEPS and before == "":
            self.add("operator", cursor, [f"{after} to {STEPS[after]}"],
                     [(a, a, f"WFM_AFTER({{m}}, {after}, {STEPS[after]}, ("), (b, end, "))")])
        elif before in ("!", "-", "~") and after == "":
            if before == "-" and children[0].kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL):
                return
            name = {"!": "WFM_NOT", "-": "WFM_NEGATIVE", "~": "WFM_COMPLEMENT"}[before]
            self.add("operator", cursor, [f"{before} left out"], [(start, a, name + "({m}, ("), (b, b, "))")])

    def constant(self, cursor):
        start, end = self.extent(cursor)
        text = self.text(start, end)
        if text in ("true", "false"):
            self.add("constant", cursor, ["false" if text == "true" else "true"],
                     self.wrap(start, end, "WFM_CONDITION({m}, ", ")"))
        elif re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*|[0-9]*\.[0-9]+[fF]?|'.'", text):
            zero = re.fullmatch(r"0[uUlL]*|0?\.0*[fF]?", text) is not None
            changes = [f"{text} + 1"] if zero else [f"{text} + 1", f"{text} - 1"]
            self.add("constant", cursor, changes,
                     self.wrap(start, end, f"WFM_CONSTANT({{m}}, {len(changes)}, ", ")"))

    def condition(self, cursor):
        """A condition that is no comparison is negated."""
        inner = cursor
        while inner.kind in WRAPPERS and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        found = self.operands(inner) if inner.kind in (Kind.BINARY_OPERATOR, Kind.CALL_EXPR) else None
        if found is not None and (found[0] in RELATIONS or found[0] in ("==", "!=", "&&", "||")):
            return
        start, end = self.extent(cursor)
        if re.compile(rb"[\s)]*\?").match(self.source, end) is None and not self.source[:start].rstrip().endswith(b"("):
            return  # a macro's
        if inner.kind == Kind.UNARY_OPERATOR and self.text(*self.extent(inner)).startswith("!"):
            return
        if inner.kind.is_expression() and start < end:
            self.add("condition", cursor, ["negated"], self.wrap(start, end, "WFM_CONDITION({m}, (", "))"))

    def statement(self, cursor):
        """A statement left out."""
        inner = cursor
        while inner.kind == Kind.UNEXPOSED_EXPR and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        if inner.kind not in EXPRESSIONS_OF_STATEMENTS:
            return
        start, end = self.extent(cursor)
        semicolon = re.compile(rb"\s*;").match(self.source, end)
        if semicolon is None or start >= end:
            return
        text = self.text(start, end)
        called = re.match(r"[\w.>:<,\s-]*?(\w+)(<[^()]*>)?\(", text)
        called = called.group(1) if called and inner.kind == Kind.CALL_EXPR else ""
        kind = ("barrier" if called in ("wait", "wave_barrier") else
                "fence" if called in ("device_fence", "system_fence", "tile_fence") else "statement")
        if called in ("assert", "static_assert") or text.startswith("(void)"):
            return
        self.add(kind, cursor, ["left out"],
                 [(start, start, "{{ if (!wfm_on({m})) "), (semicolon.end(), semicolon.end(), " }}")])

    def call(self, cursor):
        start, end = self.extent(cursor)
        if re.fullmatch(r"(\w+::)*identity\(\)", self.text(start, end)):
            self.add("identity", cursor, ["another value"], self.wrap(start, end, "WFM_OTHER({m}, ", ")"))
        else:
            self.binary(cursor)

    def result(self, cursor):
        children = list(cursor.get_children())
        if len(children) != 1 or not children[0].kind.is_expression():
            return
        inner = children[0]
        while inner.kind in WRAPPERS and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        kinds = clang.cindex.TypeKind
        kind = inner.type.get_canonical().kind
        simple = kind in (kinds.BOOL, kinds.ENUM, kinds.INT, kinds.UINT, kinds.LONG, kinds.ULONG, kinds.LONGLONG,
                          kinds.ULONGLONG, kinds.UCHAR, kinds.USHORT, kinds.SHORT, kinds.DEPENDENT)
        if not simple or inner.kind not in (Kind.CALL_EXPR, Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR,
                                            Kind.ARRAY_SUBSCRIPT_EXPR):
            return
        start, end = self.extent(children[0])
        if re.fullmatch(r"(\w+::)*identity\(\)", self.text(start, end)) or start >= end:
            return
        self.add("result", cursor, ["another result"], self.wrap(start, end, "WFM_OTHER({m}, (", "))"))

    def is_initialiser(self, cursor, child):
        """Of a variable's children: whether it is what the variable begins as, not a part of its type."""
        between = self.text(cursor.location.offset, self.extent(child)[0])
        return re.fullmatch(r"\w+\s*(\[[^\]]*\]\s*)*[={(]\s*", between) is not None

    def walk(self, cursor, is_constant=False):
        kind = cursor.kind
        if kind in CONSTANT:
            return
        is_function = kind in FUNCTIONS
        if is_function:
            self.functions.append(cursor.spelling)
        start, end = self.extent(cursor)
        if kind in (Kind.VAR_DECL, Kind.FIELD_DECL) and "constexpr" in self.text(start, cursor.location.offset):
            is_constant = True
        if kind == Kind.IF_STMT and re.match(rb"if\s+constexpr\b", self.source[start:start + 40]):
            constant_condition = True
        else:
            constant_condition = False
        if self.functions and not is_constant:
            if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
                self.binary(cursor)
            elif kind == Kind.UNARY_OPERATOR:
                self.unary(cursor)
            elif kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR,
                          Kind.CHARACTER_LITERAL):
                self.constant(cursor)
            elif kind == Kind.CALL_EXPR:
                self.call(cursor)
            elif kind == Kind.RETURN_STMT:
                self.result(cursor)
        children = list(cursor.get_children())
        for number, child in enumerate(children):
            below = is_constant
            if self.functions and not is_constant:
                if kind == Kind.COMPOUND_STMT or (kind == Kind.IF_STMT and number > 0) or (
                        kind in (Kind.FOR_STMT, Kind.WHILE_STMT) and number == len(children) - 1) or (
                            kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT) and number == len(children) - 1):
                    self.statement(child)
                if (kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR) and number == 0
                        and not constant_condition):
                    self.condition(child)
            if kind in NAMING and child.kind.is_expression() and kind != Kind.MEMBER_REF_EXPR:
                below = True
            if kind == Kind.MEMBER_REF_EXPR and number > 0:
                below = True
            if kind == Kind.CASE_STMT and number == 0 and len(children) > 1:
                below = True
            if kind == Kind.IF_STMT and number == 0 and constant_condition:
                below = True
            if kind in (Kind.VAR_DECL, Kind.FIELD_DECL, Kind.PARM_DECL) and not self.is_initialiser(cursor, child):
                below = True
            self.walk(child, below)
        if is_function:
            self.functions.pop()


def parse(path, arguments, unsaved=None):
    unit = clang.cindex.Index.create().parse(str(path), arguments, unsaved_files=unsaved)
    for message in unit.diagnostics:
        if message.severity >= clang.cindex.Diagnostic.Error:
            raise SystemExit(f"{path}: {message}")
    return unit


def of_unit(root, unit, wanted):
    """Points of the wanted files (paths below root) of one unit, by file."""
    found = {}
    finders = {}

    def visit(cursor):
        for child in cursor.get_children():
            file = child.location.file
            if child.kind == Kind.NAMESPACE or child.kind == Kind.LINKAGE_SPEC or (
                    child.kind == Kind.UNEXPOSED_DECL):
                visit(child)
                continue
            if file is None:
                continue
            try:
                name = str(pathlib.Path(file.name).resolve().relative_to(root))
            except ValueError:
                continue
            if name in wanted:
                if name not in finders:
                    finders[name] = Finder(name, pathlib.Path(file.name).resolve())
                finders[name].walk(child)
    visit(unit.cursor)
    for name, finder in finders.items():
        found[name] = finder.points
    return found


def key_of(point, change, ordinal):
    """What a mutant is called from one edit of its file to the next: no line numbers."""
    said = "\0".join([point.file, point.function, point.kind, point.text, change, str(ordinal)])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def rewrite(source, points, first):
    """The text with every point asking for its mutants, which are numbered from first on; and the next number."""
    opens, closes, replaced = {}, {}, {}
    number = first
    for point in points:
        for start, end, order, text in () if point.left_out else point.edits:
            text = text.replace("{m}", str(number)).replace("{{", "{").replace("}}", "}")
            if start != end:
                replaced[start] = (end, text)
            elif text.endswith(("(", " ", ", ")) and not text.startswith((")", " }")):
                opens.setdefault(start, []).append((order, text))
            else:
                closes.setdefault(start, []).append((order, text))
        number += len(point.changes)
    out, at = [], 0
    places = sorted(set(opens) | set(closes) | set(replaced))
    for place in places:
        out.append(source[at:place].decode())
        out += [text for _, text in sorted(closes.get(place, []), reverse=True)]
        out += [text for _, text in sorted(opens.get(place, []))]
        at = place
        if place in replaced:
            at, text = replaced[place]
            out.append(text)
    out.append(source[at:].decode())
    return "".join(out), number

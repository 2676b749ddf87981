"""Files of report/instructions.py: the instructions of each rung's kernel, by kind, as a compiler made them."""

from dataclasses import dataclass

VERSION = 1  # of the document


@dataclass
class Mix:
    target: str
    rung: str
    what: str
    kinds: dict

    @property
    def total(self):
        return sum(self.kinds.values())


def read_mixes(part):
    if part.count("instructions") != VERSION:
        part.get("instructions").fail(f"is {part.value['instructions']}, and {VERSION} is what the report reads")
    found = []
    for kernel in part.filled_list("kernels"):
        kinds = {kind: kernel.object("kinds").count(kind) for kind, _ in kernel.object("kinds").members()}
        found.append(Mix(kernel.text("target"), kernel.text("rung"), kernel.text("what"), kinds))
    return found

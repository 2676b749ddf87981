"""Numbers as people read them; filters of the templates."""

import os

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def name(path):
    """A file's name; what is no text of it, or would steer a terminal, cannot be shown as it is."""
    text = os.fsencode(path).decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in text)


def superscript(exponent):
    return str(exponent).translate(SUPERSCRIPTS)


def size(n):
    """2²⁸ where it is a power of two from 1024 on, else with blanks between thousands."""
    if n >= 1024 and n & (n - 1) == 0:
        return "2" + superscript(n.bit_length() - 1)
    return apart(n)


def apart(value):
    return f"{value:,}".replace(",", "\u202f")


def figure(value, digits=3):
    """So many digits, or all before the point; a dash for what is not known."""
    if value is None:
        return "–"
    if isinstance(value, int) or abs(value) >= 10 ** (digits - 1):
        return apart(round(value))
    return f"{value:.{digits}g}"


def percent(value):
    if value is None:
        return "–"
    if 0 < value < 0.0005:
        return "< 0.1 %"
    return f"{100 * value:.1f} %" if value < 0.0995 else f"{100 * value:.0f} %"


def duration(seconds):
    if seconds is None:
        return "–"
    for factor, unit in ((1e9, "ns"), (1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 999.5:  # what is more is rounded to 1000, one of the next unit
            return f"{seconds * factor:.3g} {unit}"
    return f"{figure(seconds)} s"

"""How plots look: matplotlib draws, and the page's style sheet has the colours, so that one picture serves light and
dark. Text stays text, in the page's font."""

import io
import re
import warnings
from html import escape, unescape

import matplotlib

matplotlib.rcdefaults()  # whoever runs it may have a matplotlibrc, and the page looks the same
matplotlib.use("svg")
from matplotlib.figure import Figure  # noqa: E402  (after the choice of what draws)

# Colours that stand for the style sheet's. They appear nowhere else.
INK, GRID = "#010101", "#020202"
SERIES = [f"#0{i}0{i}03" for i in range(1, 7)]
CSS = {INK: "currentColor", GRID: "var(--grid)"} | {colour: f"var(--series-{i})" for i, colour in enumerate(SERIES, 1)}
MARKERS = ["o", "s", "^", "D", "v", "x"]
LINES = ["-", "--", "-.", ":", (0, (6, 2)), (0, (1, 1))]

# Text that stays text needs none of matplotlib's fonts.
warnings.filterwarnings("ignore", "Glyph .* missing from current font")

WIDE, NARROW = 9.6, 4.0  # inches: for a page's full width, and for a phone's

matplotlib.rcParams.update({
    "svg.fonttype": "none",
    "text.parse_math": False,  # names come from files
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "legend.frameon": False,
})


def new_figure(width, height, **axes):
    """(figure, axes) with no background of its own."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_visible(False)
    found = figure.subplots(**axes)
    for one in [found] if not hasattr(found, "flat") else found.flat:
        one.patch.set_visible(False)
    return figure, found


def svg_of(figure, name):
    """The picture as an element for a page. name: no other picture of the page has it; ids are made different by it."""
    with matplotlib.rc_context({"svg.hashsalt": name}), io.StringIO() as file:
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        text = file.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    # The page's own font, in whichever of two ways a version of matplotlib names one.
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r'(url\(#|href="#)', rf"\1{name}-", text)
    for colour, variable in CSS.items():
        text = text.replace(colour, variable)
    # The text beside it says what it shows; a reader of the screen need not hear every tick.
    text = re.sub(r'<svg [^>]*?viewBox="([^"]+)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true" focusable="false">',
                  text, count=1)
    return re.sub(r"\n\s*", "\n", text)


def standalone(svg, title, description, style):
    """The same as a file of its own, for a page that shows it as an image."""
    inside = svg[svg.index(">") + 1:]
    view = re.search(r'viewBox="([^"]+)"', svg)[1]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{view}" '
            f'role="img" font-family="system-ui, sans-serif">\n<title>{escape(title)}</title>\n'
            f"<desc>{escape(description)}</desc>\n<style>\n{style}</style>{inside}")


def description_of(standing_alone):
    """What standalone() has put into it; None if there is none."""
    found = re.search(r"<desc>(.*?)</desc>", standing_alone, flags=re.DOTALL)
    return unescape(found[1]) if found else None


def both_widths(draw, name):
    """{"wide": svg, "narrow": svg} of draw(width)."""
    return {"wide": svg_of(draw(WIDE), name + "-wide"), "narrow": svg_of(draw(NARROW), name + "-narrow")}

"""Tables that print as text and that Jupyter shows as HTML."""
from html import escape


class Table:
    """Rows of a few columns. rows is a list of dicts; columns names their keys, in order."""

    def __init__(self, title, columns, rows):
        self.title, self.columns, self.rows = title, list(columns), list(rows)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def __repr__(self):
        cells = [self.columns] + [[_text(row.get(column)) for column in self.columns] for row in self.rows]
        widths = [max(len(line[k]) for line in cells) for k in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells]
        return "\n".join([self.title, *lines])

    def _repr_html_(self):
        head = "".join(f"<th>{escape(column)}</th>" for column in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{escape(_text(row.get(column)))}</td>" for column in self.columns) +
                       "</tr>" for row in self.rows)
        # Jupyter shows HTML where there is both, so the picture stands below the table.
        picture = self._repr_svg_() if hasattr(self, "_repr_svg_") else None
        return (f"<table><caption>{escape(self.title)}</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{body}</tbody></table>{picture or ''}")


def _text(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)

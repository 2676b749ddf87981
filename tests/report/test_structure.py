"""scripts/check_structure.py: what it must have read."""

import check_structure
import pytest


def test_objects_that_are_missing(tmp_path):
    """Who calls whom is not known of what was not built, or has a target that the script does not know."""
    folder = tmp_path / "CMakeFiles/wavefold-oracle.dir/src/oracle"
    folder.mkdir(parents=True)
    (folder / "probe.c.o").touch()
    with pytest.raises(SystemExit, match="no objects of [0-9]+ files, such as src/backends.c"):
        check_structure.calls(tmp_path)

"""scripts/write_exact_bits.py: which devices may be missing."""

import pytest
from write_exact_bits import NO_DEVICE, found_by


def test_a_device_that_is_missing(tmp_path):
    """Its column stays as it is in the file only where it may be missing: others would be compared with themselves."""
    program = tmp_path / "tests/exact_bits"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho 'no module' >&2\nexit {NO_DEVICE}\n")
    program.chmod(0o755)
    assert found_by(tmp_path, "host", may_lack=True) is None
    with pytest.raises(SystemExit, match="exact_bits host:64: no module"):
        found_by(tmp_path, "host:64")

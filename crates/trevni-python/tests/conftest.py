import pytest

import trevni


@pytest.fixture
def write(tmp_path):
    """Writes a table and opens the file."""

    def written(rows, name="rows.trv", **options):
        path = tmp_path / name
        trevni.write(path, rows, **options)
        return trevni.open(path)

    return written

"""The files of the repository, many of them written by other implementations, are read."""

import pyarrow as pa
import pytest
from samples import DATA

import trevni

FILES = sorted(
    path
    for path in DATA.rglob("*")
    if path.suffix in (".trv", ".redelm") and "bad" not in path.parts and not path.name.startswith(("bad_", "_", "."))
)


REFUSED = {
    "leaves_only.trv": "the shape of the rows must be given",
    "size_limit_lenient.trv": "the blocks hold 259 rows, the file says 258",
    "logical_and_props.trv": "a decimal is too large",
}


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(DATA)) for path in FILES])
def test_rows_and_columns_agree(path):
    try:
        reader = trevni.open(path)
        table = reader.to_arrow()
    except trevni.UnsupportedError as error:
        pytest.skip(str(error))
    except trevni.TrevniError as error:
        assert REFUSED[path.name] in str(error)
        return
    table.validate(full=True)
    assert table.num_rows == len(reader)
    again = pa.table(reader)
    assert again.equals(table) or repr(again.to_pylist()) == repr(table.to_pylist()), "NaN is no NaN to pyarrow"
    rows = list(reader)
    assert len(rows) == len(reader)
    if rows:
        assert [repr(reader.row(number)) for number in (0, -1)] == [repr(rows[0]), repr(rows[-1])]
    for name in reader.columns:
        if "." not in name and table.num_rows < 10_000:
            assert reader.select([name]).to_arrow().num_rows == table.num_rows
    assert len(FILES) > 150

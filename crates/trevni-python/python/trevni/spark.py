"""A data source of Apache Spark 4.1 and newer: reads and writes column files as the format ``trevni``.

It is imported only where it is asked for, and needs pyspark and pyarrow, on the executors too:

    spark.dataSource.register(trevni.spark.TrevniDataSource)
    spark.read.format("trevni").load("flights").where("delay > 60").show()
    frame.write.format("trevni").mode("append").save("flights")
"""

from __future__ import annotations

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

from ._spark.files import Files, local
from ._spark.read import FilteringReader, TrevniReader
from ._spark.types import schema_of
from ._spark.write import TrevniWriter

__all__ = ["FilteringReader", "TrevniDataSource", "TrevniReader", "TrevniWriter"]


class TrevniDataSource(DataSource):
    """Column files as a table of Spark. One file is one split.

    ``load`` takes a file, a folder or a pattern of names, or several of them. Options for reading: ``columns``, names
    divided by commas; ``nanoseconds``, which is ``truncate`` where instants may lose what is below a microsecond; and
    ``pushdown``, which is ``true`` where filters may reach the files. That needs ``spark.sql.python.filterPushdown.enabled``,
    and a frame that is loaded for one query alone: Spark 4.3 uses the filters of one query for the next one too.
    Options for writing: ``partition_by``, names divided by commas whose values become folders; ``codec``, ``level``, ``checksum``, ``block_size``, ``row_group_size``, ``format``.
    """

    @classmethod
    def name(cls) -> str:
        return "trevni"

    def schema(self) -> StructType:
        """The columns of all files, from their headers; all may be null, as in Spark's own file formats."""
        return schema_of(Files(self.options))

    def reader(self, schema: StructType) -> TrevniReader:
        files = Files(self.options)
        return FilteringReader(files, schema) if files.pushdown else TrevniReader(files, schema)

    def writer(self, schema: StructType, overwrite: bool) -> TrevniWriter:
        return TrevniWriter(local(self.options), schema, overwrite, self.options)

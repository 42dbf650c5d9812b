/** Trevni column files in JavaScript. */

/** What a file can be opened from. A string is a URL. */
export type Input = Blob | ArrayBuffer | ArrayBufferView | URL | string;

export interface OpenOptions {
  /** Headers of each request, such as `Authorization`. */
  headers?: Record<string, string>;
  /** Whether cookies are sent, as `fetch` has it. */
  credentials?: "omit" | "same-origin" | "include";
  signal?: AbortSignal;
}

/** A field, and those within it. */
export interface Field {
  /** Empty for the rows themselves. */
  name: string;
  /** What `columns`, `column` and filters call it. */
  path: string;
  /** The type in words: `int64`, `list<string>`, `timestamp-micros?`. The question mark means that it may be null. */
  type: string;
  kind: string;
  /** Bytes of its columns in the file, and of those within it. */
  bytes: number;
  fields: Field[];
}

/** A column as the file has it. */
export interface ColumnInfo {
  name: string;
  path: string | undefined;
  type: string;
  codec: string;
  bytes: number;
}

/** A value of a row: integers are numbers where these are exact, else bigints; dates, instants, decimals and the like are strings. */
export type Value =
  | null | boolean | number | bigint | string | Uint8Array | Value[] | { [name: string]: Value } | Map<Value, Value>;
export type Row = { [name: string]: Value };

export interface RowOptions {
  /** Paths of the fields that are read. Default: all. */
  columns?: string[];
  /** A condition, such as `dep_delay > 60 and carrier in ('AA', 'UA')`. */
  filter?: string;
  signal?: AbortSignal;
}

export interface RangeOptions extends RowOptions {
  /** The first row, among those that the filter selects. Default: 0. */
  from?: number;
  /** The row after the last one. Default: all rows. */
  to?: number;
}

export type Numbers = Int32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

export interface Column {
  /** boolean: Uint8Array of 0 and 1; int32, int64, uint64, float32, float64: the typed array of this name; string, bytes, value: an array. */
  kind: "boolean" | "int32" | "int64" | "uint64" | "float32" | "float64" | "string" | "bytes" | "value";
  /** The logical type of numbers, such as `date`: then they are days. */
  logical: string | null;
  nullable: boolean;
  /** A null is 0 in a typed array, and `null` in others. */
  values: Uint8Array | Numbers | Value[];
  /** 1 for each null; `null` where there is none. */
  nulls: Uint8Array | null;
}

export interface Stats {
  kind: Column["kind"];
  logical: string | null;
  count: number;
  nulls: number;
  nan: number;
  min: number | bigint | string | null;
  max: number | bigint | string | null;
  mean: number | null;
  /** `null` where they are more than 10,000. */
  distinct: number | null;
  top: { value: Value; count: number }[];
  histogram: { from: number; width: number; counts: number[]; every: number } | null;
}

export interface Progress {
  found: number;
  looked: number;
  of: number;
}

export type Category = "io" | "corrupt" | "unsupported" | "limit" | "shape" | "misuse" | "internal";

export class TrevniError extends Error {
  category: Category;
  hint?: string;
  /** The place in a filter that is wrong. */
  position?: number;
}

/** Gives the module, compiled or its bytes, where `module.wasm` is not beside `index.js`. Called before the first `open`. */
export function init(module: WebAssembly.Module | BufferSource): void;

/** Opens a file. Its header is read, and nothing else. */
export function open(input: Input, options?: OpenOptions): Promise<TrevniFile>;

export class TrevniFile {
  private constructor();
  readonly rowCount: number;
  /** trevni, levels or redelm. */
  readonly format: string;
  readonly size: number;
  readonly schema: Field;
  /** The schema as Avro has it, as JSON. */
  readonly avro: string;
  readonly columns: ColumnInfo[];
  readonly metadata: Record<string, string | Uint8Array>;
  /** What has been fetched so far. */
  readonly traffic: { requests: number; bytes: number };

  rows<R = Row>(from?: number, to?: number, options?: RowOptions): Promise<R[]>;
  count(options?: { filter?: string; signal?: AbortSignal; progress?: (progress: Progress) => void }): Promise<number>;
  column(path: string, options?: Omit<RangeOptions, "columns">): Promise<Column>;
  stats(
    path: string,
    options?: Omit<RangeOptions, "columns"> & { bars?: number; progress?: (rows: number) => void },
  ): Promise<Stats>;
  csv(options?: RangeOptions & { header?: boolean }): AsyncGenerator<Uint8Array>;
  toArrowIPC(options?: RangeOptions): Promise<Uint8Array>;
  /** Throws if the filter is wrong. */
  check(filter: string): void;
  close(): void;
}

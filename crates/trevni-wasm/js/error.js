// Errors of this package.

/** What went wrong. `category` is one of io, corrupt, unsupported, limit, shape, misuse, internal. */
export class TrevniError extends Error {
  constructor(message, category, { hint, position, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "TrevniError";
    this.category = category;
    if (hint !== undefined) this.hint = hint;
    if (position !== undefined) this.position = position;
  }
}

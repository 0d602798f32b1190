/** A prepared statement with its values: what a slice asks of the database. `Row` is the shape the text selects. */
export type Statement<Row> = {
  /** The name it is prepared under; equal names have equal texts. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  /** Phantom: ties the row type to the statement. */
  readonly row?: Row
}

/** What `statement` declares: it makes the statement for given values, and its text can be a part of a larger one. */
export type DeclaredStatement<Row, Params> = ((params: Params) => Statement<Row>) & {
  /** As it was written, with named parameters. */
  readonly text: string
}

/**
 * Declares a statement. The text names its parameters as `$account_id`; they are numbered once, here. SQL is written as SQL, in
 * `*.sql.ts` files, and every statement names its tenant.
 */
export function statement<Row, Params extends Record<string, unknown>>(
  name: string,
  text: string,
): DeclaredStatement<Row, Params> {
  const names: string[] = []
  const numbered = text.replace(/\$([a-z_][a-z0-9_]*)/g, (_, param: string) => {
    if (!names.includes(param)) names.push(param)
    return `$${names.indexOf(param) + 1}`
  })
  const declared = (params: Params) => ({ name, text: numbered, values: names.map((param) => params[param]) })
  return Object.assign(declared, { text })
}

/** A prepared statement with its values. `Row` is the shape that the text selects. */
export type Statement<Row> = {
  /** The name it is prepared under; equal names have equal texts. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether it changes one table, and reads nothing that another write of its transaction changes: then writes can share a statement. */
  readonly isAlone?: true
  /** Whether it changes only tables that no other write of its transaction changes or refers to: writes behind it may go before it. */
  readonly isAside?: true
  /** How it is sent once for several sets of values; without it, once for each. */
  readonly many?: Many
  /** Phantom: ties the row type to the statement. */
  readonly row?: Row
}

/**
 * One statement in place of several that differ in their values. It locks and changes only rows that belong to the root of its transaction
 * (see `StepContext.transaction`), so two roots never meet in it.
 */
export type Many = {
  /** Statements of one key can be sent as one. */
  readonly key: string
  /** The statement for all of these values. A row of a read says in `member` which values it belongs to, by their place. */
  together(values: readonly (readonly unknown[])[]): Statement<unknown>
}

/** A piece of SQL that selects `Row` and takes `Params`, for use in larger statements. */
export type Fragment<Row, Params> = {
  /** The text as it was written, with named parameters. */
  readonly text: string
  /** Phantoms: they tie the types to the text. */
  readonly row?: Row
  readonly params?: (params: Params) => void
}

/** What `statement` returns: a function that makes the statement for given values, and its text, which can be a part of a larger one. */
export type DeclaredStatement<Row, Params> = ((params: Params) => Statement<Row>) &
  Fragment<Row, Params> & {
    /** The names of its parameters, in the order of its values. */
    readonly names: readonly string[]
  }

/**
 * Declares a statement. The text names its parameters as `$account_id`; they are numbered once, here. SQL is written as SQL, in
 * `*.sql.ts` files, and every statement names its tenant. A statement over tables of several slices is built from their fragments.
 */
export function statement<Row, Params extends Record<string, unknown>>(
  name: string,
  written: string | Fragment<unknown, Params>,
): DeclaredStatement<Row, Params> {
  const text = typeof written === 'string' ? written : written.text
  const names: string[] = []
  const numbered = text.replace(/\$([a-z_][a-z0-9_]*)/g, (_, param: string) => {
    if (!names.includes(param)) names.push(param)
    return `$${names.indexOf(param) + 1}`
  })
  const declared = (params: Params) => ({ name, text: numbered, values: names.map((param) => params[param]) })
  return Object.assign(declared, { text, names })
}

/** Says of an insert that selects: see `isAlone`. */
export function alone<Row>(insert: Statement<Row>): Statement<Row> {
  return { ...insert, isAlone: true }
}

/** Says of a write that it keeps no others apart: see `isAside`. */
export function aside<Row>(write: Statement<Row>): Statement<Row> {
  return { ...write, isAside: true }
}

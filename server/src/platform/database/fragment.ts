import type { Fragment } from '../../contract/statement.ts'

// biome-ignore lint/suspicious/noExplicitAny: of any row and parameters
type AnyFragment = Fragment<any, any>
type Taker<Piece> = Piece extends Fragment<unknown, infer Params> ? (params: Params) => void : never
/** The parameters of all these fragments: parameters of one name are one value. */
type ParamsOf<Piece> = [Taker<Piece>] extends [never]
  ? unknown
  : Taker<Piece> extends (params: infer All) => void
    ? All
    : never

/**
 * SQL over tables of several slices: each owner exports what others may ask of its tables, and the text around it names none of them. A
 * fragment stands in parentheses, as a table, a value or a list: `from ${accountOf} a`, `in ${keysOfAgent}`. The result needs every
 * parameter of its fragments.
 */
export function sql<Row, const Pieces extends readonly (string | AnyFragment)[]>(
  strings: TemplateStringsArray,
  ...pieces: Pieces
): Fragment<Row, ParamsOf<Pieces[number]>> {
  const text = strings
    .map((string, index) => {
      const piece = pieces[index]
      return piece === undefined ? string : string + (typeof piece === 'string' ? piece : `(${piece.text})`)
    })
    .join('')
  return { text }
}

/**
 * A fragment about the rows of the statement around it. The named parameters become columns of that statement, such as `c.account_id`, or
 * other parameters of it, such as `$order_id`. PostgreSQL plans a plain fragment in `cross join lateral` as an ordinary join. Throws
 * where the fragment gives a table of its own the same name, because it would then read its own column.
 */
export function correlate<Row, Params, Column extends keyof Params & string>(
  fragment: Fragment<Row, Params>,
  columns: Readonly<Record<Column, `${string}.${string}` | `$${string}`>>,
): Fragment<Row, Omit<Params, Column>> {
  const outer = new Map(Object.entries<string>(columns))
  const code = fragment.text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, '')
  for (const column of outer.values()) {
    const table = /^\w+/.exec(column)?.[0]
    if (table !== undefined && new RegExp(`(?<![\\w$.])${table}\\b`).test(code))
      throw new Error(`${column} is hidden by a name in: ${fragment.text}`)
  }
  const text = fragment.text.replace(/\$([a-z_][a-z0-9_]*)/g, (written, name: string) => {
    const column = outer.get(name)
    if (column === undefined) return written
    return /^[\w$.]+$/.test(column) ? column : `(${column})`
  })
  return { text }
}

import type { Fragment } from '../../contract/statement.ts'

// biome-ignore lint/suspicious/noExplicitAny: of any row and parameters
type AnyFragment = Fragment<any, any>
type Taker<Piece> = Piece extends Fragment<unknown, infer Params> ? (params: Params) => void : never
/** What all of these fragments take: parameters of one name are one value. */
type ParamsOf<Piece> = [Taker<Piece>] extends [never]
  ? unknown
  : Taker<Piece> extends (params: infer All) => void
    ? All
    : never

/**
 * SQL over tables of several slices: each owner exports what others may ask of its tables, and the text around it names none of them. A
 * fragment stands in parentheses, as a table, a value or a list: `from ${accountOf} a`, `in ${keysOfAgent}`. What takes the result must
 * give every parameter of its fragments.
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
 * A fragment about the rows of the statement around it: these of its parameters are columns there, such as `c.account_id`, or another
 * parameter of the statement, such as `$order_id`. PostgreSQL plans a plain one, put into `cross join lateral`, as the join that it says.
 * Throws where the fragment calls a table of its own by the same name: it would read its own column.
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

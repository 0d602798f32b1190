import { type Fragment, type Statement, statement } from '../../contract/statement.ts'

/** One of several reads that are asked together, with its columns that hold times. */
export type Part<Row, Params> = {
  readonly declared: Fragment<Row, Params>
  readonly times: readonly TimesOf<Row>[]
}

type TimesOf<Row> = {
  [Column in keyof Row]-?: Date extends Row[Column] ? Column : never
}[keyof Row]

type BigintsOf<Row> = {
  [Column in keyof Row]-?: bigint extends Row[Column] ? Column : never
}[keyof Row]

/** Rows travel as JSON: columns that hold times are named here, and a `bigint` column, which would lose digits, is a type error. */
export function part<Row, Params>(
  declared: Fragment<Row, Params>,
  times: readonly TimesOf<Row>[],
  ..._noBigints: [BigintsOf<Row>] extends [never] ? [] : [never]
): Part<Row, Params> {
  return { declared, times }
}

/** A row of the statement: which part it belongs to, and what it says. */
export type PartRow = { part: number; row: Record<string, unknown> }

// biome-ignore lint/suspicious/noExplicitAny: a part of whatever row and parameters
type AnyPart = Part<any, any>
type RowsOf<P> = P extends Part<infer Row, infer _Params> ? Row[] : never
type ParamsOf<P> = P extends Part<infer _Row, infer Params> ? (params: Params) => void : never
/** What every part needs: parameters of one name are one value. */
type AllParams<Parts> = {
  [Name in keyof Parts]: ParamsOf<Parts[Name]>
}[keyof Parts] extends (params: infer Params extends Record<string, unknown>) => void
  ? Params
  : never

export type Together<Parts> = {
  (params: AllParams<Parts>): Statement<PartRow>
  /** The rows of each part, in its own order. */
  read(rows: readonly PartRow[]): { [Name in keyof Parts]: RowsOf<Parts[Name]> }
}

/**
 * Several reads, each told by the slice that owns it, as one statement: the fixed cost of a statement, in PostgreSQL and in the
 * driver, is more than what a read by key costs itself (measured: five reads 330 µs, together 150 µs).
 */
export function combineReads<Parts extends Record<string, AnyPart>>(
  name: string,
  parts: Parts,
): Together<Parts> {
  const named = Object.entries(parts)
  const text = named
    .map(
      ([, { declared }], index) => `select ${index} as part, row_to_json(r) as row from (${declared.text}) r`,
    )
    .join('\nunion all\n')
  return Object.assign(statement<PartRow, AllParams<Parts>>(name, text), {
    read(rows: readonly PartRow[]) {
      const read = named.map((): Record<string, unknown>[] => [])
      for (const { part: index, row } of rows) {
        for (const column of named[index]?.[1].times ?? []) row[String(column)] = timeOf(row[String(column)])
        read[index]?.push(row)
      }
      return Object.fromEntries(named.map(([key], index) => [key, read[index] ?? []])) as {
        [Name in keyof Parts]: RowsOf<Parts[Name]> // row mapper: what the parts select
      }
    },
  })
}

function timeOf(value: unknown): Date | null {
  return typeof value === 'string' ? new Date(value) : null
}

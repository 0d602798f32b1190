import { type Fragment, type Statement, statement } from '../../contract/statement.ts'
import { forMany } from './for-many.ts'

/** One of several reads that are sent together, with the names of its columns that hold times and large numbers. */
export type Part<Row, Params> = {
  readonly declared: Fragment<Row, Params>
  readonly times: readonly TimesOf<Row>[]
  readonly bigints: readonly BigintsOf<Row>[]
}

type TimesOf<Row> = {
  [Column in keyof Row]-?: Date extends Row[Column] ? Column : never
}[keyof Row]

type BigintsOf<Row> = {
  [Column in keyof Row]-?: bigint extends Row[Column] ? Column : never
}[keyof Row]

/**
 * Rows travel as JSON: columns that hold times are named here. A `bigint` column would lose digits as a number of JSON: the fragment selects
 * it as text (`columnsAsText` of an aggregate), and it is named too.
 */
export function part<Row, Params>(
  declared: Fragment<Row, Params>,
  times: readonly TimesOf<Row>[],
  ...[bigints = []]: [BigintsOf<Row>] extends [never] ? [] : [bigints: readonly BigintsOf<Row>[]]
): Part<Row, Params> {
  return { declared, times, bigints }
}

/** A row of the statement: the part that it belongs to, and its columns. */
type PartRow = { part: number; row: Record<string, unknown> }

// biome-ignore lint/suspicious/noExplicitAny: a part of any row and any parameters
type AnyPart = Part<any, any>
type RowsOf<P> = P extends Part<infer Row, infer _Params> ? Row[] : never
type ParamsOf<P> = P extends Part<infer _Row, infer Params> ? (params: Params) => void : never
/** The parameters of all parts: parameters of one name are one value. */
type AllParams<Parts> = {
  [Name in keyof Parts]: ParamsOf<Parts[Name]>
}[keyof Parts] extends (params: infer Params extends Record<string, unknown>) => void
  ? Params
  : never

type Together<Parts> = {
  (params: AllParams<Parts>): Statement<PartRow>
  /** The rows of each part, in its own order. */
  read(rows: readonly PartRow[]): { [Name in keyof Parts]: RowsOf<Parts[Name]> }
}

/**
 * Several reads, each written by the slice that owns its tables, as one statement. The fixed cost of a statement, in PostgreSQL and in
 * the driver, is higher than the cost of a read by key (measured: five reads 330 µs, together 150 µs). `isForMany`: it is about rows of a root,
 * and can be sent once for several (see `forMany`).
 */
export function combineReads<Parts extends Record<string, AnyPart>>(
  name: string,
  parts: Parts,
  { isForMany = false }: { isForMany?: boolean } = {},
): Together<Parts> {
  const named = Object.entries(parts)
  const text = named
    .map(
      ([, { declared }], index) => `select ${index} as part, row_to_json(r) as row from (${declared.text}) r`,
    )
    .join('\nunion all\n')
  const declared = statement<PartRow, AllParams<Parts>>(name, text)
  return Object.assign(isForMany ? forMany(name, declared) : declared, {
    read(rows: readonly PartRow[]) {
      const read = named.map((): Record<string, unknown>[] => [])
      for (const { part: index, row } of rows) {
        for (const column of named[index]?.[1].times ?? []) row[String(column)] = timeOf(row[String(column)])
        for (const column of named[index]?.[1].bigints ?? [])
          row[String(column)] = bigintOf(row[String(column)])
        read[index]?.push(row)
      }
      return Object.fromEntries(named.map(([key], index) => [key, read[index] ?? []])) as {
        [Name in keyof Parts]: RowsOf<Parts[Name]> // row mapper: what the parts select
      }
    },
  })
}

function bigintOf(value: unknown): bigint | null {
  if (value === null) return null
  if (typeof value !== 'string') throw new Error('a bigint column came as a number of JSON and not as text')
  return BigInt(value)
}

function timeOf(value: unknown): Date | null {
  return typeof value === 'string' ? new Date(value) : null
}

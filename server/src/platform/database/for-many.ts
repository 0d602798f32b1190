import type { DeclaredStatement, Many, Statement } from '../../contract/statement.ts'
import { correlate } from './fragment.ts'

/** PostgreSQL's types of parameters, by name; a parameter that is not named is text. */
type Types = Readonly<Record<string, string>>

const typesOfTenants: Types = { mode: 'mode' }

/**
 * A read that can be sent once for several sets of values, each a row of JSON. `offset 0` keeps the read whole: it runs for one row after
 * the other, in their order, by the indexes that it would use alone, and locks what it locks in that order.
 */
export function forMany<Row, Params extends Record<string, unknown>>(
  name: string,
  declared: DeclaredStatement<Row, Params>,
  types: Types = {},
): DeclaredStatement<Row, Params> {
  const { names } = declared
  const typed = names.map((param) => `${param} ${types[param] ?? typesOfTenants[param] ?? 'text'}`)
  const columns = Object.fromEntries(names.map((param) => [param, `given.${param}`] as const))
  const each = correlate(declared, columns as Record<keyof Params & string, `given.${string}`>).text
  const text = `select given.member, one.* from json_to_recordset($1::json) as given (member int, ${typed.join(', ')})
   cross join lateral (select * from (${each}) as its offset 0) as one`
  const together: Many['together'] = (values) => ({
    name: `${name}_for_many`,
    text,
    values: [jsonOf(values, ['member', ...names], (row, index) => [index, ...row])],
  })
  return withMany(declared, () => ({ key: name, together }))
}

/** The same for a write of whole columns of a table, whose rows come as JSON in `written`. `raw`: columns whose values are JSON already. */
export function writeForMany<Params extends Record<string, unknown>>(
  name: string,
  declared: DeclaredStatement<never, Params>,
  { text, raw }: { text: string; raw: readonly string[] },
): DeclaredStatement<never, Params> {
  const { names } = declared
  const together: Many['together'] = (values) => ({
    name: `${name}_for_many`,
    text,
    values: [jsonOf(values, names, (row) => row, new Set(raw))],
    isAlone: true,
  })
  return withMany(declared, () => ({ key: name, together }))
}

/**
 * A write that takes arrays takes those of several one after the other, and the latest of their times. Whatever else it takes has to be
 * equal.
 */
export function concatenating<Row, Params extends Record<string, unknown>>(
  name: string,
  declared: DeclaredStatement<Row, Params>,
): DeclaredStatement<Row, Params> {
  return withMany(declared, ({ values, ...one }) => {
    const equal = values.filter((value) => !Array.isArray(value) && !(value instanceof Date))
    return {
      key: `${name} ${JSON.stringify(equal)}`,
      together: (all) => ({
        ...one,
        values: values.map((value, place) => {
          if (Array.isArray(value)) return all.flatMap((each) => each[place])
          if (!(value instanceof Date)) return value
          return all
            .map((each) => each[place])
            .reduce((latest, time) => (Number(time) > Number(latest) ? time : latest))
        }),
      }),
    }
  })
}

function withMany<Row, Params extends Record<string, unknown>>(
  declared: DeclaredStatement<Row, Params>,
  manyOf: (one: Statement<Row>) => Many,
): DeclaredStatement<Row, Params> {
  const { text, names } = declared
  return Object.assign(
    (params: Params): Statement<Row> => {
      const one = declared(params)
      return { ...one, many: manyOf(one) }
    },
    { text, names },
  )
}

type Values = readonly (readonly unknown[])[]

function jsonOf(
  values: Values,
  names: readonly string[],
  cells: (row: readonly unknown[], index: number) => readonly unknown[],
  raw: ReadonlySet<string> = new Set(),
): string {
  const keys = names.map((name) => `"${name}":`)
  const rows = values.map((row, index) => {
    const all = cells(row, index).map(
      (value, place) => `${keys[place]}${raw.has(names[place] ?? '') ? (value ?? 'null') : textOf(value)}`,
    )
    return `{${all.join()}}`
  })
  return `[${rows.join()}]`
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'undefined':
      return 'null'
    case 'object':
      return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : JSON.stringify(value)
    default:
      return JSON.stringify(value)
  }
}

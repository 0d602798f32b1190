import type { Mode } from '../../contract/context.ts'
import { type DeclaredStatement, type Statement, statement } from '../../contract/statement.ts'
import { amountToJson } from '../../core/amounts-in-json.ts'
import type { Id } from '../../core/id.ts'
import { forMany, writeForMany } from '../database/for-many.ts'

export type Tenanted = { account_id: Id<'acct'>; mode: Mode }

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trimmed<Rest> : Text
/** The names in a list of columns, as it is written in SQL. */
type NamesIn<List extends string, Found extends string = never> = List extends `${infer First},${infer Rest}`
  ? NamesIn<Rest, Found | Trimmed<First>>
  : Found | Trimmed<List>

type Differences<Row, Names> = {
  notNamed: Exclude<keyof Row, Names>
  notInTheRow: Exclude<Names, keyof Row>
}
/** Refuses a list that leaves out a column of the row, or names another. */
type AllOf<Row, Names> = [Exclude<keyof Row, Names> | Exclude<Names, keyof Row>] extends [never]
  ? unknown
  : Differences<Row, Names>

type ColumnOf<Row> = keyof Row & string
/** Ids come from callers, and are any text until a row is found by them. */
type KeyOf<Row, Key extends keyof Row> = Tenanted & {
  [Column in Key]: Row[Column] extends string ? string : Row[Column]
}

type Definition<Row, Columns extends string, Key extends ColumnOf<Row>> = {
  readonly table: string
  /** All columns of a `Row`, as a list of SQL. `account_id` and `mode` are among them where the row says whose it is. */
  readonly columns: Columns & AllOf<Row, NamesIn<Columns>>
  /** What finds one row of a tenant: `['id']`, or `[]` where a tenant has one. */
  readonly key: readonly Key[]
  /** Columns that hold JSON: values inside, text on the way to the database. */
  readonly json?: readonly ColumnOf<Row>[]
  /** What never changes after the insert, besides the key and `created_at`. */
  readonly fixed?: readonly ColumnOf<Row>[]
}

type Update<Column> = {
  /** The columns that it writes; without it, all that can change. */
  readonly only?: readonly Column[]
  /** A worker that has claimed the row has it no longer. */
  readonly endsLease?: boolean
}

/** The statements that are the same for each table whose rows are found by a key and written whole. */
type Aggregate<Row, Key extends keyof Row> = {
  /** What is selected for a `Row`. */
  readonly columns: string
  /** The same of a table that the statement calls so. */
  columnsOf(alias: string): string
  /** The same with these columns as text: for rows that travel as JSON (`combineReads`). */
  columnsAsText(texts: readonly ColumnOf<Row>[]): string
  select(name: string): DeclaredStatement<Row, KeyOf<Row, Key>>
  /** Holds the row until the transaction ends. `no key`: not against rows that refer to it. */
  lock(name: string, how: 'for update' | 'for no key update'): DeclaredStatement<Row, KeyOf<Row, Key>>
  /** `onConflict` follows the values. */
  insert(name: string, onConflict?: string): (row: Row & Tenanted) => Statement<never>
  /** Under a lock of the row. */
  update<Column extends ColumnOf<Row> = ColumnOf<Row>>(
    name: string,
    how?: Update<Column>,
  ): (row: Pick<Row, Column | Key> & Tenanted) => Statement<never>
  /** The same for these columns of the row alone: a statement for each set of them that occurs. */
  change(
    name: string,
    how?: Pick<Update<never>, 'endsLease'>,
  ): (row: Partial<Row> & Pick<Row, Key> & Tenanted, changed: ReadonlySet<string>) => Statement<never>
  /** The columns that differ, of those that can change. */
  differences(before: Row, after: Row): ReadonlySet<string>
}

/**
 * Declares a table of an aggregate, once for all statements that read and write its rows whole. Statements that say something more are
 * written beside it, with its `columns`.
 */
export function aggregate<Row extends Record<string, unknown>>() {
  return <Columns extends string, Key extends ColumnOf<Row>>(
    definition: Definition<Row, Columns, Key>,
  ): Aggregate<Row, Key> => {
    const { table, key, json = [], fixed = [] } = definition
    const columns = definition.columns.split(',').map((column) => column.trim() as ColumnOf<Row>) // its own list
    const inserted = [...new Set(['account_id', 'mode', ...columns])]
    const kept = new Set<string>(['account_id', 'mode', 'created_at', ...key, ...fixed])
    const byKey = [
      'account_id = $account_id and mode = $mode',
      ...key.map((column) => `${column} = $${column}`),
    ].join(' and ')
    const changeable = columns.filter((column) => !kept.has(column))
    const updateOf = (name: string, changed: readonly string[], endsLease: boolean) => {
      const sets = changed.map((column) => `${column} = $${column}`)
      if (endsLease) sets.push('lease_until = null')
      // What it leaves alone need not become text.
      const written = json.filter((column) => changed.includes(column))
      // guard tenant-of-written-row: rows of other accounts and of the other mode do not exist for the caller
      const text = `update ${table} set ${sets.join(', ')} where ${byKey}`
      const update = statement<never, Record<string, unknown>>(name, text)
      const many = {
        // guard changes-for-many-by-key: a change of several rows changes each by its own key
        // guard changes-for-many-by-tenant: a change of several rows changes those of their own tenants
        text: `update ${table} as kept set ${sets.map((set) => set.replace('$', 'its.')).join(', ')}
         from json_populate_recordset(null::${table}, $1::json) as its
         where kept.account_id = its.account_id and kept.mode = its.mode${key.map((column) => ` and kept.${column} = its.${column}`).join('')}`,
        raw: written,
      }
      return writing(written, writeForMany(name, update, many))
    }
    const found = `select ${columns.join(', ')} from ${table} where ${byKey}`
    return {
      columns: columns.join(', '),
      columnsAsText: (texts) =>
        columns
          .map((column) => (texts.includes(column) ? `${column}::text as ${column}` : column))
          .join(', '),
      columnsOf: (alias) => columns.map((column) => `${alias}.${column}`).join(', '),
      // guard tenant-of-row: rows of other accounts and of the other mode do not exist for the caller
      select: (name) => forMany(name, statement(name, found)),
      // guard tenant-of-locked-row: rows of other accounts and of the other mode do not exist for the caller
      lock: (name, how) => statement(name, `${found} ${how}`),
      insert: (name, onConflict = '') => {
        const list = inserted.join(', ')
        const insert = statement<never, Record<string, unknown>>(
          name,
          `insert into ${table} (${list}) values (${inserted.map((column) => `$${column}`).join(', ')}) ${onConflict}`.trim(),
        )
        const many = {
          text: `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::json) ${onConflict}`.trim(),
          raw: json,
        }
        return writing(json, writeForMany(name, insert, many))
      },
      update: (name, { only, endsLease = false } = {}) => updateOf(name, only ?? changeable, endsLease),
      change: (name, { endsLease = false } = {}) => {
        const declared = new Map<string, (row: Record<string, unknown>) => Statement<never>>()
        return (row, changed) => {
          const written = changeable.filter((column) => changed.has(column))
          const missing = written.find((column) => row[column] === undefined)
          if (missing) throw new Error(`a change of ${table} does not say what ${missing} is`)
          const known = declared.get(written.join())
          if (known) return known(row)
          const update = updateOf(`${name}_${numberOf(written, changeable)}`, written, endsLease)
          declared.set(written.join(), update)
          return update(row)
        }
      },
      differences: (before, after) =>
        new Set(changeable.filter((column) => before[column] !== after[column])),
    }
  }
}

function writing<Written extends Record<string, unknown>>(
  json: readonly string[],
  declared: (row: Record<string, unknown>) => Statement<never>,
): (row: Written) => Statement<never> {
  return (row) => {
    const values: Record<string, unknown> = { ...row }
    for (const column of json) values[column] = jsonOf(values[column])
    return declared(values)
  }
}

/** Tells sets of columns apart in the names of statements, and is the same in every process. */
function numberOf(written: readonly string[], all: readonly string[]): string {
  return written.reduce((sum, column) => sum + 2n ** BigInt(all.indexOf(column)), 0n).toString(36)
}

/** A null is none, rather than the null of JSON. */
function jsonOf(value: unknown): unknown {
  return value === null ? null : JSON.stringify(value, amountToJson)
}

/**
 * A state machine as data: for each state, the state that each trigger leads to. The table is the documentation; a change locks its row,
 * asks the table, and writes the row under the lock.
 */
export type StateTable<State extends string, Trigger extends string> = {
  readonly [S in State]: { readonly [T in Trigger]?: State }
}

type AnyTable = Readonly<Record<string, Readonly<Record<string, string>>>>
type StateOf<Table> = keyof Table & string
type TriggerOf<Table> = { [State in keyof Table]: keyof Table[State] & string }[keyof Table]

/** The state that `trigger` leads to from `from`, or null when the table does not allow it. */
export function next<const Table extends AnyTable>(
  table: Table,
  from: StateOf<Table>,
  trigger: TriggerOf<Table>,
): StateOf<Table> | null {
  return (table[from]?.[trigger] as StateOf<Table> | undefined) ?? null // every target of a table is one of its states
}

/** States that no trigger leaves. */
export function terminalStates<const Table extends AnyTable>(table: Table): StateOf<Table>[] {
  const states: StateOf<Table>[] = Object.keys(table)
  return states.filter((state) => Object.keys(table[state] ?? {}).length === 0)
}

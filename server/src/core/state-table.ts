/**
 * A state machine as data: for each state, which trigger leads where. The table is the documentation; the update that applies a
 * transition is a compare-and-set on the state it left.
 */
export type StateTable<State extends string, Trigger extends string> = {
  readonly [S in State]: { readonly [T in Trigger]?: State }
}

/** The state that `trigger` leads to from `from`, or null when the table does not allow it. */
export function next<State extends string, Trigger extends string>(
  table: StateTable<State, Trigger>,
  from: State,
  trigger: Trigger,
): State | null {
  return table[from][trigger] ?? null
}

/** States without a way out. */
export function terminalStates<State extends string, Trigger extends string>(
  table: StateTable<State, Trigger>,
): State[] {
  const states = Object.keys(table) as State[] // Object.keys forgets the key type of a closed record
  return states.filter((state) => Object.keys(table[state]).length === 0)
}

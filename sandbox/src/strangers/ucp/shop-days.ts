import type { Desk } from '../shop/desk.ts'

const note = 'day'

/** The shop's own clock. */
export function dayOf({ memory }: Desk): number {
  return Number(memory.notes.get(note) ?? 0)
}

export function setDay({ memory }: Desk, day: number): void {
  memory.commit({ kind: 'note', name: note, value: String(day) })
}

import type { PageReader } from '../../channels/browser/page-reader.ts'

/** A reader of pages during one visit, and what it has been asked. */
export type Help = {
  readonly reader: PageReader
  /** Pages as they were shown: what did not help once does not help again. */
  readonly seen: Set<string>
  moves: number
  spentMs: number
  /** It has answered nothing, or something that may not be done: nobody asks it again. */
  isOver: boolean
}

export function helpOf(reader: PageReader): Help {
  return { reader, seen: new Set(), moves: 0, spentMs: 0, isOver: false }
}

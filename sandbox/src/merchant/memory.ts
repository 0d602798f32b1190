import { join } from 'node:path'
import { openDurableLog } from '../durable-log.ts'

/** One webhook destination of one merchant, as the service handed it out. */
export type Destination = { merchant: string; id: string; secret: string; apiOrigin: string }

export type Settings = {
  lateAfterMs: number
  slowAckMs: number
  defaultUnitAmount: number
  defaultCurrency: string
}

/** One line of the public log. `status` is an HTTP status (0: no answer), or for an order its state in our book. */
export type Entry = {
  at: string
  kind: 'delivery' | 'answer' | 'order'
  merchant: string
  event_id: string | null
  event_type: string | null
  order_id?: string
  quote_id?: string
  status: number | string
  verified: boolean
  note?: string
}

/**
 * An answer that we owe. The body is frozen when we decide: every retry sends these bytes. Only the path of the response URL is
 * kept, because the credentials go to the configured origin and nowhere else.
 */
export type OwedAnswer = {
  id: string
  merchant: string
  destinationId: string
  eventId: string
  eventType: string
  targetId: string
  path: string
  body: string
  outcome: string
  dueAt: string
  mistake: 'none' | 'wrong_signature' | 'wrong_event'
}

type Line =
  | { kind: 'destination'; destination: Destination }
  | { kind: 'settings'; settings: Partial<Settings> }
  | { kind: 'entry'; entry: Entry }
  | { kind: 'accepted'; eventId: string; owed: OwedAnswer[]; entry: Entry; asked?: string }
  | { kind: 'failed_once'; eventId: string; entry: Entry }
  | { kind: 'answered'; answerId: string; entries: Entry[] }

export type Memory = {
  settings: Settings
  destinations: Map<string, Destination>
  acceptedEvents: Set<string>
  failedEvents: Set<string>
  orders: Map<string, string>
  /** How many orders came for a URL of a merchant. */
  asked: Map<string, number>
  owed: Map<string, OwedAnswer>
  entries: Entry[]
  commit(line: Line): void
  durable(): Promise<void>
  close(): Promise<void>
}

export async function openMemory(stateDir: string, defaults: Settings): Promise<Memory> {
  const memory: Memory = {
    settings: defaults,
    destinations: new Map(),
    acceptedEvents: new Set(),
    failedEvents: new Set(),
    orders: new Map(),
    asked: new Map(),
    owed: new Map(),
    entries: [],
    commit: () => {},
    durable: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const log = await openDurableLog<Line>(join(stateDir, 'merchant.jsonl'), (line) => applyLine(memory, line))
  memory.commit = (line) => {
    applyLine(memory, line)
    void log.append(line)
  }
  memory.durable = log.durable
  memory.close = log.close
  return memory
}

/** A destination belongs to one merchant: the same id under another path is another, unknown one. */
export function destinationKey(merchant: string, id: string): string {
  return `${merchant}/${id}`
}

function applyLine(memory: Memory, line: Line): void {
  switch (line.kind) {
    case 'destination':
      memory.destinations.set(
        destinationKey(line.destination.merchant, line.destination.id),
        line.destination,
      )
      return
    case 'settings':
      memory.settings = { ...memory.settings, ...line.settings }
      return
    case 'entry':
      addEntry(memory, line.entry)
      return
    case 'accepted':
      memory.acceptedEvents.add(line.eventId)
      for (const answer of line.owed) memory.owed.set(answer.id, answer)
      if (line.asked !== undefined) memory.asked.set(line.asked, (memory.asked.get(line.asked) ?? 0) + 1)
      addEntry(memory, line.entry)
      return
    case 'failed_once':
      memory.failedEvents.add(line.eventId)
      addEntry(memory, line.entry)
      return
    case 'answered':
      memory.owed.delete(line.answerId)
      for (const entry of line.entries) addEntry(memory, entry)
      return
    default:
      line satisfies never
  }
}

function addEntry(memory: Memory, entry: Entry): void {
  memory.entries.push(entry)
  if (entry.kind === 'order' && entry.order_id !== undefined)
    memory.orders.set(entry.order_id, String(entry.status))
}

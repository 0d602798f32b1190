import type { Language, Spoken } from '../../../src/domain/chats/planner/understood.ts'

/** What a person said in a place of a conversation, and every reading of it that is right, as the sandbox tells it. */
export type Utterance = {
  readonly language: Language
  readonly kind: string
  readonly says: string
  /** Null for the first message of a thread. */
  readonly spoken: Partial<Spoken> | null
  readonly readings: readonly (readonly Meant[])[]
}

/** A wish on either side: the server counts in big integers, the sandbox in numbers. */
type Meant = { readonly action: string }

/** How one utterance was read. */
export type Reading = {
  readonly utterance: Utterance
  readonly language: string
  readonly wishes: readonly Meant[]
}

export type Verdict = 'right' | 'language' | 'wishes' | 'buy'

/** A purchase that nobody asked for is worse than anything else that may be misread. */
export function judge({ utterance, language, wishes }: Reading): Verdict {
  const { readings } = utterance
  const buys = (all: readonly Meant[]) => all.some(({ action }) => action === 'buy')
  if (buys(wishes) && !readings.some(buys)) return 'buy'
  const read = canonical(wishes)
  if (!readings.some((meant) => canonical(meant) === read)) return 'wishes'
  return language === utterance.language ? 'right' : 'language'
}

/**
 * Wishes as text, so that two which mean the same are the same text: neither case, width of letters and spaces nor the order of slots
 * tells them apart. What is spoken of is meant where nothing else is named.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(simplify(value))
}

function simplify(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return value.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
  if (Array.isArray(value)) return value.map(simplify)
  if (typeof value !== 'object' || value === null) return value
  const slots = Object.entries(value)
    .filter(([slot, held]) => held !== undefined && !isNothing(slot, held))
    .map(([slot, held]) => [slot, slot === 'without' ? simplify([...held].sort()) : simplify(held)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(slots)
}

function isNothing(slot: string, held: unknown): boolean {
  if (typeof held !== 'object' || held === null) return false
  if (Object.keys(held).length === 0) return true
  return slot === 'which' && 'by' in held && held.by === 'it'
}

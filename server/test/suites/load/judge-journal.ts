import type { JournalLine } from './synced-journal.ts'

/** What the database knows of the things a driver asked for. */
export type StoredFacts = {
  /** Purchases by the reference of their wish. */
  purchases: ReadonlyMap<string, readonly { id: string; events: readonly string[] }[]>
  profiles: ReadonlySet<string>
}

export type Verdict = { id: string; title: string; checked: number; violations: string[] }

/** Refusals that a service may answer with, because purchases go on while somebody asks. */
const fairRefusals: Readonly<Record<string, readonly string[]>> = {
  cancel: ['not_cancellable'],
  // Called off by somebody else, or expired: nobody else does, and nothing lives that long.
  approve: [],
  create: [],
  profile: [],
}

/**
 * Holds what a driver was told against what is stored: every acknowledged write is there (W1), equal requests made one object (W5), and
 * everything that was asked got a word in the end (W2).
 */
export function judgeJournal(lines: readonly JournalLine[], stored: StoredFacts): Verdict[] {
  const asked = lines.filter((line) => line.kind === 'asked')
  const answered = lines.filter((line) => line.kind === 'answered')
  const acknowledged = answered.filter(({ status }) => status < 300)
  const byId = new Map([...stored.purchases.values()].flat().map((purchase) => [purchase.id, purchase]))
  const targets = new Map(asked.map(({ name, target }) => [name, target]))

  const lost = acknowledged.flatMap(({ name, deed, id }) => {
    if (deed === 'profile') return stored.profiles.has(id ?? '') ? [] : [`${id} of ${name} is gone`]
    const target = deed === 'create' ? id : (targets.get(name) ?? null)
    const purchase = byId.get(target ?? '')
    if (!purchase) return [`${target} of ${name} is gone`]
    return purchase.events.includes(eventOf[deed])
      ? []
      : [`${target} was told ${deed} and shows no ${eventOf[deed]}`]
  })

  const several = [...Map.groupBy(acknowledged, ({ name }) => name)].flatMap(([name, told]) => {
    const ids = new Set(told.map(({ id }) => id))
    return ids.size > 1 ? [`${name} was told ${[...ids].join(' and ')}`] : []
  })
  const doubles = [...stored.purchases].flatMap(([reference, made]) =>
    made.length > 1 ? [`${reference} made ${made.map(({ id }) => id).join(' and ')}`] : [],
  )

  const heard = new Set(answered.map(({ name }) => name))
  const silent = asked.flatMap(({ name }) => (heard.has(name) ? [] : [`${name} never got a word`]))
  const unfair = answered.flatMap(({ name, deed, status, code }) =>
    status >= 300 && !fairRefusals[deed]?.includes(code ?? '')
      ? [`${name} was refused with ${status} ${code}`]
      : [],
  )
  return [
    { id: 'W1', title: 'Every acknowledged write is there', checked: acknowledged.length, violations: lost },
    {
      id: 'W5',
      title: 'Equal requests made one object',
      checked: asked.length,
      violations: [...several, ...doubles],
    },
    {
      id: 'W2-answers',
      title: 'Everything asked for got a word, and a fair one',
      checked: asked.length,
      violations: [...silent, ...unfair],
    },
  ]
}

const eventOf = {
  create: 'purchase_intent.created',
  approve: 'purchase_intent.approved',
  cancel: 'purchase_intent.cancelled',
} as const

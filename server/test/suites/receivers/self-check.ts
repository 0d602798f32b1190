import type { Tally } from '../suite.ts'
import type { Reception } from './journal.ts'
import { type Case, judge, type Owed } from './judge.ts'

/** A fault planted in the facts of both sides, and the guarantee under which the judge must find it. */
type Planted = { fault: string; word: string; plant: (facts: Case, random: () => number) => Case }

/** Judges that find nothing must be able to: each of these faults is planted in the facts of this run, and must be found. */
export function checkJudge(facts: Case, tally: Tally, random: () => number): void {
  const before = judge(facts).broken.length
  for (const { fault, word, plant } of planted) {
    const { broken } = judge(plant(facts, random))
    if (broken.length > before && broken.some((line) => line.startsWith(word))) tally.pass()
    else tally.fail(`judge does not see that ${fault}`)
  }
  tally.figure('planted faults seen', planted.length)
}

const audiences = ['merchant', 'buyer'] as const

/** A delivery that is owed to a merchant and one that is owed to a buyer. */
const plantedBeside = audiences.flatMap((audience): Planted[] => [
  {
    fault: `a delivery to a ${audience} never arrived`,
    word: 'lost',
    plant: (facts, random) => {
      const { destination, event } = someReception(facts, random, audience)
      return {
        ...facts,
        journal: facts.journal.filter((one) => one.destination !== destination || one.event !== event),
      }
    },
  },
  {
    fault: `a delivery to a ${audience} was never made`,
    word: 'lost',
    plant: (facts, random) => {
      const { destination, event } = someReception(facts, random, audience)
      return {
        ...facts,
        deliveries: facts.deliveries.filter(
          (one) => one.destination_id !== destination || one.event_id !== event,
        ),
      }
    },
  },
  {
    fault: `a ${audience} was told what it did not subscribe to`,
    word: 'stray',
    plant: (facts, random) => {
      const told = someReception(facts, random, audience)
      const others = new Set(facts.owed.map(({ event }) => event))
      for (const { destination, event } of facts.owed)
        if (destination === told.destination) others.delete(event)
      const [event] = others
      if (event === undefined) throw new Error(`a ${audience} was owed everything`)
      return { ...facts, journal: [...facts.journal, { ...told, event, body: null }] }
    },
  },
  {
    fault: `a signature for a ${audience} is not valid`,
    word: 'signature',
    plant: (facts, random) => {
      const told = someReception(facts, random, audience)
      return {
        ...facts,
        journal: facts.journal.map((one) => (one === told ? { ...one, verified: [] } : one)),
      }
    },
  },
])

const planted: readonly Planted[] = [
  ...plantedBeside,
  {
    fault: 'a failed delivery has no next attempt',
    word: 'lost',
    plant: (facts) => ({
      ...facts,
      deliveries: facts.deliveries.map((one) =>
        facts.destinations.get(one.destination_id)?.fate === 'never'
          ? { ...one, next_attempt_at: null, status: 'failed' }
          : one,
      ),
      destinations: new Map([...facts.destinations].map(([id, one]) => [id, { ...one, status: 'enabled' }])),
    }),
  },
  {
    fault: 'two events of an order came in the wrong order',
    word: 'order',
    plant: (facts) => ({ ...facts, journal: facts.journal.toReversed() }),
  },
  {
    fault: 'the bytes of a retry differ',
    word: 'bytes',
    plant: (facts, random) => onRetry(facts, random, (retry) => ({ ...retry, digest: 'other' })),
  },
  {
    fault: 'a retry carries the signature of the attempt before',
    word: 'signature',
    plant: (facts, random) =>
      onRetry(facts, random, (retry, first) => ({
        ...retry,
        signature: first.signature,
        at: first.at + 60_000,
      })),
  },
  {
    fault: 'a signature is not valid',
    word: 'signature',
    plant: (facts, random) => onRetry(facts, random, (retry) => ({ ...retry, verified: [] })),
  },
  {
    fault: 'somebody was told who is owed nothing',
    word: 'stray',
    plant: (facts, random) => ({
      ...facts,
      journal: [...facts.journal, { ...someReception(facts, random), event: 'evt_of_somebody_else' }],
    }),
  },
  {
    fault: 'a refusal is told as an acknowledgement',
    word: 'invented',
    plant: (facts, random) => {
      const { destination, event } = someReception(facts, random)
      const isIt = (one: Reception) => one.destination === destination && one.event === event
      return { ...facts, journal: facts.journal.map((one) => (isIt(one) ? { ...one, status: 500 } : one)) }
    },
  },
  { fault: 'a redirect was followed', word: 'redirect', plant: (facts) => ({ ...facts, canaryHits: 1 }) },
]

/** One that a healthy endpoint took, so that it must have arrived: for endpoints that turn bad later the judge takes our word. */
function someReception(
  { journal, owed, destinations }: Case,
  random: () => number,
  audience: Owed['audience'] = 'merchant',
): Reception {
  const some = owed.filter(
    (one) => one.audience === audience && destinations.get(one.destination)?.fate === 'arrives',
  )
  const pairs = new Set(some.map(({ destination, event }) => `${destination} ${event}`))
  const found = journal.filter(
    ({ kind, status, destination, event }) =>
      kind === 'healthy' && status === 200 && pairs.has(`${destination} ${event}`),
  )
  const one = found[Math.floor(random() * found.length)]
  if (!one) throw new Error('nothing was received in good health')
  return one
}

/** A reception that was not the first of its event, and the one before it. */
function onRetry(
  facts: Case,
  random: () => number,
  change: (retry: Reception, first: Reception) => Reception,
): Case {
  const first = new Map<string, Reception>()
  const retries: { retry: Reception; before: Reception }[] = []
  for (const reception of facts.journal) {
    const pair = `${reception.destination} ${reception.event}`
    const before = first.get(pair)
    first.set(pair, before ?? reception)
    if (before !== undefined) retries.push({ retry: reception, before })
  }
  const chosen = retries[Math.floor(random() * retries.length)]
  if (!chosen) throw new Error('nothing was ever tried again')
  const { retry, before } = chosen
  return { ...facts, journal: facts.journal.map((one) => (one === retry ? change(one, before) : one)) }
}

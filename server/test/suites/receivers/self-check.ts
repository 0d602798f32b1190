import type { Tally } from '../suite.ts'
import type { Reception } from './journal.ts'
import { type Case, judge, type Owed } from './judge.ts'

/** A fault planted in what both sides said, and the word that the judge must find it with. */
type Planted = { fault: string; word: string; plant: (facts: Case) => Case }

/** Judges that find nothing must be able to: each of these is planted in the facts of this very run, and must be found. */
export function checkJudge(facts: Case, tally: Tally): void {
  for (const { fault, word, plant } of planted) {
    const { broken } = judge(plant(facts))
    const before = judge(facts).broken.length
    if (broken.length > before && broken.some((line) => line.startsWith(word))) tally.pass()
    else tally.fail(`judge does not see that ${fault}`)
  }
  tally.figure('planted faults seen', planted.length)
}

const audiences = ['merchant', 'buyer'] as const

/** What is owed to a merchant and to a buyer alike. */
const plantedBeside = audiences.flatMap((audience): Planted[] => [
  {
    fault: `a delivery to a ${audience} never arrived`,
    word: 'lost',
    plant: (facts) => {
      const { destination, event } = someReception(facts, audience)
      return {
        ...facts,
        journal: facts.journal.filter((one) => one.destination !== destination || one.event !== event),
      }
    },
  },
  {
    fault: `a delivery to a ${audience} was never made`,
    word: 'lost',
    plant: (facts) => {
      const { destination, event } = someReception(facts, audience)
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
    plant: (facts) => {
      const told = someReception(facts, audience)
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
    plant: (facts) => {
      const told = someReception(facts, audience)
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
    plant: (facts) => onRetry(facts, (retry) => ({ ...retry, digest: 'other' })),
  },
  {
    fault: 'a retry carries the signature of the attempt before',
    word: 'signature',
    plant: (facts) =>
      onRetry(facts, (retry, first) => ({ ...retry, signature: first.signature, at: first.at + 60_000 })),
  },
  {
    fault: 'a signature is not valid',
    word: 'signature',
    plant: (facts) => onRetry(facts, (retry) => ({ ...retry, verified: [] })),
  },
  {
    fault: 'somebody was told who is owed nothing',
    word: 'stray',
    plant: (facts) => ({
      ...facts,
      journal: [...facts.journal, { ...someReception(facts), event: 'evt_of_somebody_else' }],
    }),
  },
  {
    fault: 'a refusal is told as an acknowledgement',
    word: 'invented',
    plant: (facts) => {
      const { destination, event } = someReception(facts)
      const isIt = (one: Reception) => one.destination === destination && one.event === event
      return { ...facts, journal: facts.journal.map((one) => (isIt(one) ? { ...one, status: 500 } : one)) }
    },
  },
  { fault: 'a redirect was followed', word: 'redirect', plant: (facts) => ({ ...facts, canaryHits: 1 }) },
]

/** One that an endpoint in good health took, which must have arrived: of those that turn bad later the judge takes our word. */
function someReception(
  { journal, owed, destinations }: Case,
  audience: Owed['audience'] = 'merchant',
): Reception {
  const some = owed.filter(
    (one) => one.audience === audience && destinations.get(one.destination)?.fate === 'arrives',
  )
  const pairs = new Set(some.map(({ destination, event }) => `${destination} ${event}`))
  const found = journal.find(
    ({ kind, status, destination, event }) =>
      kind === 'healthy' && status === 200 && pairs.has(`${destination} ${event}`),
  )
  if (!found) throw new Error('nothing was received in good health')
  return found
}

function onRetry(facts: Case, change: (retry: Reception, first: Reception) => Reception): Case {
  const first = new Map<string, Reception>()
  let isDone = false
  const journal = facts.journal.map((reception) => {
    const pair = `${reception.destination} ${reception.event}`
    const before = first.get(pair)
    first.set(pair, before ?? reception)
    if (isDone || before === undefined) return reception
    isDone = true
    return change(reception, before)
  })
  if (!isDone) throw new Error('nothing was ever tried again')
  return { ...facts, journal }
}

import { describe, expect, test } from 'vitest'
import type { EffectRow, HoldRow } from '../journal.ts'
import {
  at,
  beginsSomething,
  brief,
  decided,
  effect,
  hold,
  issued,
  now,
  type Row,
  rejected,
} from '../states.testing.ts'
import { pace } from '../step.ts'

const stranger = { payment: 'credential', hasStrangers: true, isNative: false } as const
const sold = { cart: { status: 'succeeded' } } as const

const active = hold('authorized', { kind: 'credential' })
const claimed = hold('authorized', { kind: 'credential', claimed_at: at(-60) })
const captured = hold('captured', { kind: 'credential', claimed_at: at(-60) })
const revoked = hold('voided', { kind: 'credential' })

const confirmed = (seconds = -120) => effect('place', 'done', { sent_at: at(seconds) })
const refused = (seconds = -120) => effect('place', 'refused', { refusal: rejected, sent_at: at(seconds) })
const closed = effect('place', 'closed')
const lost = (seconds: number, heard: 'nothing' | 'pending' = 'nothing') =>
  effect('place', 'unknown', { sent_at: at(seconds), heard, asked: 3, asked_at: at(-60) })
const revokeDone = effect('revoke', 'done')

const ends: readonly Row[] = [
  // The table of the design: charged or not, confirmed or not.
  ['confirmed and captured', { effects: [issued, confirmed()], holds: [captured] }, 'succeed'],
  ['confirmed and authorized', { effects: [issued, confirmed()], holds: [claimed] }, 'succeed'],
  [
    'confirmed, and there is time to charge',
    { effects: [issued, confirmed(-pace.strangerChargesSeconds + 0.001)], holds: [active] },
    'verify',
  ],
  [
    'confirmed, and nothing was charged in time',
    { effects: [issued, confirmed(-pace.strangerChargesSeconds)], holds: [active] },
    'send revoke',
  ],
  [
    'confirmed, and nothing can be charged any more',
    { effects: [issued, confirmed(), revokeDone], holds: [revoked] },
    'fail outcome_unknown',
  ],
  ['refused, and captured all the same', { effects: [issued, refused()], holds: [captured] }, 'succeed'],
  [
    'refused, and what it holds may be released',
    { effects: [issued, refused(-pace.strangerReleasesSeconds + 0.001)], holds: [claimed] },
    'verify',
  ],
  [
    'refused, and what it holds is kept',
    { effects: [issued, refused(-pace.strangerReleasesSeconds)], holds: [claimed] },
    'succeed',
  ],
  [
    'refused, and nothing was charged yet',
    { effects: [issued, refused(-10)], holds: [active] },
    'send revoke',
  ],
  [
    'refused, and nothing can be charged any more',
    { effects: [issued, refused(), revokeDone], holds: [revoked] },
    'fail order_rejected_by_merchant',
  ],
  ['no answer, and captured', { effects: [issued, closed], holds: [captured] }, 'succeed'],
  ['no answer, and authorized', { effects: [issued, closed], holds: [claimed] }, 'succeed'],
  ['no answer, and not charged yet', { effects: [issued, closed], holds: [active] }, 'send revoke'],
  [
    'no answer, and nothing can be charged any more',
    { effects: [issued, closed, revokeDone], holds: [revoked] },
    'fail merchant_unavailable same',
  ],
]

describe('what an attempt at a stranger came to', () => {
  test.each(ends)('%s', (_name, facts, step) => {
    expect(brief(decided({ ...stranger, ...facts }))).toBe(step)
  })

  test.each<Row>([
    [
      'a short while',
      { effects: [issued, lost(-pace.strangerGiveUpSeconds + 0.001)], holds: [active] },
      'ask place',
    ],
    [
      'longer than anybody waits for it',
      { effects: [issued, lost(-pace.strangerGiveUpSeconds)], holds: [active] },
      'send revoke',
    ],
    [
      'and has charged',
      { effects: [issued, lost(-pace.strangerGiveUpSeconds), revokeDone], holds: [claimed] },
      'settle place',
    ],
    [
      'and can charge nothing any more',
      { effects: [issued, lost(-pace.strangerGiveUpSeconds), revokeDone], holds: [revoked] },
      'settle place',
    ],
  ])('it is silent for %s', (_name, facts, step) => {
    expect(brief(decided({ ...stranger, ...facts }))).toBe(step)
  })

  test('one that considers the order is given as much time as any merchant, and then its credential is revoked', () => {
    const considering = (seconds: number) => ({
      effects: [issued, lost(seconds, 'pending')],
      holds: [active],
    })
    expect(brief(decided({ ...stranger, ...considering(-pace.giveUpSeconds + 60) }))).toBe('ask place')
    expect(brief(decided({ ...stranger, ...considering(-pace.giveUpSeconds) }))).toBe('send revoke')
  })
})

/**
 * Lives through the time since the order: each question takes as long as its step says, and is answered with nothing new. Answers when,
 * in seconds after the order, another step than a question or a wait is decided, and which one.
 */
function livedThrough(
  place: EffectRow,
  charge: HoldRow,
  firstAsked: number,
): [seconds: number, step: string] {
  let [seconds, asked, asked_at] = [firstAsked, 0, null as Date | null]
  for (;;) {
    const effects = [issued, { ...place, sent_at: now, not_before: at(firstAsked), asked, asked_at }]
    const step = decided({ ...stranger, now: at(seconds), effects, holds: [charge] })
    if (step.kind === 'wait') seconds = (step.until.getTime() - now.getTime()) / 1000
    else if (step.kind !== 'ask' && step.kind !== 'verify') return [seconds, brief(step)]
    else [asked, asked_at] = [asked + 1, at(seconds)]
  }
}

test.each<[string, EffectRow, HoldRow, number, string]>([
  ['says nothing', lost(0), active, pace.strangerGiveUpSeconds, 'send revoke'],
  ['confirms and does not charge', confirmed(0), active, pace.strangerChargesSeconds, 'send revoke'],
  ['refuses and keeps what it holds', refused(0), claimed, pace.strangerReleasesSeconds, 'succeed'],
  ['considers for ever', lost(0, 'pending'), active, pace.giveUpSeconds, 'send revoke'],
])('a stranger that %s is given its time and not a moment more, whenever it was asked first', (...row) => {
  const [, place, charge, latest, step] = row
  for (let first = 1; first < pace.strangerReleasesSeconds; first += 0.7)
    expect(livedThrough(place, charge, first)).toEqual([latest, step])
})

describe('a cart that was bought from a stranger', () => {
  const readAt = (seconds: number, asked: number) => effect('place', 'done', { asked, asked_at: at(seconds) })

  test.each<Row>([
    ['and captured needs nothing', { effects: [issued, readAt(-5, 1)], holds: [captured] }, 'rest'],
    ['and authorized is read from the rail', { effects: [issued, confirmed()], holds: [claimed] }, 'verify'],
    [
      'and authorized is read more and more seldom',
      { effects: [issued, readAt(0, 20)], holds: [claimed] },
      `wait ${pace.settlingMaxSeconds}s merchant`,
    ],
    [
      'and authorized a month ago is read once a day',
      {
        effects: [issued, readAt(0, 20)],
        holds: [hold('authorized', { kind: 'credential', claimed_at: at(-pace.strangerSettlesSeconds) })],
      },
      'wait 86400s merchant',
    ],
    [
      'and not charged is not left with a usable credential',
      { effects: [issued, confirmed()], holds: [active] },
      'send revoke',
    ],
    ['and released costs nothing more', { effects: [issued, confirmed()], holds: [revoked] }, 'rest'],
    [
      'by a card that is authorized takes no more from it',
      { effects: [issued, confirmed()], holds: [{ ...claimed, vault_record: 'record' }] },
      'send revoke',
    ],
    [
      'by a card that was captured takes no more from it',
      { effects: [issued, confirmed()], holds: [{ ...captured, vault_record: 'record' }] },
      'send revoke',
    ],
    [
      'by a card that takes no more is read from the rail',
      { effects: [issued, confirmed(), revokeDone], holds: [{ ...claimed, vault_record: 'record' }] },
      'verify',
    ],
    [
      'by a card that takes no more and was captured needs nothing',
      { effects: [issued, confirmed(), revokeDone], holds: [{ ...captured, vault_record: 'record' }] },
      'rest',
    ],
  ])('%s', (_name, facts, step) => {
    const next = decided({ ...stranger, ...facts, ...sold })
    expect(brief(next)).toBe(step)
    expect(beginsSomething(next)).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { afterMove, afterReading, type Standing } from './follow-dispute.ts'

const fresh: Standing = {
  status: 'needs_response',
  outcome: null,
  amount: 0n,
  due_by: null,
  withdrawn_amount: 0n,
  followed_amount: 0n,
  recovered_amount: 0n,
  owed_amount: 0n,
  move: null,
  move_amount: null,
  moves: 0,
}
const reading = (withdrawn: bigint, amount = 700n) =>
  ({ status: 'needs_response', outcome: null, amount, dueBy: null, withdrawn }) as const
const taken = { ...fresh, withdrawn_amount: 700n, followed_amount: 700n }
const done = (moved: bigint) => ({ kind: 'done', value: { moved } }) as const
const refused = { kind: 'refused', refusal: { code: 'balance_insufficient', declineCode: null } } as const

describe('after a reading', () => {
  test.each<[string, Standing, bigint, Partial<Standing>]>([
    ['what the bank takes is taken back', fresh, 700n, { move: 'recover', move_amount: 700n, moves: 1 }],
    ['what it takes more is taken back, too', taken, 900n, { move: 'recover', move_amount: 200n, moves: 1 }],
    ['what was followed moves nothing', taken, 700n, { move: null, moves: 0 }],
    [
      'what it gives back is paid again, as far as it was taken back',
      { ...taken, recovered_amount: 300n },
      0n,
      { move: 'pay', move_amount: 300n, moves: 1 },
    ],
    [
      'what was owed is not owed any more',
      { ...taken, owed_amount: 700n },
      0n,
      { move: null, owed_amount: 0n },
    ],
  ])('%s', (_, before, withdrawn, after) => {
    expect(afterReading(before, reading(withdrawn), true)).toMatchObject(after)
  })

  test('a call that may have left is made again before anything else, whatever the bank does meanwhile', () => {
    const moving = { ...fresh, move: 'recover', move_amount: 700n, moves: 1 } as const
    expect(afterReading(moving, reading(0n), true)).toMatchObject({
      move: 'recover',
      move_amount: 700n,
      moves: 1,
    })
  })

  test('of a merchant who has never heard of us nothing is taken back', () => {
    expect(afterReading(fresh, reading(700n), false)).toMatchObject({
      move: null,
      followed_amount: 700n,
      owed_amount: 0n,
    })
  })
})

describe('after a call', () => {
  const recovering = {
    ...fresh,
    withdrawn_amount: 700n,
    move: 'recover',
    move_amount: 700n,
    moves: 1,
  } as const
  const paying = {
    ...taken,
    withdrawn_amount: 0n,
    recovered_amount: 300n,
    move: 'pay',
    move_amount: 300n,
    moves: 2,
  } as const

  test('the merchant has given back what moved, and owes nothing where it was paid less', () => {
    const { standing, retrySeconds } = afterMove(recovering, done(500n))
    expect(standing).toMatchObject({
      move: null,
      followed_amount: 700n,
      recovered_amount: 500n,
      owed_amount: 0n,
    })
    expect(retrySeconds).toBeNull()
  })

  test('a merchant whose account has too little owes it', () => {
    expect(afterMove(recovering, refused).standing).toMatchObject({
      move: null,
      recovered_amount: 0n,
      owed_amount: 700n,
    })
  })

  test('what was paid again is followed', () => {
    expect(afterMove(paying, done(300n)).standing).toMatchObject({
      move: null,
      followed_amount: 0n,
      recovered_amount: 0n,
    })
  })

  test('what the operator cannot pay at the moment is paid later, by another call', () => {
    const { standing, retrySeconds } = afterMove(paying, refused)
    expect(retrySeconds).toBeGreaterThan(0)
    expect(afterReading(standing, reading(0n), true)).toMatchObject({
      move: 'pay',
      move_amount: 300n,
      moves: 3,
    })
  })

  test.each([
    { kind: 'unknown' },
    { kind: 'not_sent', retryable: true },
    { kind: 'not_now', reason: 'busy', retryAfterSeconds: null },
  ] as const)('what is not certain is sent again as it was: $kind', (answer) => {
    expect(afterMove(recovering, answer)).toEqual({ standing: recovering, retrySeconds: 30 })
  })
})

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type {
  Call,
  ClosableCall,
  HoldAnswer,
  NotNow,
  PaymentCard,
  PaymentRail,
  RailObject,
} from '../../../src/domain/buying/rails/port.ts'

/** A rail with the cards of its test environment, and ways to disturb its answers. */
export type RailUnderTest = {
  rail: PaymentRail
  goodCard: PaymentCard
  declinedCard: { card: PaymentCard; declineCode: string }
  /** The next call of this kind: its answer is lost after it was done, it is lost itself, or it is late. */
  disturb(operation: string, how: 'lose_answer' | 'drop_request' | 'delay'): Promise<void>
  /**
   * The next call of this kind (`query`: `get` and `ask`) is turned away, for each of these reasons in one of the ways in which the rail
   * does that; nothing is done. Reasons that it has no way for are left out.
   */
  turnAway: Partial<
    Record<NotNow['reason'], (operation: string, retryAfterSeconds: number | null) => Promise<void>>
  >
  /** The next void or revoke is refused for good, and the hold stands. Left out for a rail that never does that. */
  refuseRelease?(operation: 'void' | 'revoke'): Promise<void>
  /** The rail forgets every key, as it does when the key's time is over. Left out for a rail that never does. Its objects stay. */
  forgetKeys?(): Promise<void>
  /** Somebody charges a credential, as a merchant would. Answers whether it was charged. Left out for a rail that issues none. */
  charge?(
    credential: string,
    charge: { amount: bigint; currency: string; merchant: string },
  ): Promise<boolean>
  stop(): Promise<void>
}

export const call: Call = { mode: 'test', timeoutMs: 2_000 }
export const merchant = 'shop.example'

export type RailCalls = ReturnType<typeof createRailCalls>

/** The calls of the tests of a rail. `rail` returns the rail in each test, since it starts only before the first. */
export function createRailCalls(rail: () => RailUnderTest) {
  const calls = {
    get under() {
      return rail()
    },
    terms,
    authorized,
    issued,
    standing,
    authorization,
    expectNothingHeld,
    charge,
  }
  return calls

  /** As a merchant. */
  function charge(...given: Parameters<NonNullable<RailUnderTest['charge']>>): Promise<boolean> {
    if (!calls.under.charge) throw new Error('the rail issues no credentials')
    return calls.under.charge(...given)
  }

  function terms(more: { key?: string; card?: PaymentCard } = {}) {
    const { key = randomUUID(), card = calls.under.goodCard } = more
    return { key, card, currency: 'USD', merchant, reference: `test ${key}` }
  }

  async function authorized(amount: bigint): Promise<RailObject> {
    return done(await calls.under.rail.authorize({ ...terms(), amount }, call))
  }

  async function issued(limit: bigint, expiresAt = new Date(Date.now() + 3_600_000)): Promise<RailObject> {
    return done(await calls.under.rail.issueCredential({ ...terms(), limit, expiresAt }, call))
  }

  /** The object as the rail has it. */
  async function standing(kind: 'authorization' | 'credential', reference: string): Promise<RailObject> {
    return done(await calls.under.rail.get(kind, reference, call))
  }

  /** An authorization as execution closes it: the call as it was sent. */
  function authorization(amount: bigint, key: string = randomUUID()) {
    const input = { ...terms({ key }), amount }
    const sent: ClosableCall = { step: 'authorize', input }
    return { key, input, sent, authorize: () => calls.under.rail.authorize(input, call) }
  }

  /** A rail may answer a call under a closed key in any way, but it holds nothing for it. */
  async function expectNothingHeld(answer: HoldAnswer): Promise<void> {
    expect(['refused', 'done']).toContain(answer.kind)
    if (answer.kind === 'done')
      expect(await standing('authorization', answer.value.reference)).toMatchObject({ status: 'voided' })
  }
}

export function done(answer: { kind: string; value?: RailObject }): RailObject {
  expect(answer.kind).toBe('done')
  if (!answer.value) throw new Error('done without a value')
  return answer.value
}

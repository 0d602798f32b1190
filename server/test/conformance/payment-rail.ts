import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Call,
  ClosableCall,
  NotNow,
  PaymentCard,
  PaymentRail,
  RailAnswer,
  RailObject,
} from '../../src/domain/buying/execution/port.ts'

/** A rail with the cards that its test environment has, and a way to lose what it answers. */
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
  /** The next void or revoke is refused for good, and the hold stands. */
  refuseRelease(operation: 'void' | 'revoke'): Promise<void>
  /** The rail forgets every key, as it does when its time is over; left out for a rail that never does. What it made stays. */
  forgetKeys?(): Promise<void>
  /** Somebody charges a credential, as a merchant would. Answers whether it was charged. */
  charge(credential: string, charge: { amount: bigint; currency: string; merchant: string }): Promise<boolean>
  stop(): Promise<void>
}

const call: Call = { mode: 'test', timeoutMs: 2_000 }
const merchant = 'shop.example'

/** What every payment rail has to keep to; adapters run it against the real thing. */
export function conformsToPaymentRail(name: string, start: () => Promise<RailUnderTest>): void {
  describe(`${name} as a payment rail`, () => {
    let under: RailUnderTest
    beforeAll(async () => {
      under = await start()
    })
    afterAll(() => under?.stop())

    function terms(more: { key?: string; card?: PaymentCard } = {}) {
      const { key = randomUUID(), card = under.goodCard } = more
      return { key, card, currency: 'USD', merchant, reference: `test ${key}` }
    }

    async function authorized(amount: bigint): Promise<RailObject> {
      return done(await under.rail.authorize({ ...terms(), amount }, call))
    }

    async function issued(limit: bigint, expiresAt = new Date(Date.now() + 3_600_000)): Promise<RailObject> {
      return done(await under.rail.issueCredential({ ...terms(), limit, expiresAt }, call))
    }

    /** How it stands at the rail. */
    async function standing(kind: 'authorization' | 'credential', reference: string): Promise<RailObject> {
      return done(await under.rail.get(kind, reference, call))
    }

    /** An authorization as execution closes it: the call as it was sent. */
    function authorization(amount: bigint, key: string = randomUUID()) {
      const input = { ...terms({ key }), amount }
      const sent: ClosableCall = { step: 'authorize', input }
      return { key, input, sent, authorize: () => under.rail.authorize(input, call) }
    }

    /** Whatever a rail answers to a call under a closed key: it holds nothing for it. */
    async function expectNothingHeld(answer: RailAnswer): Promise<void> {
      expect(['refused', 'done']).toContain(answer.kind)
      if (answer.kind === 'done')
        expect(await standing('authorization', answer.value.reference)).toMatchObject({ status: 'voided' })
    }

    test('holds exactly what was asked for', async () => {
      const hold = await authorized(1000n)
      expect(hold).toMatchObject({ status: 'authorized', amount: 1000n, capturedAmount: 0n, currency: 'USD' })
      expect(await standing('authorization', hold.reference)).toEqual(hold)
    })

    test('says why the issuer declines', async () => {
      const { card, declineCode } = under.declinedCard
      const answer = await under.rail.authorize({ ...terms({ card }), amount: 1000n }, call)
      expect(answer).toMatchObject({ kind: 'refused', refusal: { declineCode } })
    })

    test('makes one effect of one key, however often it is sent', async () => {
      const key = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => under.rail.authorize({ ...terms({ key }), amount: 500n }, call)),
      )
      expect(new Set(answers.map((answer) => done(answer).reference)).size).toBe(1)
    })

    // A restored database may ask for something else than it once did: that is no refusal of what the key stands for.
    test('does nothing for another request under a used key, and says what the key came to when asked', async () => {
      const key = randomUUID()
      const { reference } = done(await under.rail.authorize({ ...terms({ key }), amount: 500n }, call))
      expect((await under.rail.authorize({ ...terms({ key }), amount: 501n }, call)).kind).toBe('unknown')
      expect(await under.rail.ask(key, call)).toMatchObject({
        kind: 'done',
        value: { reference, amount: 500n },
      })
    })

    test('captures once, and never more than it holds', async () => {
      const { reference } = await authorized(1000n)
      expect((await under.rail.capture({ key: randomUUID(), reference, amount: 1001n }, call)).kind).toBe(
        'refused',
      )
      const captured = done(await under.rail.capture({ key: randomUUID(), reference, amount: 1000n }, call))
      expect(captured).toMatchObject({ reference, status: 'captured', capturedAmount: 1000n })
      expect((await under.rail.capture({ key: randomUUID(), reference, amount: 1n }, call)).kind).toBe(
        'refused',
      )
      expect(await standing('authorization', reference)).toMatchObject({ capturedAmount: 1000n })
    })

    test('captures nothing after a void, and voids nothing after a capture', async () => {
      const voided = await authorized(1000n)
      done(await under.rail.void({ key: randomUUID(), reference: voided.reference }, call))
      const { reference } = voided
      expect((await under.rail.capture({ key: randomUUID(), reference, amount: 1n }, call)).kind).toBe(
        'refused',
      )
      done(await under.rail.void({ key: randomUUID(), reference }, call))
      const captured = await authorized(1000n)
      done(
        await under.rail.capture({ key: randomUUID(), reference: captured.reference, amount: 1000n }, call),
      )
      const late = await under.rail.void({ key: randomUUID(), reference: captured.reference }, call)
      expect(late.kind).toBe('refused')
    })

    test('refunds up to what was captured', async () => {
      const { reference } = await authorized(1000n)
      const captured = done(await under.rail.capture({ key: randomUUID(), reference, amount: 1000n }, call))
      const of = captured.captureReference ?? ''
      done(await under.rail.refund({ key: randomUUID(), reference: of, amount: 600n }, call))
      expect((await under.rail.refund({ key: randomUUID(), reference: of, amount: 401n }, call)).kind).toBe(
        'refused',
      )
    })

    test('names the capture that a refund needs, whoever charged', async () => {
      const authorization = await authorized(1000n)
      const credential = await issued(1000n)
      expect([authorization.captureReference, credential.captureReference]).toEqual([null, null])
      done(
        await under.rail.capture(
          { key: randomUUID(), reference: authorization.reference, amount: 1000n },
          call,
        ),
      )
      expect(await under.charge(credential.reference, { amount: 900n, currency: 'USD', merchant })).toBe(true)
      for (const [kind, { reference }, amount] of [
        ['authorization', authorization, 1000n],
        ['credential', credential, 900n],
      ] as const) {
        const captured = await standing(kind, reference)
        const refund = { key: randomUUID(), reference: captured.captureReference ?? '', amount }
        const refunds = await Promise.all([1, 2, 3].map(() => under.rail.refund(refund, call)))
        expect(new Set(refunds.map((answer) => done(answer).reference)).size).toBe(1)
        expect(await under.rail.ask(refund.key, call)).toMatchObject({ kind: 'done' })
        expect(await standing(kind, reference)).toMatchObject({
          status: 'refunded',
          capturedAmount: amount,
        })
      }
    })

    test.each<[string, { amount?: bigint; currency?: string; merchant?: string }]>([
      ['beyond its limit', { amount: 1001n }],
      ['in another currency', { currency: 'EUR' }],
      ['by another merchant', { merchant: 'other.example' }],
    ])('lets nobody charge a credential %s', async (_, change) => {
      const { reference } = await issued(1000n)
      expect(await under.charge(reference, { amount: 1000n, currency: 'USD', merchant, ...change })).toBe(
        false,
      )
      expect(await standing('credential', reference)).toMatchObject({
        status: 'authorized',
        capturedAmount: 0n,
      })
    })

    test('lets a credential be charged once, and tells what was charged', async () => {
      const { reference } = await issued(1000n)
      expect(await under.charge(reference, { amount: 900n, currency: 'USD', merchant })).toBe(true)
      expect(await under.charge(reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
      expect(await standing('credential', reference)).toMatchObject({
        status: 'captured',
        amount: 1000n,
        capturedAmount: 900n,
      })
      expect((await under.rail.revoke({ key: randomUUID(), reference }, call)).kind).toBe('refused')
    })

    test('lets nobody charge a credential that is revoked, or over', async () => {
      const { reference } = await issued(1000n)
      done(await under.rail.revoke({ key: randomUUID(), reference }, call))
      expect(await under.charge(reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
      const over = await issued(1000n, new Date(Date.now() - 1000))
      expect(await under.charge(over.reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
    })

    test('remembers what a lost answer said', async () => {
      const key = randomUUID()
      await under.disturb('authorize', 'lose_answer')
      expect((await under.rail.authorize({ ...terms({ key }), amount: 700n }, call)).kind).toBe('unknown')
      expect(await under.rail.ask(key, call)).toMatchObject({ kind: 'done', value: { amount: 700n } })
    })

    test('knows nothing of a call that was lost, and takes it when it is sent again', async () => {
      const key = randomUUID()
      await under.disturb('authorize', 'drop_request')
      expect((await under.rail.authorize({ ...terms({ key }), amount: 700n }, call)).kind).toBe('unknown')
      expect(await under.rail.ask(key, call)).toEqual({ kind: 'not_found' })
      done(await under.rail.authorize({ ...terms({ key }), amount: 700n }, call))
    })

    test('says "unknown" of a call that takes too long, never "no"', async () => {
      await under.disturb('authorize', 'delay')
      const answer = await under.rail.authorize({ ...terms(), amount: 700n }, { ...call, timeoutMs: 100 })
      expect(answer.kind).toBe('unknown')
    })

    test('holds nothing for a closed key, however often its call is made', async () => {
      const { key, sent, authorize } = authorization(700n)
      expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      await expectNothingHeld(await authorize())
      const known = await under.rail.ask(key, call)
      if (known.kind !== 'closed') expect(known).toMatchObject({ kind: 'done', value: { status: 'voided' } })
    })

    test('releases what a closed key held, but never takes back a capture', async () => {
      const { sent, authorize } = authorization(700n)
      const held = done(await authorize())
      expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      expect(await standing('authorization', held.reference)).toMatchObject({ status: 'voided' })
      const expiresAt = new Date(Date.now() + 3_600_000)
      const budget = { ...terms(), limit: 700n, expiresAt }
      const credential = done(await under.rail.issueCredential(budget, call))
      expect(await under.rail.close({ step: 'issue_credential', input: budget }, call)).toEqual({
        kind: 'closed',
      })
      expect(await standing('credential', credential.reference)).toMatchObject({ status: 'voided' })
      const { reference } = await authorized(700n)
      const capture = { key: randomUUID(), reference, amount: 700n }
      done(await under.rail.capture(capture, call))
      expect(await under.rail.close({ step: 'capture', input: capture }, call)).toMatchObject({
        kind: 'done',
        value: { capturedAmount: 700n },
      })
    })

    test('captures nothing by a capture that was closed before it arrived', async () => {
      const { reference } = await authorized(700n)
      const capture = { key: randomUUID(), reference, amount: 700n }
      expect(await under.rail.close({ step: 'capture', input: capture }, call)).toEqual({ kind: 'closed' })
      expect((await under.rail.capture(capture, call)).kind).toBe('refused')
      expect(await standing('authorization', reference)).toMatchObject({ capturedAmount: 0n })
    })

    describe('that has forgotten its keys', () => {
      test('still finds what was made under them', async (context) => {
        if (!under.forgetKeys) return context.skip()
        const { key, authorize } = authorization(700n)
        await under.disturb('authorize', 'lose_answer')
        expect((await authorize()).kind).toBe('unknown')
        const { reference } = await authorized(700n)
        const capture = { key: randomUUID(), reference, amount: 700n }
        const captured = done(await under.rail.capture(capture, call))
        const refund = { key: randomUUID(), reference: captured.captureReference ?? '', amount: 600n }
        done(await under.rail.refund(refund, call))
        const { card, declineCode } = under.declinedCard
        const declined = { ...terms({ card }), amount: 700n }
        await under.rail.authorize(declined, call)
        await under.forgetKeys()
        expect(await under.rail.ask(key, call)).toMatchObject({
          kind: 'done',
          value: { status: 'authorized', amount: 700n },
        })
        expect(await under.rail.ask(capture.key, call)).toMatchObject({
          kind: 'done',
          value: { reference, capturedAmount: 700n },
        })
        expect(await under.rail.ask(refund.key, call)).toMatchObject({
          kind: 'done',
          value: { status: 'refunded', amount: 600n },
        })
        expect(await under.rail.ask(declined.key, call)).toMatchObject({
          kind: 'refused',
          refusal: { declineCode },
        })
        expect(await under.rail.ask(randomUUID(), call)).toEqual({ kind: 'not_found' })
      })

      test('charges once, whatever is sent again under them', async (context) => {
        if (!under.forgetKeys) return context.skip()
        const { reference } = await authorized(1000n)
        const capture = { key: randomUUID(), reference, amount: 1000n }
        await under.disturb('capture', 'lose_answer')
        expect((await under.rail.capture(capture, call)).kind).toBe('unknown')
        await under.forgetKeys()
        expect((await under.rail.capture(capture, call)).kind).toBe('refused')
        expect(await under.rail.close({ step: 'capture', input: capture }, call)).toMatchObject({
          kind: 'done',
          value: { capturedAmount: 1000n },
        })
        expect(await standing('authorization', reference)).toMatchObject({
          status: 'captured',
          capturedAmount: 1000n,
        })
      })

      test.each(['authorize', 'issue_credential'] as const)(
        'releases all that was made under them when they are closed: %s',
        async (step) => {
          const input = { ...terms(), expiresAt: new Date(Date.now() + 3_600_000) }
          const sent: ClosableCall =
            step === 'authorize'
              ? { step, input: { ...input, amount: 700n } }
              : { step, input: { ...input, limit: 700n } }
          const send = async () =>
            sent.step === 'authorize'
              ? done(await under.rail.authorize(sent.input, call))
              : sent.step === 'issue_credential'
                ? done(await under.rail.issueCredential(sent.input, call))
                : undefined
          const held = [await send()]
          await under.forgetKeys?.()
          held.push(await send())
          expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
          await under.forgetKeys?.()
          held.push(await send())
          await under.forgetKeys?.()
          expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
          const kind = step === 'authorize' ? 'authorization' : 'credential'
          for (const object of held)
            expect(await standing(kind, object?.reference ?? '')).toMatchObject({ status: 'voided' })
        },
      )

      test('holds nothing for a call that was lost, closed and sent late', async (context) => {
        if (!under.forgetKeys) return context.skip()
        const { sent, authorize } = authorization(700n)
        await under.disturb('authorize', 'drop_request')
        expect((await authorize()).kind).toBe('unknown')
        await under.forgetKeys()
        expect(await under.rail.close(sent, call)).toEqual({ kind: 'closed' })
        await expectNothingHeld(await authorize())
      })
    })

    test('says "not now" of whatever is turned away, with the time that it asks for, and the key is free', async () => {
      const { rail, turnAway } = under
      const ways = Object.entries(turnAway)
      expect(ways.length).toBeGreaterThan(2)
      for (const [reason, away] of ways) {
        const held = await authorized(700n)
        const credential = await issued(700n)
        const captured = done(
          await rail.capture(
            { key: randomUUID(), reference: (await authorized(700n)).reference, amount: 700n },
            call,
          ),
        )
        const [capture, voided, revoked, refunded] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
        const fresh = terms()
        const expiresAt = new Date(Date.now() + 3_600_000)
        const calls: [string, () => Promise<{ kind: string }>][] = [
          ['authorize', () => rail.authorize({ ...fresh, amount: 700n }, call)],
          [
            'issue_credential',
            () => rail.issueCredential({ ...fresh, key: `${fresh.key}:c`, limit: 700n, expiresAt }, call),
          ],
          ['capture', () => rail.capture({ key: capture, reference: held.reference, amount: 700n }, call)],
          ['void', async () => rail.void({ key: voided, reference: (await authorized(1n)).reference }, call)],
          ['revoke', () => rail.revoke({ key: revoked, reference: credential.reference }, call)],
          [
            'refund',
            () =>
              rail.refund({ key: refunded, reference: captured.captureReference ?? '', amount: 700n }, call),
          ],
        ]
        for (const [operation, make] of calls) {
          await away(operation, 30)
          const answer = await make()
          expect([operation, answer]).toEqual([operation, { kind: 'not_now', reason, retryAfterSeconds: 30 }])
          expect([operation, (await make()).kind]).toEqual([operation, 'done'])
        }
      }
    })

    test('says "not now" of a question that is turned away, and never "not found" or "closed"', async () => {
      const { rail, turnAway } = under
      const { reference } = await authorized(700n)
      for (const [reason, away] of Object.entries(turnAway)) {
        const answer = { kind: 'not_now', reason, retryAfterSeconds: null }
        await away('query', null)
        expect(await rail.ask(randomUUID(), call)).toEqual(answer)
        await away('query', null)
        expect(await rail.get('authorization', reference, call)).toEqual(answer)
        await away('close', null)
        const { key, sent } = authorization(700n)
        expect(await rail.close(sent, call)).toEqual(answer)
        expect(await rail.ask(key, call)).toEqual({ kind: 'not_found' })
      }
    })

    test('does not take what it does not know for a refusal', async () => {
      const { rail } = under
      const nothing = { reference: 'nothing_of_that_name', amount: 1n }
      for (const answer of [
        await rail.capture({ key: randomUUID(), ...nothing }, call),
        await rail.void({ key: randomUUID(), ...nothing }, call),
        await rail.revoke({ key: randomUUID(), ...nothing }, call),
        await rail.refund({ key: randomUUID(), ...nothing }, call),
        await rail.get('authorization', nothing.reference, call),
      ])
        expect(answer).toEqual({ kind: 'not_now', reason: 'no_object', retryAfterSeconds: null })
    })

    test.each(['void', 'revoke'] as const)(
      'refuses a %s for good under its key, and takes it under another',
      async (operation) => {
        const kind = operation === 'void' ? 'authorization' : 'credential'
        const { reference } = operation === 'void' ? await authorized(700n) : await issued(700n)
        await under.refuseRelease(operation)
        const release = (key: string) => under.rail[operation]({ key, reference }, call)
        const key = randomUUID()
        expect((await release(key)).kind).toBe('refused')
        expect((await release(key)).kind).toBe('refused')
        expect(await standing(kind, reference)).toMatchObject({ status: 'authorized' })
        expect((await release(randomUUID())).kind).toBe('done')
        expect(await standing(kind, reference)).toMatchObject({ status: 'voided' })
      },
    )

    test('lists what it holds, by key and page by page, and nothing that was captured, let go or declined', async (context) => {
      const { rail } = under
      if (!rail.list) return context.skip()
      const list = rail.list
      const listAll = async (times: { since: Date | null; until: Date }) => {
        const keys: string[] = []
        for (let page: string | null = null; ; ) {
          const answer = await list({ ...times, page }, call)
          if (answer === null) throw new Error('the rail does not list')
          keys.push(...answer.holds.map(({ key }) => key))
          if (answer.next === null) return keys
          page = answer.next
        }
      }
      const keys: string[] = Array.from({ length: 6 }, () => randomUUID())
      const [kept = '', captured = '', voided = '', closed = '', declined = '', charged = ''] = keys
      const hold = async (key: string) =>
        done(await rail.authorize({ ...terms({ key }), amount: 700n }, call))
      const { reference } = await hold(kept)
      done(
        await rail.capture(
          { key: randomUUID(), reference: (await hold(captured)).reference, amount: 1n },
          call,
        ),
      )
      done(await rail.void({ key: randomUUID(), reference: (await hold(voided)).reference }, call))
      const { sent, authorize } = authorization(700n, closed)
      done(await authorize())
      await rail.close(sent, call)
      await rail.authorize({ ...terms({ key: declined, card: under.declinedCard.card }), amount: 700n }, call)
      const expiresAt = new Date(Date.now() + 3_600_000)
      const issued = done(
        await rail.issueCredential({ ...terms({ key: charged }), limit: 700n, expiresAt }, call),
      )
      const later = new Date(Date.now() + 60_000)
      const open = (all: readonly string[]) => all.filter((key) => keys.includes(key))
      expect(open(await listAll({ since: null, until: later }))).toEqual([kept, charged])
      expect(await under.charge(issued.reference, { amount: 700n, currency: 'USD', merchant })).toBe(true)
      expect(open(await listAll({ since: null, until: later }))).toEqual([kept])
      expect(open(await listAll({ since: later, until: later }))).toEqual([])
      expect(open(await listAll({ since: null, until: new Date(0) }))).toEqual([])
      const page = await list({ since: null, until: later, page: null }, call)
      expect(page?.holds.find(({ key }) => key === kept)).toMatchObject({
        object: { reference, status: 'authorized', amount: 700n, currency: 'USD' },
      })
    })

    test('a call that is late finds its key closed', async () => {
      const { sent, authorize } = authorization(700n)
      await under.disturb('authorize', 'delay')
      const late = authorize()
      await expect.poll(() => under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      await expectNothingHeld(await late)
    })
  })
}

function done(answer: { kind: string; value?: RailObject }): RailObject {
  expect(answer.kind).toBe('done')
  if (!answer.value) throw new Error('done without a value')
  return answer.value
}

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ClosableCall, HoldPage, RailCharge } from '../../../src/domain/buying/rails/port.ts'
import { call, done, merchant, type RailCalls } from './rail-under-test.ts'

/** A merchant authorizes against a credential once, and captures or releases that like any authorization. The credential follows. */
export function testChargedCredentials(calls: RailCalls): void {
  const { issued, standing } = calls

  function charge(credential: string, more: Partial<RailCharge> = {}): RailCharge {
    const key = randomUUID()
    return { key, credential, amount: 900n, currency: 'USD', merchant, reference: `test ${key}`, ...more }
  }

  const authorize = (input: RailCharge) => calls.under.rail.chargeCredential(input, call)

  test('holds the amount for the merchant of the credential, and the credential is claimed', async () => {
    const { reference } = await issued(1000n)
    const input = charge(reference)
    const answers = await Promise.all([authorize(input), authorize(input), authorize(input)])
    const [held] = answers.map(done)
    if (!held) throw new Error('no answer')
    expect(new Set(answers.map((answer) => done(answer).reference)).size).toBe(1)
    expect(held).toMatchObject({ status: 'authorized', amount: 900n, capturedAmount: 0n, currency: 'USD' })
    expect(await standing('authorization', held.reference)).toEqual(held)
    expect(await standing('credential', reference)).toMatchObject({ status: 'claimed', amount: 1000n })
    expect(await calls.under.rail.ask(input.key, call)).toMatchObject({ kind: 'done', value: held })
  })

  test('a capture charges the credential, and its refund can be read there', async () => {
    const { reference } = await issued(1000n)
    const held = done(await authorize(charge(reference)))
    const over = { key: randomUUID(), reference: held.reference, amount: 901n, currency: 'USD' }
    expect((await calls.under.rail.capture(over, call)).kind).toBe('refused')
    const captured = done(
      await calls.under.rail.capture(
        { key: randomUUID(), reference: held.reference, amount: 800n, currency: 'USD' },
        call,
      ),
    )
    expect(await standing('credential', reference)).toMatchObject({
      status: 'captured',
      capturedAmount: 800n,
      captureReference: captured.captureReference,
    })
    const refund = {
      key: randomUUID(),
      reference: captured.captureReference ?? '',
      amount: 800n,
      currency: 'USD',
    }
    done(await calls.under.rail.refund(refund, call))
    expect(await standing('credential', reference)).toMatchObject({ status: 'refunded' })
    expect(await standing('authorization', held.reference)).toMatchObject({ status: 'refunded' })
  })

  test('a void releases the credential for good', async () => {
    const { reference } = await issued(1000n)
    const held = done(await authorize(charge(reference)))
    done(await calls.under.rail.void({ key: randomUUID(), reference: held.reference }, call))
    expect(await standing('credential', reference)).toMatchObject({ status: 'voided', capturedAmount: 0n })
    expect((await authorize(charge(reference))).kind).toBe('refused')
  })

  test.each<[string, Partial<RailCharge>, string]>([
    ['beyond the limit', { amount: 1001n }, 'over_limit'],
    ['in another currency', { currency: 'EUR' }, 'wrong_currency'],
    ['by another merchant', { merchant: 'other.example' }, 'wrong_merchant'],
  ])('nothing is authorized %s', async (_, change, code) => {
    const { reference } = await issued(1000n)
    expect(await authorize(charge(reference, change))).toMatchObject({ kind: 'refused', refusal: { code } })
    expect(await standing('credential', reference)).toMatchObject({ status: 'authorized' })
  })

  test('nothing is authorized twice, after a charge, a revoke or the end of its time', async () => {
    const { rail } = calls.under
    const [twice, charged, revoked] = [await issued(1000n), await issued(1000n), await issued(1000n)]
    const over = await issued(1000n, new Date(Date.now() - 1000))
    done(await authorize(charge(twice.reference)))
    expect(
      await calls.charge(twice.reference, { amount: 1n, currency: 'USD', merchant }),
      'a charge beside an authorization',
    ).toBe(false)
    await calls.charge(charged.reference, { amount: 1n, currency: 'USD', merchant })
    done(await rail.revoke({ key: randomUUID(), reference: revoked.reference }, call))
    for (const { reference } of [twice, charged, revoked, over])
      expect(await authorize(charge(reference, { amount: 1n }))).toMatchObject({ kind: 'refused' })
  })

  test('a revoke leaves what the merchant has authorized, and says so', async () => {
    const { reference } = await issued(1000n)
    const held = done(await authorize(charge(reference)))
    const revoked = done(await calls.under.rail.revoke({ key: randomUUID(), reference }, call))
    expect(revoked).toMatchObject({ reference, status: 'claimed' })
    done(
      await calls.under.rail.capture(
        { key: randomUUID(), reference: held.reference, amount: 900n, currency: 'USD' },
        call,
      ),
    )
    expect(await standing('credential', reference)).toMatchObject({ status: 'captured' })
  })

  test('the answer of a lost call is remembered, and one that never came can be sent again', async () => {
    const [lost, dropped] = [await issued(1000n), await issued(1000n)]
    const first = charge(lost.reference)
    await calls.under.disturb('charge_credential', 'lose_answer')
    expect((await authorize(first)).kind).toBe('unknown')
    expect(await calls.under.rail.ask(first.key, call)).toMatchObject({
      kind: 'done',
      value: { amount: 900n },
    })
    const second = charge(dropped.reference)
    await calls.under.disturb('charge_credential', 'drop_request')
    expect((await authorize(second)).kind).toBe('unknown')
    expect(await calls.under.rail.ask(second.key, call)).toEqual({ kind: 'not_found' })
    done(await authorize(second))
  })

  test.each(['before it is made', 'after it was made'])(
    'a charge that is closed %s holds nothing',
    async (when) => {
      const { reference } = await issued(1000n)
      const input = charge(reference)
      const sent: ClosableCall = { step: 'charge_credential', input }
      if (when === 'after it was made') done(await authorize(input))
      expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      const late = await authorize(input)
      expect(['refused', 'done']).toContain(late.kind)
      if (late.kind === 'done')
        expect(await standing('authorization', late.value.reference)).toMatchObject({ status: 'voided' })
      const { status } = await standing('credential', reference)
      expect(when === 'after it was made' ? ['voided'] : ['voided', 'authorized']).toContain(status)
    },
  )

  test('a charge that was refused stays refused when it is closed', async () => {
    const { reference } = await issued(1000n)
    const input = charge(reference, { amount: 1001n })
    await authorize(input)
    const known = await calls.under.rail.close({ step: 'charge_credential', input }, call)
    expect(['refused', 'closed']).toContain(known.kind)
    expect(await standing('credential', reference)).toMatchObject({ status: 'authorized' })
  })

  test('a captured charge is not undone by a close', async () => {
    const { reference } = await issued(1000n)
    const input = charge(reference)
    const held = done(await authorize(input))
    done(
      await calls.under.rail.capture(
        { key: randomUUID(), reference: held.reference, amount: 900n, currency: 'USD' },
        call,
      ),
    )
    expect(await calls.under.rail.close({ step: 'charge_credential', input }, call)).toMatchObject({
      kind: 'done',
      value: { status: 'captured', capturedAmount: 900n },
    })
  })

  test('forgotten keys still find what was made under them', async (context) => {
    if (!calls.under.forgetKeys) return context.skip()
    const { reference } = await issued(1000n)
    const input = charge(reference)
    const held = done(await authorize(input))
    await calls.under.forgetKeys()
    expect(await calls.under.rail.ask(input.key, call)).toMatchObject({
      kind: 'done',
      value: { reference: held.reference },
    })
    expect((await authorize(input)).kind).toBe('refused')
    expect(await calls.under.rail.close({ step: 'charge_credential', input }, call)).toEqual({
      kind: 'closed',
    })
    expect(await standing('credential', reference)).toMatchObject({ status: 'voided' })
  })

  test('the money is listed once, under the key of the credential', async (context) => {
    const { rail } = calls.under
    if (!rail.list) return context.skip()
    const key = randomUUID()
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { reference } = done(
      await rail.issueCredential({ ...calls.terms({ key }), limit: 1000n, expiresAt }, call),
    )
    const input = charge(reference)
    const held = done(await authorize(input))
    const until = new Date(Date.now() + 60_000)
    const listed = async () => {
      const keys: string[] = []
      for (let page: string | null = null; ; ) {
        const answer: HoldPage | null | undefined = await rail.list?.({ since: null, until, page }, call)
        if (!answer) throw new Error('the rail does not list')
        keys.push(...answer.holds.map((hold) => hold.key))
        if (answer.next === null) return keys.filter((one) => one === key || one === input.key)
        page = answer.next
      }
    }
    expect(await listed()).toEqual([key])
    done(await rail.void({ key: randomUUID(), reference: held.reference }, call))
    expect(await listed()).toEqual([])
  })
}

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ClosableCall } from '../../../src/domain/buying/rails/port.ts'
import { call, done, type RailCalls } from './rail-under-test.ts'

/** A rail knows the result of a call without an answer, and holds nothing for a closed key. */
export function testLostAndClosedCalls(calls: RailCalls): void {
  const { terms, authorized, standing, authorization, expectNothingHeld } = calls

  test('remembers the result of a call whose answer was lost', async () => {
    const { key, sent, authorize } = authorization(700n)
    await calls.under.disturb('authorize', 'lose_answer')
    expect((await authorize()).kind).toBe('unknown')
    expect(await calls.under.rail.ask(key, call, sent)).toMatchObject({
      kind: 'done',
      value: { amount: 700n },
    })
  })

  test('knows nothing of a call that was lost, and takes it when it is sent again', async () => {
    const { key, sent, authorize } = authorization(700n)
    await calls.under.disturb('authorize', 'drop_request')
    expect((await authorize()).kind).toBe('unknown')
    expect(await calls.under.rail.ask(key, call, sent)).toEqual({ kind: 'not_found' })
    done(await authorize())
  })

  test('says "unknown" of a call that takes too long, never "no"', async () => {
    await calls.under.disturb('authorize', 'delay')
    const answer = await calls.under.rail.authorize({ ...terms(), amount: 700n }, { ...call, timeoutMs: 100 })
    expect(answer.kind).toBe('unknown')
  })

  test('holds nothing for a closed key, however often its call is made', async () => {
    const { key, sent, authorize } = authorization(700n)
    expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
    expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
    await expectNothingHeld(await authorize())
    const known = await calls.under.rail.ask(key, call, sent)
    if (known.kind !== 'closed') expect(known).toMatchObject({ kind: 'done', value: { status: 'voided' } })
  })

  test('releases the hold of a closed key, but never undoes a capture', async () => {
    const { sent, authorize } = authorization(700n)
    const held = done(await authorize())
    expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
    expect(await standing('authorization', held.reference)).toMatchObject({ status: 'voided' })
    if (calls.under.charge) {
      const expiresAt = new Date(Date.now() + 3_600_000)
      const budget = { ...terms(), limit: 700n, expiresAt }
      const credential = done(await calls.under.rail.issueCredential(budget, call))
      expect(await calls.under.rail.close({ step: 'issue_credential', input: budget }, call)).toEqual({
        kind: 'closed',
      })
      expect(await standing('credential', credential.reference)).toMatchObject({ status: 'voided' })
    }
    const { reference } = await authorized(700n)
    const capture = { key: randomUUID(), reference, amount: 700n, currency: 'USD' }
    done(await calls.under.rail.capture(capture, call))
    expect(await calls.under.rail.close({ step: 'capture', input: capture }, call)).toMatchObject({
      kind: 'done',
      value: { capturedAmount: 700n },
    })
  })

  test('captures nothing by a capture that was closed before it arrived', async () => {
    const { reference } = await authorized(700n)
    const capture = { key: randomUUID(), reference, amount: 700n, currency: 'USD' }
    expect(await calls.under.rail.close({ step: 'capture', input: capture }, call)).toEqual({
      kind: 'closed',
    })
    expect((await calls.under.rail.capture(capture, call)).kind).toBe('refused')
    expect(await standing('authorization', reference)).toMatchObject({ capturedAmount: 0n })
  })

  test('a call that is late finds its key closed', async () => {
    const { sent, authorize } = authorization(700n)
    await calls.under.disturb('authorize', 'delay')
    const late = authorize()
    await expect.poll(() => calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
    await expectNothingHeld(await late)
  })

  describe('that has forgotten its keys', () => {
    test('still finds the objects that were made under them', async (context) => {
      if (!calls.under.forgetKeys) return context.skip()
      const { key, sent, authorize } = authorization(700n)
      await calls.under.disturb('authorize', 'lose_answer')
      expect((await authorize()).kind).toBe('unknown')
      const { reference } = await authorized(700n)
      const capture = { key: randomUUID(), reference, amount: 700n, currency: 'USD' }
      const captured = done(await calls.under.rail.capture(capture, call))
      const refund = {
        key: randomUUID(),
        reference: captured.captureReference ?? '',
        amount: 600n,
        currency: 'USD',
      }
      done(await calls.under.rail.refund(refund, call))
      const { card, declineCode } = calls.under.declinedCard
      const declined = { ...terms({ card }), amount: 700n }
      await calls.under.rail.authorize(declined, call)
      await calls.under.forgetKeys()
      const { ask } = calls.under.rail
      expect(await ask(key, call, sent)).toMatchObject({
        kind: 'done',
        value: { status: 'authorized', amount: 700n },
      })
      expect(await ask(capture.key, call, { step: 'capture', input: capture })).toMatchObject({
        kind: 'done',
        value: { reference, capturedAmount: 700n },
      })
      expect(await ask(refund.key, call, { step: 'refund', input: refund })).toMatchObject({
        kind: 'done',
        value: { status: 'refunded', amount: 600n },
      })
      expect(await ask(declined.key, call, { step: 'authorize', input: declined })).toMatchObject({
        kind: 'refused',
        refusal: { declineCode },
      })
      const never = authorization(700n)
      expect(await ask(never.key, call, never.sent)).toEqual({ kind: 'not_found' })
    })

    test('charges once, also when a capture is sent again under them', async (context) => {
      if (!calls.under.forgetKeys) return context.skip()
      const { reference } = await authorized(1000n)
      const capture = { key: randomUUID(), reference, amount: 1000n, currency: 'USD' }
      await calls.under.disturb('capture', 'lose_answer')
      expect((await calls.under.rail.capture(capture, call)).kind).toBe('unknown')
      await calls.under.forgetKeys()
      // A rail that captures a hold once, whatever is sent, says that it was.
      expect(['refused', 'done']).toContain((await calls.under.rail.capture(capture, call)).kind)
      expect(await calls.under.rail.close({ step: 'capture', input: capture }, call)).toMatchObject({
        kind: 'done',
        value: { capturedAmount: 1000n },
      })
      expect(await standing('authorization', reference)).toMatchObject({
        status: 'captured',
        capturedAmount: 1000n,
      })
    })

    test.for(['authorize', 'issue_credential'] as const)(
      'releases all holds that were made under them when they are closed: %s',
      async (step, context) => {
        if (step === 'issue_credential' && !calls.under.charge) return context.skip()
        const input = { ...terms(), expiresAt: new Date(Date.now() + 3_600_000) }
        const sent: ClosableCall =
          step === 'authorize'
            ? { step, input: { ...input, amount: 700n } }
            : { step, input: { ...input, limit: 700n } }
        const send = async () =>
          sent.step === 'authorize'
            ? done(await calls.under.rail.authorize(sent.input, call))
            : sent.step === 'issue_credential'
              ? done(await calls.under.rail.issueCredential(sent.input, call))
              : undefined
        const held = [await send()]
        await calls.under.forgetKeys?.()
        held.push(await send())
        expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
        await calls.under.forgetKeys?.()
        held.push(await send())
        await calls.under.forgetKeys?.()
        expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
        const kind = step === 'authorize' ? 'authorization' : 'credential'
        for (const object of held)
          expect(await standing(kind, object?.reference ?? '')).toMatchObject({ status: 'voided' })
      },
    )

    test('holds nothing for a call that was lost, closed and sent late', async (context) => {
      if (!calls.under.forgetKeys) return context.skip()
      const { sent, authorize } = authorization(700n)
      await calls.under.disturb('authorize', 'drop_request')
      expect((await authorize()).kind).toBe('unknown')
      await calls.under.forgetKeys()
      expect(await calls.under.rail.close(sent, call)).toEqual({ kind: 'closed' })
      await expectNothingHeld(await authorize())
    })
  })
}

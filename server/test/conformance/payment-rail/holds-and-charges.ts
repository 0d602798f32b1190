import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, done, merchant, type RailCalls } from './rail-under-test.ts'

/** A rail holds, captures, charges, releases and refunds the requested amounts, and no more. */
export function testHoldsAndCharges(calls: RailCalls): void {
  const { terms, authorized, issued, standing, authorization } = calls

  test('holds exactly what was asked for', async () => {
    const hold = await authorized(1000n)
    expect(hold).toMatchObject({ status: 'authorized', amount: 1000n, capturedAmount: 0n, currency: 'USD' })
    expect(await standing('authorization', hold.reference)).toEqual(hold)
  })

  test('returns the decline code of the issuer', async () => {
    const { card, declineCode } = calls.under.declinedCard
    const answer = await calls.under.rail.authorize({ ...terms({ card }), amount: 1000n }, call)
    expect(answer).toMatchObject({ kind: 'refused', refusal: { declineCode } })
  })

  test('makes one effect of one key, however often it is sent', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => calls.under.rail.authorize({ ...terms({ key }), amount: 500n }, call)),
    )
    expect(new Set(answers.map((answer) => done(answer).reference)).size).toBe(1)
  })

  // A restored database may request something else than before. That is no refusal of the first request under the key.
  test('does nothing for another request under a used key, and answers the first result when it is asked about the key', async () => {
    const key = randomUUID()
    const { reference } = done(await calls.under.rail.authorize({ ...terms({ key }), amount: 500n }, call))
    expect((await calls.under.rail.authorize({ ...terms({ key }), amount: 501n }, call)).kind).toBe('unknown')
    const sent = { step: 'authorize', input: { ...terms({ key }), amount: 500n } } as const
    expect(await calls.under.rail.ask(key, call, sent)).toMatchObject({
      kind: 'done',
      value: { reference, amount: 500n },
    })
  })

  test('captures once, and never more than it holds', async () => {
    const { reference } = await authorized(1000n)
    expect(
      (await calls.under.rail.capture({ key: randomUUID(), reference, amount: 1001n, currency: 'USD' }, call))
        .kind,
    ).toBe('refused')
    const captured = done(
      await calls.under.rail.capture({ key: randomUUID(), reference, amount: 1000n, currency: 'USD' }, call),
    )
    expect(captured).toMatchObject({ reference, status: 'captured', capturedAmount: 1000n })
    expect(
      (await calls.under.rail.capture({ key: randomUUID(), reference, amount: 1n, currency: 'USD' }, call))
        .kind,
    ).toBe('refused')
    expect(await standing('authorization', reference)).toMatchObject({ capturedAmount: 1000n })
  })

  test('captures nothing after a void, and voids nothing after a capture', async () => {
    const voided = await authorized(1000n)
    done(await calls.under.rail.void({ key: randomUUID(), reference: voided.reference }, call))
    const { reference } = voided
    expect(
      (await calls.under.rail.capture({ key: randomUUID(), reference, amount: 1n, currency: 'USD' }, call))
        .kind,
    ).toBe('refused')
    done(await calls.under.rail.void({ key: randomUUID(), reference }, call))
    const captured = await authorized(1000n)
    done(
      await calls.under.rail.capture(
        { key: randomUUID(), reference: captured.reference, amount: 1000n, currency: 'USD' },
        call,
      ),
    )
    const late = await calls.under.rail.void({ key: randomUUID(), reference: captured.reference }, call)
    expect(late.kind).toBe('refused')
  })

  test('refunds up to what was captured', async () => {
    const { reference } = await authorized(1000n)
    const captured = done(
      await calls.under.rail.capture({ key: randomUUID(), reference, amount: 1000n, currency: 'USD' }, call),
    )
    const of = captured.captureReference ?? ''
    done(
      await calls.under.rail.refund(
        { key: randomUUID(), reference: of, amount: 600n, currency: 'USD' },
        call,
      ),
    )
    expect(
      (
        await calls.under.rail.refund(
          { key: randomUUID(), reference: of, amount: 401n, currency: 'USD' },
          call,
        )
      ).kind,
    ).toBe('refused')
  })

  test('names the capture that a refund needs, after our capture and after a charge by a merchant', async () => {
    const authorization = await authorized(1000n)
    const credential = calls.under.charge ? await issued(1000n) : null
    expect([authorization.captureReference, credential?.captureReference ?? null]).toEqual([null, null])
    done(
      await calls.under.rail.capture(
        { key: randomUUID(), reference: authorization.reference, amount: 1000n, currency: 'USD' },
        call,
      ),
    )
    const paid =
      credential && (await calls.charge(credential.reference, { amount: 900n, currency: 'USD', merchant }))
    expect(paid).not.toBe(false)
    for (const [kind, { reference }, amount] of [
      ['authorization', authorization, 1000n] as const,
      ...(credential ? [['credential', credential, 900n] as const] : []),
    ]) {
      const captured = await standing(kind, reference)
      const refund = {
        key: randomUUID(),
        reference: captured.captureReference ?? '',
        amount,
        currency: 'USD',
      }
      const refunds = await Promise.all([1, 2, 3].map(() => calls.under.rail.refund(refund, call)))
      expect(new Set(refunds.map((answer) => done(answer).reference)).size).toBe(1)
      const sent = { step: 'refund', input: refund } as const
      expect(await calls.under.rail.ask(refund.key, call, sent)).toMatchObject({ kind: 'done' })
      expect(await standing(kind, reference)).toMatchObject({
        status: 'refunded',
        capturedAmount: amount,
      })
    }
  })

  test.for<[string, { amount?: bigint; currency?: string; merchant?: string }]>([
    ['beyond its limit', { amount: 1001n }],
    ['in another currency', { currency: 'EUR' }],
    ['by another merchant', { merchant: 'other.example' }],
  ])('lets nobody charge a credential %s', async ([, change], context) => {
    if (!calls.under.charge) return context.skip()
    const { reference } = await issued(1000n)
    expect(await calls.charge(reference, { amount: 1000n, currency: 'USD', merchant, ...change })).toBe(false)
    expect(await standing('credential', reference)).toMatchObject({
      status: 'authorized',
      capturedAmount: 0n,
    })
  })

  test('lets a credential be charged once, and names the charged amount', async (context) => {
    if (!calls.under.charge) return context.skip()
    const { reference } = await issued(1000n)
    expect(await calls.charge(reference, { amount: 900n, currency: 'USD', merchant })).toBe(true)
    expect(await calls.charge(reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
    expect(await standing('credential', reference)).toMatchObject({
      status: 'captured',
      amount: 1000n,
      capturedAmount: 900n,
    })
    expect((await calls.under.rail.revoke({ key: randomUUID(), reference }, call)).kind).toBe('refused')
  })

  test('lets nobody charge a credential that is revoked or has expired', async (context) => {
    if (!calls.under.charge) return context.skip()
    const { reference } = await issued(1000n)
    done(await calls.under.rail.revoke({ key: randomUUID(), reference }, call))
    expect(await calls.charge(reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
    const over = await issued(1000n, new Date(Date.now() - 1000))
    expect(await calls.charge(over.reference, { amount: 1n, currency: 'USD', merchant })).toBe(false)
  })

  test.for(['void', 'revoke'] as const)(
    'refuses a %s for good under its key, and takes it under another',
    async (operation, context) => {
      if (!calls.under.refuseRelease) return context.skip()
      const kind = operation === 'void' ? 'authorization' : 'credential'
      const { reference } = operation === 'void' ? await authorized(700n) : await issued(700n)
      await calls.under.refuseRelease(operation)
      const release = (key: string) => calls.under.rail[operation]({ key, reference }, call)
      const key = randomUUID()
      expect((await release(key)).kind).toBe('refused')
      expect((await release(key)).kind).toBe('refused')
      expect(await standing(kind, reference)).toMatchObject({ status: 'authorized' })
      expect((await release(randomUUID())).kind).toBe('done')
      expect(await standing(kind, reference)).toMatchObject({ status: 'voided' })
    },
  )

  test('lists its open holds by key, page by page, and nothing that was captured, released or declined', async (context) => {
    const { rail } = calls.under
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
    const hold = async (key: string) => done(await rail.authorize({ ...terms({ key }), amount: 700n }, call))
    const { reference } = await hold(kept)
    done(
      await rail.capture(
        { key: randomUUID(), reference: (await hold(captured)).reference, amount: 1n, currency: 'USD' },
        call,
      ),
    )
    done(await rail.void({ key: randomUUID(), reference: (await hold(voided)).reference }, call))
    const { sent, authorize } = authorization(700n, closed)
    done(await authorize())
    await rail.close(sent, call)
    await rail.authorize(
      { ...terms({ key: declined, card: calls.under.declinedCard.card }), amount: 700n },
      call,
    )
    const expiresAt = new Date(Date.now() + 3_600_000)
    const issued = calls.under.charge
      ? done(await rail.issueCredential({ ...terms({ key: charged }), limit: 700n, expiresAt }, call))
      : null
    const later = new Date(Date.now() + 60_000)
    const open = (all: readonly string[]) => all.filter((key) => keys.includes(key))
    expect(open(await listAll({ since: null, until: later }))).toEqual(issued ? [kept, charged] : [kept])
    if (issued)
      expect(await calls.charge(issued.reference, { amount: 700n, currency: 'USD', merchant })).toBe(true)
    expect(open(await listAll({ since: null, until: later }))).toEqual([kept])
    expect(open(await listAll({ since: later, until: later }))).toEqual([])
    expect(open(await listAll({ since: null, until: new Date(0) }))).toEqual([])
    const page = await list({ since: null, until: later, page: null }, call)
    expect(page?.holds.find(({ key }) => key === kept)).toMatchObject({
      object: { reference, status: 'authorized', amount: 700n, currency: 'USD' },
    })
  })
}

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type {
  ClosableCall,
  PaymentRail,
  RailCredential,
  RailMovement,
  RailObject,
} from '../../../src/domain/buying/rails/port.ts'
import { call, done, merchant } from './rail-under-test.ts'

/** A rail that issues cards into a vault, and the shops that charge them. */
export type CardRailUnderTest = {
  rail: PaymentRail
  vaultOf: NonNullable<RailCredential['vaultOf']>
  /** How many cards the rail has made under a key. */
  issuedUnder(key: string): Promise<number>
  /** The next call that issues a card, or that reads its number: its answer is lost after it was done, or it is lost itself. */
  disturb(
    what: 'issue' | 'number',
    how: 'lose_answer' | 'drop_request' | 'status=429;retry_after=7',
  ): Promise<void>
  forgetKeys(): Promise<void>
  /** As a shop that was given the number of a card. `authorize` answers null where it is declined. */
  shop: {
    authorize(reference: string, amount: number): Promise<string | null>
    capture(authorization: string, amount: number, isFinal?: boolean): Promise<string>
    reverse(authorization: string): Promise<void>
    refund(capture: string, amount: number): Promise<void>
  }
  reset(): Promise<void>
  stop(): Promise<void>
}

/** What every rail that issues cards must do. */
export function conformsToCardRail(name: string, start: () => Promise<CardRailUnderTest>): void {
  describe(`${name} as a rail of cards`, () => {
    let under: CardRailUnderTest
    beforeAll(async () => {
      under = await start()
    })
    afterEach(() => under?.reset())
    afterAll(() => under?.stop())
    const cards = cardCalls(() => under)
    testIssuedCards(cards)
    testLostCards(cards)
    testMovementsOfCards(cards)
  })
}

type CardCalls = ReturnType<typeof cardCalls>

function cardCalls(rail: () => CardRailUnderTest) {
  function terms(change: Partial<RailCredential> = {}): RailCredential {
    const key = randomUUID()
    return {
      key,
      card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
      limit: 1_000n,
      currency: 'USD',
      merchant,
      reference: `test ${key}`,
      expiresAt: new Date(Date.now() + 3_600_000),
      vaultOf: rail().vaultOf,
      ...change,
    }
  }
  return {
    get under() {
      return rail()
    },
    terms,
    issued: async (change?: Partial<RailCredential>): Promise<RailObject> =>
      done(await rail().rail.issueCredential(terms(change), call)),
    standing: async ({ reference }: RailObject): Promise<RailObject> =>
      done(await rail().rail.get('credential', reference, call)),
    revoke: ({ reference }: RailObject) => rail().rail.revoke({ key: randomUUID(), reference }, call),
  }
}

function testIssuedCards(cards: CardCalls): void {
  const { terms, issued, standing, revoke } = cards

  test('a card has its reference at the rail and its record in the vault, and one key makes one', async () => {
    const input = terms()
    const answers = await Promise.all([1, 2, 3].map(() => cards.under.rail.issueCredential(input, call)))
    const [first = done(await cards.under.rail.issueCredential(input, call))] = answers.flatMap((one) =>
      one.kind === 'done' ? [one.value] : [],
    )
    expect(first).toMatchObject({ status: 'authorized', amount: 1_000n, capturedAmount: 0n, currency: 'USD' })
    expect(first.record).toMatch(/^vrec_[0-9A-Za-z]{33}$/)
    expect(done(await cards.under.rail.issueCredential(input, call))).toMatchObject({
      reference: first.reference,
      record: first.record,
    })
    expect(await cards.under.issuedUnder(input.key)).toBe(1)
  })

  test('shops charge it in parts up to its limit, and it says what it has cost', async () => {
    const { shop } = cards.under
    const card = await issued()
    await shop.authorize(card.reference, 0)
    expect(await standing(card)).toMatchObject({ status: 'authorized', capturedAmount: 0n })
    const held = (await shop.authorize(card.reference, 600)) ?? ''
    expect(await standing(card)).toMatchObject({ status: 'claimed', claimedAmount: 600n })
    const other = (await shop.authorize(card.reference, 300)) ?? ''
    await shop.capture(other, 300)
    expect(await standing(card)).toMatchObject({
      status: 'claimed',
      claimedAmount: 900n,
      capturedAmount: 300n,
    })
    expect(await shop.authorize(card.reference, 101), 'beyond the limit').toBeNull()
    await shop.capture(held, 100)
    expect(await standing(card)).toMatchObject({
      status: 'claimed',
      claimedAmount: 900n,
      capturedAmount: 400n,
    })
    const last = await shop.capture(held, 300, true)
    expect(await standing(card)).toMatchObject({
      status: 'captured',
      capturedAmount: 700n,
      captureReference: card.reference,
    })
    await shop.refund(last, 300)
    expect(await standing(card)).toMatchObject({ status: 'captured', refundedAmount: 300n })
  })

  test('a revoked card takes nothing new and keeps what was authorized; what was given back ends it', async () => {
    const { shop } = cards.under
    const [used, unused] = [await issued(), await issued()]
    const held = (await shop.authorize(used.reference, 500)) ?? ''
    expect(await revoke(used)).toMatchObject({ value: { status: 'claimed', claimedAmount: 500n } })
    expect(await revoke(unused)).toMatchObject({ value: { status: 'voided' } })
    expect(await revoke(unused)).toMatchObject({ value: { status: 'voided' } })
    for (const { reference } of [used, unused]) expect(await shop.authorize(reference, 1)).toBeNull()
    await shop.reverse(held)
    expect(await standing(used)).toMatchObject({ status: 'voided', capturedAmount: 0n })
  })

  test('a card that nobody knows is no refusal', async () => {
    const nothing = { kind: 'not_now', reason: 'no_object', retryAfterSeconds: null }
    const reference = 'no_card_of_that_name'
    expect(await cards.under.rail.revoke({ key: randomUUID(), reference }, call)).toEqual(nothing)
    expect(await cards.under.rail.get('credential', reference, call)).toEqual(nothing)
  })
}

function testLostCards(cards: CardCalls): void {
  const { terms, issued } = cards

  test.each([
    ['an answer that is lost', 'issue', 'lose_answer', 'unknown', 1],
    ['a request that is lost', 'issue', 'drop_request', 'unknown', 0],
    ['a number whose answer is lost', 'number', 'lose_answer', 'unknown', 1],
    ['a call that is turned away', 'issue', 'status=429;retry_after=7', 'not_now', 0],
  ] as const)(
    '%s is what it proves, and the same call then makes one card',
    async (_, what, how, kind, made) => {
      const input = terms()
      const sent = { step: 'issue_credential', input } as const
      await cards.under.disturb(what, how)
      expect((await cards.under.rail.issueCredential(input, call)).kind).toBe(kind)
      expect(await cards.under.issuedUnder(input.key)).toBe(made)
      const known = await cards.under.rail.ask(input.key, call, sent)
      expect(known.kind).toBe(made === 1 ? 'done' : 'not_found')
      const [first, again] = [await issued(input), await issued(input)]
      expect(again).toEqual(first)
      if (known.kind === 'done') expect(known.value).toMatchObject({ record: first.record })
      expect(await cards.under.issuedUnder(input.key)).toBe(1)
    },
  )

  test.each(['remembered', 'forgotten'])(
    'a closed key leads to no card that pays: its key is %s',
    async (how) => {
      const { rail, shop } = cards.under
      const forget = async () => {
        if (how === 'forgotten') await cards.under.forgetKeys()
      }
      const input = terms()
      const sent: ClosableCall = { step: 'issue_credential', input }
      const card = await issued(input)
      await forget()
      expect(await rail.ask(input.key, call, sent)).toMatchObject({
        kind: 'done',
        value: { reference: card.reference, record: card.record },
      })
      expect(await rail.close(sent, call)).toEqual({ kind: 'closed' })
      expect(await rail.close(sent, call)).toEqual({ kind: 'closed' })
      expect(await shop.authorize(card.reference, 1)).toBeNull()
      expect((await rail.ask(input.key, call, sent)).kind).toBe('closed')
      const late = await rail.issueCredential(input, call)
      if (how === 'remembered' && late.kind === 'done')
        expect(await shop.authorize(late.value.reference, 1)).toBeNull()
    },
  )

  test('a call that comes after its key was closed makes no card that pays', async () => {
    const { rail, shop } = cards.under
    const input = terms()
    expect(await rail.close({ step: 'issue_credential', input }, call)).toEqual({ kind: 'closed' })
    const late = await rail.issueCredential(input, call)
    expect(late.kind).not.toBe('unknown')
    if (late.kind === 'done') expect(await shop.authorize(late.value.reference, 1)).toBeNull()
  })

  test('closing undoes nothing that a shop has done', async () => {
    const { rail, shop } = cards.under
    const input = terms()
    const card = await issued(input)
    const held = (await shop.authorize(card.reference, 700)) ?? ''
    await shop.capture(held, 700)
    expect(await rail.close({ step: 'issue_credential', input }, call)).toMatchObject({
      kind: 'done',
      value: { reference: card.reference, status: 'captured', capturedAmount: 700n },
    })
    expect(await shop.authorize(card.reference, 1)).toBeNull()
  })
}

function testMovementsOfCards(cards: CardCalls): void {
  test('what shops do is reported from a position on, and a refund with the sum of all before it', async () => {
    const { rail, shop } = cards.under
    const all = async (after: string | null) => {
      const movements: RailMovement[] = []
      for (let position = after; ; ) {
        const page = await rail.listMovements?.(position, call)
        if (!page) throw new Error('the rail does not report')
        movements.push(...page.movements)
        if (page.movements.length === 0 && page.next === position) return { movements, position }
        position = page.next
      }
    }
    const card = await cards.issued()
    const { position } = await all(null)
    const held = (await shop.authorize(card.reference, 700)) ?? ''
    const capture = await shop.capture(held, 700)
    await shop.refund(capture, 200)
    await shop.refund(capture, 150)
    const { movements } = await all(position)
    expect(
      movements.map(({ reference, isRefund, refundedAmount }) => [reference, isRefund, refundedAmount]),
    ).toEqual([
      [card.reference, false, 0n],
      [card.reference, true, 200n],
      [card.reference, true, 350n],
    ])
    const again = await all(null)
    const ids = again.movements.filter(({ reference }) => reference === card.reference).map(({ id }) => id)
    expect(ids).toEqual(movements.map(({ id }) => id))
  })
}

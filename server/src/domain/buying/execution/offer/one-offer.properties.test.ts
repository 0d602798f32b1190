import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAsk } from '../../../../browser/door/read-ask.ts'
import { browserChannel } from '../../../../channels/browser/browser.ts'
import type { BrowserPort } from '../../../../channels/browser/browser-port.ts'
import { readLine, writeLine } from '../../../../channels/browser/shopping-wire.ts'
import { amountToJson, withAmounts } from '../../../../core/amounts-in-json.ts'
import type { ChannelCall, Offer } from '../../channels/port.ts'
import { advance } from '../advance.ts'
import { type CartState, journaled } from '../cart-state.ts'
import { type EffectAnswer, type EffectRow, placedAnswer } from '../journal.ts'
import { offerRequest, orderTerms } from '../requests.ts'
import { base, hold, stateInWords } from '../states.testing.ts'

const itemId = base.cart.items[0]?.id ?? ''
const amount = fc.bigInt({ min: 0n, max: 2n ** 61n })

/** What a page can say, with amounts far above those that a number holds exactly. */
const offers = fc
  .record({
    subtotal: amount,
    fulfillment: amount,
    tax: amount,
    discount: amount,
    reference: fc.constantFrom(null, 'bvs_page'),
    lines: fc.array(
      fc.record({
        itemId: fc.constantFrom(itemId, 'item_other'),
        quantity: fc.integer({ min: 1, max: 1_000_000 }),
        unitAmount: amount,
        title: fc.constantFrom(null, 'Kettle', '12', '9007199254740993'),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ discount, ...parts }): Offer => {
    const most = parts.subtotal + parts.fulfillment + parts.tax
    const taken = discount < most ? discount : most
    return { ...parts, discount: taken, total: most - taken, currency: 'EUR' }
  })

const call: ChannelCall = { mode: 'test', share: 'buyer', timeoutMs: 60_000 }

/** A browser behind its door that reads this offer, and what it was asked to order. */
function browserWith(offer: Offer) {
  const ordered: Offer[] = []
  const port: Pick<BrowserPort, 'price' | 'place'> = {
    async price() {
      const said = readLine(writeLine({ answer: { kind: 'offer', offer, promo: null } }))
      return (said as { answer: Awaited<ReturnType<BrowserPort['price']>> }).answer // as it was written
    },
    async place(request, agreed, { mode, share }) {
      const line = writeLine({ ask: 'place', mode, share, request, offer: agreed, has_reader: false })
      const ask = readAsk(readLine(line))
      if (ask?.ask === 'place') ordered.push(ask.offer)
      return { kind: 'unknown', why: 'nobody waits for what it says' }
    },
  }
  return { channel: browserChannel.open({ browser: port as BrowserPort }), ordered }
}

/** A cart that is bought at pages, whose buyer has agreed to exactly this price. */
function cartFor({ subtotal, fulfillment, total }: Offer): CartState {
  const state = stateInWords({ isNative: false, hasStrangers: true, payment: 'credential' })
  const means = { ...state.means, ways: { browser: browserWay } }
  const known = {
    payer: { id: 'pm_00000000000000000000000001', vault_token: 'token' } as CartState['known']['payer'] &
      object, // what is looked at
    moreHosts: [],
    offerHeldSeconds: 0,
    railHeld: { rail: 'sandbox', seconds: 0 },
  }
  const terms = { expected_amount: subtotal, fee_allowance: fulfillment, max_allowed_amount: total }
  return { ...state, means, known, cart: { ...state.cart, ...terms, channel: 'browser' } }
}

const browserWay = {
  kind: 'outbound',
  payment: 'credential',
  form: 'card',
  hasStrangers: true,
  longestCallMs: browserChannel.longestCallMs,
} as const

/** As the database keeps it. */
function kept<Value>(value: Value): Value {
  return withAmounts(JSON.parse(JSON.stringify(value, amountToJson)))
}

async function answerOf(state: CartState, channel: NonNullable<ReturnType<typeof browserWith>['channel']>) {
  const answer = await channel.offer(offerRequest(state), call)
  if (answer.kind !== 'offer') throw new Error(`no offer: ${answer.kind}`)
  return { kind: 'answered', answer: { kind: 'offer', answer } } as const
}

test('an offer is ordered as its page was read, however large: over the door, the port, the journal, and back', async () => {
  await fc.assert(
    fc.asyncProperty(offers, async (offer) => {
      const { channel, ordered } = browserWith(offer)
      const state = cartFor(offer)
      if (channel === null || offer.total === 0n) return
      const paying = advance(state, await answerOf(state, channel))
      expect(paying.next).toMatchObject({ kind: 'call', call: { sent: { input: { limit: offer.total } } } })
      const sent = journaled(paying.state, 'issue_credential', 1)
      const effect: EffectRow = { ...sent, request: kept(sent.request), state: 'done' }
      const held = { ...paying.state, effects: [effect], holds: [hold('authorized')] }
      const order = orderTerms(held, 1)
      const instrument = {
        kind: 'credential',
        form: 'card',
        reference: 'card',
        grant: async () => null,
      } as const
      await channel.place({ ...order, instrument }, call)
      expect([effect.request.amount, ordered]).toEqual([offer.total, [offer]])
    }),
  )
})

test('a person is asked about the price that the page has named', async () => {
  await fc.assert(
    fc.asyncProperty(offers, async (offer) => {
      const { channel } = browserWith(offer)
      const state = cartFor({ ...offer, subtotal: offer.subtotal - 1n })
      if (channel === null) return
      const intent = { ...state.intent, on_price_exceed: 'reapprove' } as const
      const { next } = advance({ ...state, intent }, await answerOf(state, channel))
      expect(next).toEqual({ kind: 'command', command: { kind: 'propose_price', offer } })
    }),
  )
})

test('what the journal says of money it says in the same amounts when it is read again', () => {
  const answers = fc.oneof(
    amount.map((owed) => placedAnswer({ orderRow: null, orderId: '12', transactionId: '34', owed })),
    amount.map((one): EffectAnswer => ({ kind: 'captured', amount: one, captureReference: '56' })),
    amount.map((one): EffectAnswer => ({ kind: 'refunded', amount: one, reference: '78' })),
  )
  fc.assert(
    fc.property(answers, (answer) => {
      expect(kept(answer)).toEqual(answer)
    }),
  )
})

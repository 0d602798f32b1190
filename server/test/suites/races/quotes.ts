import { setTimeout as delay } from 'node:timers/promises'
import { type Arena, answersOf, codeOf, type Racing } from '../arena.ts'
import { memberOf } from '../client.ts'
import { newProfile } from '../whole-product.ts'
import { openSeller, type Seller } from './seller.ts'

/**
 * Many requests accept one quote, with one offer or the other, in both ways in which it can be bought, and one cancels it. It is bought
 * once, at the price of the named offer, or it is cancelled and never bought.
 */
export async function raceQuotes(arena: Arena): Promise<undefined> {
  const seller = await openSeller(arena, 'Quoting')
  const profile_id = await newProfile(arena.service)
  // With one offer and with two, with a cancel and without.
  for (let round = 0; round < arena.rounds(8); round++) {
    const prices = round % 4 < 2 ? [1000, 2000] : [1000]
    const { id, offers, url } = await quoted(arena, seller, `race-${round}`, prices)
    const accept = (offer: Offer): Racing => ({
      method: 'POST',
      path: `/v1/quotes/${id}/accept`,
      body: { offer_id: offer.id, profile_id },
    })
    const items = [{ url, quantity: 1, quote_id: id }]
    const asItem: Racing = { method: 'POST', path: '/v1/purchase_intents', body: { profile_id, items } }
    const once = prices.length > 1 ? offers.map(accept) : [...offers.map(accept), asItem]
    const accepts = [...once, ...once, ...once]
    const cancel: Racing = { method: 'POST', path: `/v1/quotes/${id}/cancel` }
    const isCancelFirst = arena.random() < 0.5
    const rivals = isCancelFirst ? [cancel, ...accepts] : [...accepts, cancel]
    const sent = await arena.race(round % 2 === 0 ? accepts : rivals)
    const answers = answersOf(sent)
    const bought = sent.filter(({ status }) => status === 201)
    const [intent] = bought
    const cancelled = round % 2 === 0 ? undefined : sent.at(isCancelFirst ? 0 : -1)
    const quote = await arena.ask({ method: 'GET', path: `/v1/quotes/${id}` }, 200)
    const isCancelled = cancelled?.status === 200
    arena.expect(
      isCancelled
        ? quote.status === 'cancelled' && bought.length === 0
        : quote.status === 'ordered' &&
            bought.length === 1 &&
            quote.purchase_intent_id === memberOf(intent?.body, 'id'),
      () => `quote ${id} is ${quote.status} after ${JSON.stringify(answers)}`,
    )
    arena.expect(
      sent.every((one) => one.status < 300 || refusals.includes(String(codeOf(one)))),
      () => `quote ${id} was answered ${JSON.stringify(answers)}`,
    )
    if (intent) expectPrice(arena, id, { offers, accepted: quote.accepted_offer_id, intent: intent.body })
    const [row] = await arena.query<{ purchases: number }>(
      `select count(*)::int as purchases from purchase_intents where items @> jsonb_build_array(jsonb_build_object('quote_id', $1::text))`,
      id,
    )
    const expected = isCancelled ? 0 : 1
    arena.expect(row?.purchases === expected, () => `quote ${id} was bought ${row?.purchases} times`)
  }
}

/** The client that requests a quote waits for ten seconds. */
const looksMax = 1000

type Offer = { id: string; total_amount: number }

const refusals = ['quote_not_acceptable', 'quote_not_cancellable']

function expectPrice(
  arena: Arena,
  id: string,
  told: { offers: readonly Offer[]; accepted: unknown; intent: unknown },
): void {
  const offer = told.offers.find((one) => one.id === told.accepted)
  const expected = memberOf(told.intent, 'expected_amount')
  arena.expect(
    offer !== undefined && offer.total_amount === expected,
    () => `quote ${id} was accepted at ${JSON.stringify(offer)} and costs ${expected}`,
  )
}

/** A quote with an offer at each price, which the merchant has answered with its key while the buyer waited. */
async function quoted(
  arena: Arena,
  { slug, key }: Seller,
  name: string,
  prices: readonly number[],
): Promise<{ id: string; url: string; offers: Offer[] }> {
  const headers = { 'idempotency-key': name }
  const asked = arena.ask({ method: 'POST', path: '/v1/quotes', headers, body: { merchant_slug: slug } }, 201)
  asked.catch(() => undefined)
  const pending = `select id from quotes where merchant_slug = $1 and status = 'pending'`
  const pendingId = async () => (await arena.query<{ id: string }>(pending, slug))[0]?.id
  let id = await pendingId()
  for (let looked = 0; id === undefined; looked++) {
    if (looked > looksMax) throw new Error(`nobody asks ${slug} for a price`)
    await delay(10)
    id = await pendingId()
  }
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const offers = prices.map((total_amount) => ({ total_amount, expires_at }))
  const path = `/v1/merchant/quotes/${id}/responses`
  await arena.ask({ method: 'POST', path, key, body: { outcome: 'quoted', offers } }, 200)
  const quote = await asked
  return { id, url: `https://${slug}.example/`, offers: quote.offers as Offer[] } // the contract's own shape
}

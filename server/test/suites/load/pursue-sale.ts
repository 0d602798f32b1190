import { createPrivateKey } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { signMessage } from '../../../src/protocols/ucp/sign-message.ts'
import { writeUcpAgent } from '../../../src/protocols/ucp/ucp-agent.ts'
import { patience } from '../../gate/pace.ts'
import { memberOf } from '../client.ts'
import { type Answer, type Driver, insist, insistAsWished, rest, sendRaw } from './ask.ts'
import { purchase } from './pursue-purchase.ts'
import type { Told } from './synced-journal.ts'
import type { Wish } from './wish.ts'

const againMs = 300
/** Statuses of a checkout that somebody has begun to pay. */
const taken: readonly unknown[] = ['complete_in_progress', 'completed', 'canceled']

/** A platform without an account buys at a merchant of ours over UCP, and pays with a test card. */
export async function pursueSale(driver: Driver, wish: Wish): Promise<void> {
  const checkout = await openCheckout(driver, wish)
  if (checkout === null) return
  await pay(driver, wish, checkout.id, {
    handler_id: 'test_card',
    credential: { type: 'test_card', token: 'visa_auto_approved' },
  })
}

/** A purchase of an account here becomes a token, which pays a checkout of that platform. */
export async function pursueToken(driver: Driver, wish: Wish): Promise<void> {
  const intent = await purchase(driver, wish)
  const checkout = intent === null ? null : await openCheckout(driver, wish)
  if (checkout === null || wish.checkout === null) return
  const name = `token-${wish.reference}`
  // One sending at a time: only the first answer shows the token, and a twin could get it.
  const made = await insist(driver, {
    deed: 'token',
    wish,
    name,
    target: intent,
    send: rest(driver, {
      path: `/v1/purchase_intents/${intent}/payment_tokens`,
      key: driver.order.keys.person,
      name,
      body: {
        merchant: { slug: wish.checkout.shop.slug },
        amount: checkout.total,
        currency: driver.order.price.currency,
        binding: { checkout_id: checkout.id },
      },
    }),
  })
  const token = memberOf(made?.body, 'token')
  // Its answer was lost, and nobody else has it: the purchase is free again when the token expires.
  if (typeof token !== 'string') return
  await pay(driver, wish, checkout.id, {
    handler_id: 'vault_token',
    credential: { type: 'vault_token', token },
  })
}

const home = {
  street_address: '5 Oak Rd',
  address_locality: 'Bend',
  postal_code: '97701',
  address_country: 'US',
}

async function openCheckout(driver: Driver, wish: Wish): Promise<{ id: string; total: number } | null> {
  const { shop, way } = wish.checkout ?? {}
  const name = `checkout-${wish.reference}`
  const body = {
    line_items: [{ item: { id: shop?.variants[way ?? 'ok'] }, quantity: 1 }],
    buyer: { first_name: 'Ada', email: 'ada@example.com' },
    fulfillment: { methods: [{ type: 'shipping', destinations: [home] }] },
  }
  const made = await insistAsWished(driver, {
    deed: 'checkout',
    wish,
    name,
    target: null,
    send: asPlatform(driver, wish, { path: '', name, body }),
  })
  const total = totalOf(made?.body)
  return made?.id && total !== null ? { id: made.id, total } : null
}

function totalOf(checkout: unknown): number | null {
  const totals = memberOf(checkout, 'totals')
  const total = Array.isArray(totals) ? totals.find((one) => memberOf(one, 'type') === 'total') : undefined
  const amount = memberOf(total, 'amount')
  return typeof amount === 'number' ? amount : null
}

/** Pays until the merchant takes it: a token may still be on its way. */
async function pay(driver: Driver, wish: Wish, checkout: string, instrument: object): Promise<void> {
  const wait = patience(driver.order.patienceMs)
  for (let tries = 1; !wait.isOver(); tries++) {
    const name = `complete-${tries}-${wish.reference}`
    const body = { payment: { instruments: [{ id: 'instrument_1', type: 'card', ...instrument }] } }
    const answer = await insist(driver, {
      deed: 'complete',
      wish,
      name,
      target: checkout,
      send: asPlatform(driver, wish, { path: `/${checkout}/complete`, name, body }),
      tell: tellStatus,
    })
    if (answer === null || taken.includes(memberOf(answer.body, 'status'))) return
    await delay(againMs)
  }
}

function tellStatus(checkout: unknown): Told | null {
  const status = memberOf(checkout, 'status')
  return typeof status === 'string' ? { status } : null
}

/** A signed request of the platform. Each sending is signed anew, for the address that the API calls its own. */
function asPlatform(
  driver: Driver,
  wish: Wish,
  { path, name, body }: { path: string; name: string; body: object },
) {
  const { bases, origins, trade } = driver.order
  if (!trade || !wish.checkout) throw new Error('nobody buys over UCP here')
  const { profileUrl, kid, pem } = trade.platform
  const key = createPrivateKey(pem)
  const address = `/ucp/test/m/${wish.checkout.shop.slug}/checkout-sessions${path}`
  const sent = JSON.stringify(body)
  return async (base: string): Promise<Answer> => {
    const headers = {
      'ucp-agent': writeUcpAgent(profileUrl),
      'content-type': 'application/json',
      'idempotency-key': name,
    }
    const url = `${origins[bases.indexOf(base)] ?? base}${address}`
    const message = { kind: 'request', method: 'POST', url, headers, body: Buffer.from(sent) } as const
    const signed = signMessage(message, { key, kid }, { now: new Date() })
    const answer = await sendRaw(driver, base + address, {
      method: 'POST',
      headers: { ...headers, ...signed },
      body: sent,
    })
    const isRefused = memberOf(memberOf(answer.body, 'ucp'), 'status') === 'error'
    const [id, code] = [memberOf(answer.body, 'id'), memberOf(answer.body, 'code')]
    return {
      status: isRefused && answer.status < 300 ? 422 : answer.status,
      id: typeof id === 'string' ? id : null,
      code: typeof code === 'string' ? code : null,
      body: answer.body,
    }
  }
}

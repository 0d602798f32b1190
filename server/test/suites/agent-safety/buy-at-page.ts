import { patience } from '../../gate/pace.ts'
import { person } from '../../harness/person.ts'
import { memberOf } from '../client.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import type { Bought } from './judge.ts'

const price = 2000
/** Standard shipping costs 5.00. With less allowed for it, a cart is priced and then given up. */
const fees = { order: 1500, price: 100 }
const overPatienceMs = 120_000
const changeSeconds = 10

type Wanted = { page: number; upTo: 'price' | 'order' }

/** Buys one piece at a page through the browser, or only has it priced, and reads what a model would read of it. */
export async function buyAtPage(service: Service, { page, upTo }: Wanted): Promise<Bought> {
  const post = async (path: string, body: object, status: number) =>
    bodyOf(
      await service.client().rest({ method: 'POST', path, key: service.person, body: JSON.stringify(body) }),
      status,
    )
  // No digits in groups, which the shop would take for a card.
  const email = `buyer.of.page.${page}@example.com`
  const { id: profile } = await post('/v1/profiles', { ...person, email }, 201)
  const card = { kind: 'existing', vault_token_id: 'visa_auto_approved' }
  const agreed = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  await post(`/v1/profiles/${profile}/payment_methods`, { type: 'card', card: { ...card, ...agreed } }, 201)
  const { id } = await post(
    '/v1/purchase_intents',
    {
      profile_id: profile,
      items: [
        {
          url: `${service.ready.sandbox.shops.hostile}/product/instructed-${page}`,
          quantity: 1,
          expected_amount: price,
          expected_currency: 'USD',
        },
      ],
      preferences: { fulfillment: { method: 'ship', max_fee_amount: fees[upTo] } },
    },
    201,
  )
  await post(`/v1/purchase_intents/${id}/approve`, { approve: true }, 200)
  await untilOver(service, String(id))
  return factsOf(service, { page, id: String(id), email })
}

async function untilOver(service: Service, id: string): Promise<void> {
  const wait = patience(overPatienceMs)
  const path = `/v1/purchase_intents/${id}`
  for (let sequence: unknown = 0; ; ) {
    // Asked again and again, four purchases at once would keep the API as busy as the browser.
    const query = `?wait_seconds=${changeSeconds}&after_sequence=${sequence}`
    const { body } = await service.client().rest({ method: 'GET', path: path + query, key: service.person })
    const status = memberOf(body, 'status')
    if (typeof status !== 'string') throw new Error(`${id} cannot be read`)
    if (!['approved', 'queued', 'in_progress'].includes(status)) return
    if (wait.isOver()) throw new Error(`${id} is ${status}, and does not end`)
    sequence = memberOf(body, 'sequence')
  }
}

async function factsOf(service: Service, one: Pick<Bought, 'page' | 'id' | 'email'>): Promise<Bought> {
  const tool = async (name: string) =>
    bodyOf(await service.client().tool(name, { purchase_intent_id: one.id }, service.agent), 200)
  const intent = await tool('v1_get_purchase_intent')
  const events = await tool('v1_list_purchase_intent_events')
  const [cart] = Array.isArray(intent.carts) ? intent.carts : []
  const offered = memberOf(memberOf(cart, 'offer'), 'total')
  const code = memberOf(intent.failure_reason, 'code')
  return {
    ...one,
    status: String(intent.status),
    code: typeof code === 'string' ? code : null,
    offered: typeof offered === 'number' ? offered : null,
    max: Number(intent.max_allowed_amount),
    read: [intent, events],
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import { patience } from '../../gate/pace.ts'
import { person } from '../../harness/person.ts'
import { queryStored } from '../load/query-stored.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import type { Page } from './shop-pages.ts'

export type Shopping = Awaited<ReturnType<typeof openShopping>>

const lookPatienceMs = 60_000

/** Purchases at the sandbox's strangers, each by a buyer of its own, whom the shops know by the e-mail address. */
export async function openShopping(service: Service, key = service.person) {
  const { ready } = service

  async function post(path: string, body: object, status: number): Promise<Record<string, unknown>> {
    const request = { method: 'POST', path, key, body: JSON.stringify(body) }
    return bodyOf(await service.client().rest(request), status)
  }

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    queryStored<Row>(ready.database_url, text, values)

  /** No worker runs yet that has looked at the shops, and what nobody has looked at has no way of buying. */
  async function untilLookedAt(): Promise<void> {
    const worker = await service.startRole('worker')
    const wait = patience(lookPatienceMs)
    const unseen = `select 1 from registry_entries where looked_at is null and due_at is not null`
    while ((await sql(unseen)).length > 0) {
      if (wait.isOver()) throw new Error('no worker looks at the shops of the registry')
      await delay(50)
    }
    await worker.stop(8000)
  }

  await untilLookedAt()

  return {
    sql,
    async create({ url, price, currency, variant }: Page) {
      const email = `${randomUUID()}@example.com`
      const { id: profile } = await post('/v1/profiles', { ...person, email }, 201)
      const card = { kind: 'existing', vault_token_id: 'visa_auto_approved' }
      const agreed = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
      await post(
        `/v1/profiles/${profile}/payment_methods`,
        { type: 'card', card: { ...card, ...agreed } },
        201,
      )
      const item = {
        url,
        quantity: 1,
        expected_amount: price,
        expected_currency: currency,
        ...(variant ? { variant } : {}),
      }
      const { id } = await post('/v1/purchase_intents', { profile_id: profile, items: [item] }, 201)
      return {
        id: String(id),
        email,
        approve: async () => void (await post(`/v1/purchase_intents/${id}/approve`, { approve: true }, 200)),
      }
    },
    /** The order is written down, and the browser was told to place it. */
    async untilOrdered(id: string): Promise<void> {
      const wait = patience(lookPatienceMs)
      while (
        (await sql(`select 1 from effects where intent_id = $1 and step = 'place'`, [id])).length === 0
      ) {
        if (wait.isOver()) throw new Error(`${id} was never ordered`)
        await delay(10)
      }
    },
    /** So many days pass at the shop and here. */
    async passDays(shop: string, days: number): Promise<void> {
      const { strangers_url: strangers, control_token: token } = ready.sandbox
      const response = await fetch(`${strangers}/${shop}/control/days`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ days }),
      })
      if (!response.ok) throw new Error(`${shop} answered ${response.status}`)
      await advanceTestClock(ready.database_url, days * 86_400)
    },
    /** Nothing is left to do for it but to wait for the shop's money, which is authorized. */
    async isOver(id: string): Promise<boolean> {
      const { status } = await service.read(id)
      if (!['succeeded', 'failed', 'cancelled', 'declined'].includes(status)) return false
      const busy = await sql(
        `select 1 from carts c where c.intent_id = $1 and (c.due_at is not null or c.lease_until > prokura_now())
         and (not exists (select 1 from authorizations a where a.cart_id = c.id and a.status = 'authorized' and a.claimed_at is not null)
           or exists (select 1 from effects e where e.cart_id = c.id and e.state in ('sent', 'unknown')))`,
        [id],
      )
      return busy.length === 0
    },
  }
}

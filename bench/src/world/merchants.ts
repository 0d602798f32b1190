import { administer } from '../../../server/src/cli/operator/administer.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import type { EventDraft } from '../../../server/src/contract/context.ts'
import type { Id } from '../../../server/src/core/id.ts'
import { type ActingParts, runAs } from '../../../server/src/platform/calls/run-as.ts'
import type { World } from './world.ts'

/** How an endpoint treats its requests; see the receiver. */
type Health = 'ok' | 'busy' | 'fail' | 'hang'

/** An account with one destination, which gets orders. */
export type Merchant = {
  accountId: Id<'acct'>
  key: string
  destinationId: string
  secret: string
  url: string
  health: Health
}

/** Each has an account of its own, and an origin of its own, as real merchants do. */
export function openMerchants(
  world: World,
  port: number,
  counts: Partial<Record<Health, number>>,
): Promise<Merchant[]> {
  const wanted = (['ok', 'busy', 'fail', 'hang'] as const).flatMap((health) =>
    Array.from({ length: counts[health] ?? 0 }, (_, number) => ({ health, number })),
  )
  return administer(roleConfig(world.state), async ({ openAccount }) => {
    const merchants: Merchant[] = []
    for (const { health, number } of wanted) {
      const { account_id: accountId, keys } = await openAccount(`Merchant ${health} ${number}`)
      const url = `http://${health}-${number}.localhost:${port}/hooks`
      const key = keys.secret_test
      const body = { name: 'Backend', event_types: types, webhook: { endpoint_url: url } }
      const { id, secret } = await world.call('POST', '/v1/merchant/destinations', body, key)
      merchants.push({ accountId, key, destinationId: id, secret: secret.secret, url, health })
    }
    await confirmAll(world)
    return merchants
  })
}

/** Marks every endpoint as confirmed, also those that never answer: the bench measures what comes after. */
export async function confirmAll({ database }: Pick<World, 'database'>): Promise<void> {
  // The version that is compared with this one may have no confirmation.
  const { rows } = await database.query(
    `select 1 from information_schema.columns where table_name = 'webhook_destinations' and column_name = 'confirmed_at'`,
  )
  if (rows.length === 0) return
  await database.query('update webhook_destinations set confirmed_at = now() where confirmed_at is null')
  await database.query(`delete from deliveries where event_type = 'destination.test' and due_at is not null`)
}

const types = ['order.requested', 'order.confirmed', 'payment.captured'] as const

/** Commits events of this many orders of one merchant, up to three of each, through the product's own path. */
export async function tellOfOrders(
  parts: ActingParts,
  merchant: Merchant,
  { orders, eventsEach }: { orders: number; eventsEach: number },
): Promise<void> {
  const tenant = { accountId: merchant.accountId, mode: 'test' } as const
  await runAs(parts, { tenant, actor: { type: 'system', id: 'bench' } }, async (ctx) => {
    for (let order = 0; order < orders; order++) {
      const orderId = ctx.newId('ord')
      for (const [index, type] of types.slice(0, eventsEach).entries()) {
        const object = orderOf(orderId)
        const draft: unknown = {
          type,
          aggregateId: orderId,
          sequence: index + 1,
          object,
          recipient: { accountId: merchant.accountId, data: { order: object } },
        }
        ctx.tx.emit(draft as EventDraft) // as large as an order, and with the time that the bench measures from
      }
    }
  })
}

/** As large as an order of one item is on the wire. */
export function orderOf(orderId: string): Record<string, unknown> {
  return {
    id: orderId,
    object: 'order',
    mode: 'test',
    made_at_ms: performance.timeOrigin + performance.now(),
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
    status: 'requested',
    purchase_intent_id: 'pi_01jb2w9m4ye6xs3kq8t7v5c0zd',
    currency_code: 'USD',
    items: [
      {
        id: 'item_01jb2w9m4ye6xs3kq8t7v5c0zd',
        url: 'https://merchant.example/items/naïve-☕',
        quantity: 1,
        unit_amount: 2500,
        title: 'A cup that is neither too large nor too small',
        variant: null,
      },
    ],
    amounts: { items: 2500, fulfillment: 800, tax: 0, total: 3300 },
    buyer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: null },
    fulfillment: {
      method: 'ship',
      speed: 'cheapest',
      address: {
        line1: '1 Analytical Way',
        line2: null,
        city: 'Portland',
        state: 'OR',
        postal_code: '97201',
        country: 'US',
      },
    },
    payment: { status: 'authorized', authorized_amount: 3300, captured_amount: 0, refunded_amount: 0 },
    expires_at: '2030-01-01T01:00:00.000Z',
    metadata: { channel: 'bench' },
  }
}

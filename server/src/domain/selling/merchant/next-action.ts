import { proofText } from './domain-proof.ts'
import type { Merchant, MerchantRequirement, MerchantRow } from './merchant.ts'
import type { ReadinessFacts } from './port.ts'

type NextAction = NonNullable<Merchant['next_action']>
type Code = MerchantRequirement['code']

/** The order in which to do what is open; what keeps the merchant from being ready comes before the rest. */
const order: readonly Code[] = [
  'slug',
  'domain',
  'catalog_item',
  'order_destination',
  'order_check',
  'quote_responder',
  'quote_check',
  'domain_verification',
]

/** The one call to make next: first for what keeps the merchant from being ready, then for what is not proved. Null: nothing is left. */
export function nextAction(
  row: MerchantRow,
  requirements: readonly MerchantRequirement[],
  facts: ReadinessFacts,
): NextAction | null {
  const ready = row.mode === 'test' ? 'test_ready' : 'live_ready'
  const open = [...requirements]
    .filter(({ state }) => state !== 'satisfied')
    .sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
  const first = open.find(({ blocking }) => blocking.includes(ready)) ?? open[0]
  if (!first) return null
  return { requirement: first.code, reason: first.message, ...calls[first.code](row, facts) }
}

type Call = Omit<NextAction, 'requirement' | 'reason'> & { reason?: string }

const answering = ['order.requested', 'order.confirmed', 'order.rejected']
const endpoint = { endpoint_url: 'https://backend.example/webhooks' }

const calls: Readonly<Record<Code, (row: MerchantRow, facts: ReadinessFacts) => Call>> = {
  slug: changeRecord,
  domain: changeRecord,
  catalog_item: ({ domain, currency }) =>
    post('/v1/merchant/catalog_items', {
      title: 'Desk lamp',
      url: `https://${domain ?? 'shop.example'}/desk-lamp`,
      variants: [{ sku: 'LAMP-1', price: 4900, currency: currency ?? 'EUR' }],
    }),
  order_destination: (_, { order_destination_id: id }) =>
    id === null
      ? post('/v1/merchant/destinations', { name: 'Backend', event_types: answering, webhook: endpoint })
      : testOf(id),
  order_check: checkOrder,
  quote_responder: (_, { order_destination_id: id, responder_id: responder }) => {
    if (responder !== null) return testOf(responder)
    return id === null
      ? post('/v1/merchant/destinations', { name: 'Backend', responds_to_quotes: true, webhook: endpoint })
      : post(`/v1/merchant/destinations/${id}`, { responds_to_quotes: true })
  },
  quote_check: ({ slug }, { responder_id: id, item }) =>
    post('/v1/merchant/integration_checks', {
      kind: 'quote',
      destination_id: id ?? 'dest_…',
      quote_request: item === null ? { merchant_slug: slug ?? 'your-shop' } : { catalog_item_id: item.id },
    }),
  domain_verification: ({ verification_token: token }) => ({
    ...post('/v1/merchant/verify_domain', null),
    reason: `Publish ${proofText(token)}, then verify the domain.`,
  }),
}

/** The destination exists, and its endpoint still has to confirm. */
function testOf(destinationId: string): Call {
  return post(`/v1/merchant/destinations/${destinationId}/test`, null)
}

function changeRecord({ slug, domain }: MerchantRow): Call {
  return post('/v1/merchant', {
    ...(slug === null ? { slug: 'your-shop' } : {}),
    ...(domain === null ? { domain: 'shop.example' } : {}),
  })
}

/** An order that was checked before gives the same result again; without another order, somebody has to buy first. */
function checkOrder(row: MerchantRow, facts: ReadinessFacts): Call {
  const { last_order_id: orderId, order_destination_id: id, checks } = facts
  if (orderId !== null && !checks.some((check) => check.order_id === orderId)) {
    const body = { kind: 'order', destination_id: id ?? 'dest_…', order_id: orderId }
    return post('/v1/merchant/integration_checks', body)
  }
  const item = {
    url: facts.item?.url ?? `https://${row.domain ?? 'shop.example'}/desk-lamp`,
    quantity: 1,
    expected_amount: facts.item?.price ?? 4900,
    expected_currency: facts.item?.currency ?? row.currency ?? 'EUR',
  }
  return {
    ...post('/v1/purchase_intents', { profile_id: 'prof_…', items: [item] }),
    reason: 'An order check looks at an order of a test-mode purchase: buy one of your items first.',
  }
}

function post(path: string, body: Record<string, unknown> | null): Call {
  return { method: 'POST', path, body_example: body }
}

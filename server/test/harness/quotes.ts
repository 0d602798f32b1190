import type { ServerResponse } from 'node:http'
import type { ActingContext, Mode } from '../../src/contract/context.ts'
import type { Id } from '../../src/core/id.ts'
import { identityOf, readMerchant } from '../../src/domain/selling/merchant/public.ts'
import { type QuoteRow, renderQuote, renderRequest } from '../../src/domain/trade/quotes/quote.ts'
import { insertAnswer, insertQuote } from '../../src/domain/trade/quotes/quotes.sql.ts'
import { insertDelivery } from '../../src/domain/webhooks/destinations/deliveries.sql.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { signWebhook } from '../../src/platform/signatures/webhook-signature.ts'
import type { Answer, TestAccount, TestApp } from './app.ts'
import { newDestination, type Received, type Receiver } from './deliveries.ts'
import type { TestShop } from './orders.ts'

/** A merchant that other accounts can request quotes from, with one published item. */
export type QuotingShop = {
  seller: TestAccount
  key: string
  slug: string
  itemId: string
  variantId: string
  destination: { id: string; secret: string }
}

type ShopOptions = { item?: Record<string, unknown>; merchant?: Record<string, unknown>; responder?: boolean }

let shops = 0

export async function openQuotingShop(
  app: TestApp,
  receiver: Pick<Receiver, 'url'>,
  options: ShopOptions = {},
): Promise<QuotingShop> {
  const seller = await app.newAccount('Seller')
  const key = seller.keys.secret_test
  const slug = `shop-${shops++}-${seller.accountId.slice(-6)}`
  const ok = (answer: Answer) => {
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  ok(await app.post('/v1/merchant', { name: 'Shop', currency: 'EUR', slug, ...options.merchant }, { key }))
  const variants = [{ sku: 'ONE', price: 1000, quantity: 100 }]
  const draft = { title: 'One thing', variants, ...options.item }
  const item = ok(await app.post('/v1/merchant/catalog_items', draft, { key }))
  ok(await app.post(`/v1/merchant/catalog_items/${item.id}/publish`, undefined, { key }))
  const more = { responds_to_quotes: true, event_types: ['quote.requested'] }
  const made = options.responder === false ? null : await newDestination(app, receiver.url, more, key)
  return {
    seller,
    key,
    slug,
    itemId: item.id,
    variantId: item.variants[0].id,
    destination: { id: made?.id ?? '', secret: made?.secret.secret ?? '' },
  }
}

let keys = 0

/** Asks for a quote under a key of its own. */
export function askQuote(
  app: TestApp,
  body: Record<string, unknown>,
  given: { idempotencyKey?: string; key?: string } = {},
): Promise<Answer> {
  return app.post('/v1/quotes', body, {
    headers: { 'idempotency-key': given.idempotencyKey ?? `quote-${keys++}` },
    ...(given.key === undefined ? {} : { key: given.key }),
  })
}

/** The request for a quote as a merchant receives it. */
export type Asked = {
  eventId: string
  quoteId: string
  headers: Received['headers']
  quote: Record<string, unknown>
}

export function readAsked(received: Received): Asked {
  const envelope = JSON.parse(received.body)
  return {
    eventId: envelope.id,
    quoteId: envelope.data.quote.id,
    headers: received.headers,
    quote: envelope.data.quote,
  }
}

export function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString()
}

export function accepted(asked: Pick<Asked, 'eventId' | 'quoteId'>, more: Record<string, unknown> = {}) {
  return {
    event_id: asked.eventId,
    event_type: 'quote.requested',
    quote_id: asked.quoteId,
    decision: 'accepted',
    quoted_amount_cents: 1234,
    currency: 'EUR',
    expires_at: inAnHour(),
    available_quantity: 5,
    ...more,
  }
}

export function declined(asked: Pick<Asked, 'eventId' | 'quoteId'>, more: Record<string, unknown> = {}) {
  return {
    event_id: asked.eventId,
    event_type: 'quote.requested',
    quote_id: asked.quoteId,
    decision: 'declined',
    ...more,
  }
}

/** Answers a request with the signature of the destination that received it. */
export function answerSigned(
  app: TestApp,
  destination: { id: string; secret: string },
  asked: Pick<Asked, 'eventId' | 'quoteId'>,
  body: object | string,
  more: { ageSeconds?: number; signed?: string; headers?: Record<string, string>; path?: string } = {},
): Promise<Answer> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return app.request('POST', more.path ?? `/v1/merchant/quotes/${asked.quoteId}/responses`, {
    key: null,
    raw,
    headers: {
      'service-destination-id': destination.id,
      'service-webhook-id': asked.eventId,
      'service-webhook-event': 'quote.requested',
      'service-response-signature': signWebhook({
        secrets: [new Secret(destination.secret)],
        timestampSeconds: Math.floor(Date.now() / 1000) - (more.ageSeconds ?? 0),
        body: more.signed ?? raw,
      }),
      ...more.headers,
    },
  })
}

/** A backend that acknowledges requests, and then sends the answers that `make` gives. The acknowledgements are kept. */
export function answering(
  app: TestApp,
  shop: () => QuotingShop,
  make: (asked: Asked) => object = (asked) => accepted(asked),
): ((response: ServerResponse, received: Received) => void) & { answers: Answer[] } {
  const answers: Answer[] = []
  const how = (response: ServerResponse, received: Received) => {
    response.end('ok')
    const asked = readAsked(received)
    void answerSigned(app, shop().destination, asked, make(asked)).then((answer) => answers.push(answer))
  }
  return Object.assign(how, { answers })
}

/** The one offer of a quote that was placed here. */
export function offerOf(quoteId: string): Id<'offer'> {
  return `offer_${quoteId.slice(4)}`
}

/** A quote of the buyer at the shop, as a merchant that answered by key leaves it: quoted, with one offer. */
export async function placeQuote(
  app: TestApp,
  buyer: TestAccount,
  { mode = 'test', ...asked }: QuotePlaced & { mode?: Mode },
): Promise<Id<'quo'>> {
  const tenant = { accountId: buyer.accountId, mode }
  const seller = { accountId: asked.shop.seller.accountId, mode }
  const destination = await newDestination(app, 'https://hooks.example/quotes', {}, asked.shop.key)
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const merchant = await readMerchant(ctx.reads, seller)
    const row = quotedRow(ctx, merchant, { ...asked, destinationId: destination.id })
    const request = { aggregateId: row.id, object: renderQuote(row) }
    ctx.tx.write(insertQuote(row))
    writeAsked(ctx, row)
    const recipient = { accountId: seller.accountId, data: { quote: renderRequest(row) } }
    ctx.tx.emit({ ...request, id: row.requested_event_id, type: 'quote.requested', sequence: 1, recipient })
    ctx.tx.emit({ ...request, type: 'quote.quoted', sequence: 2, actor: { type: 'api_key', id: 'agent_1' } })
    return row.id
  })
}

type PlacedRow = QuoteRow & { requested_event_id: Id<'evt'>; destination_id: Id<'dest'> }

type QuotePlaced = { shop: TestShop; note: string; currency?: string; profileId?: string | null }

function quotedRow(
  ctx: ActingContext,
  merchant: Awaited<ReturnType<typeof readMerchant>>,
  placed: QuotePlaced & { destinationId: Id<'dest'> },
): PlacedRow {
  const { shop, note, currency = 'EUR', profileId = null, destinationId } = placed
  if (merchant === null) throw new Error('the shop is no merchant')
  const id = ctx.newId('quo')
  const endsAt = new Date(ctx.now.getTime() + 3_600_000)
  const offer = {
    id: offerOf(id),
    total_amount: 1000,
    currency,
    available_quantity: null,
    expires_at: endsAt.toISOString(),
    message: null,
  }
  return {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    id,
    merchant_account_id: shop.seller.accountId,
    merchant_name: 'Shop',
    merchant_slug: null,
    merchant_domain: merchant.domain,
    merchant_currency: currency,
    merchant_identity: identityOf(merchant),
    catalog_item_id: shop.itemId,
    catalog_variant_id: shop.variantId,
    item_type: 'product',
    items: [],
    quantity: 1,
    profile_id: profileId as QuoteRow['profile_id'], // one of ours
    address_id: null,
    ship_to: null,
    price_proposal: null,
    inputs: {},
    note,
    metadata: {},
    status: 'quoted',
    offers: [offer],
    required_inputs: [],
    message: null,
    round: 1,
    requested_event_id: ctx.newId('evt'),
    destination_id: destinationId,
    requested_at: ctx.now,
    deadline_at: new Date(ctx.now.getTime() + 10_000),
    responded_at: ctx.now,
    responded_by_type: 'api_key',
    responded_by_id: 'agent_1',
    failure: null,
    expires_at: endsAt,
    accepted_offer_id: null,
    purchase_intent_id: null,
    cancelled_at: null,
    due_at: endsAt,
    seq: 2,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

/** The events of the request to the merchant, and of its answer. */
function writeAsked(ctx: ActingContext, row: PlacedRow): void {
  const { mode } = row
  ctx.tx.write(
    insertAnswer({
      account_id: row.account_id,
      mode,
      quote_id: row.id,
      event_id: row.requested_event_id,
      round: 1,
      digest: Buffer.from(row.id),
      actor_type: 'api_key',
      actor_id: 'agent_1',
      now: ctx.now,
    }),
  )
  ctx.tx.write(
    insertDelivery({
      account_id: row.merchant_account_id,
      mode,
      id: ctx.newId('dlv'),
      destination_id: row.destination_id,
      event_id: row.requested_event_id,
      event_account_id: row.account_id,
      event_type: 'quote.requested',
      aggregate_id: row.id,
      sequence: 1,
      due_at: ctx.now,
      now: ctx.now,
    }),
  )
}

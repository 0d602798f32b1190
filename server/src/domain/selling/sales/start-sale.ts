import type { ActingContext, Reads, Tenant } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { type PriceParts, totalOf } from '../pricing/public.ts'
import {
  keepInstrument,
  type SaleFailure,
  type SaleInstrument,
  type SaleRow,
  type SaleState,
  type SaleTerms,
} from './sale.ts'
import { insertSale, selectSale, selectSaleOfOrder } from './sales.sql.ts'

export type NewSale = Omit<SaleTerms, 'amounts'> & {
  readonly id: Id<'sal'>
  readonly amounts: PriceParts
  readonly currency: string
  readonly instrument: SaleInstrument
}

/** How a sale stands. `orderId` names the order, which exists unless the state is `charging` or `declined`. */
export type SaleProgress = {
  readonly id: Id<'sal'>
  readonly state: SaleState
  readonly orderId: Id<'ord'>
  readonly failure: SaleFailure | null
}

/** The id that the order of a sale has, or would have. */
export function orderIdOf(id: Id<'sal'>): Id<'ord'> {
  return derivedId('ord', id, 0)
}

/**
 * Queues a sale of the merchant `ctx.tenant`: a worker holds the money at once, and then there is an order, which its merchant answers.
 * Nothing is awaited. Follow it with `readSale`; its order's id is known from the beginning, so its events can be watched.
 */
export function startSale(ctx: ActingContext, sale: NewSale): SaleProgress {
  const { id, amounts, currency, instrument, ...terms } = sale
  const amount = totalOf(amounts)
  if (amount <= 0n) throw new Error('a sale that costs nothing needs no payment')
  const { subtotal, fulfillment, tax, discount } = amounts
  const row: SaleRow = {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    id,
    order_id: orderIdOf(id),
    state: 'charging',
    terms: {
      ...terms,
      amounts: {
        subtotal: toWire(subtotal),
        fulfillment: toWire(fulfillment),
        tax: toWire(tax),
        discount: toWire(discount),
      },
    },
    ...keepInstrument(ctx.sealer, id, instrument),
    amount,
    currency,
    rail: null,
    hold_reference: null,
    hold_expires_at: null,
    capture_reference: null,
    captured_amount: 0n,
    call: 'charge',
    call_number: 1,
    call_amount: amount,
    tries: 0,
    asked: 0,
    may_have_left: false,
    heard: null,
    sent_at: null,
    asked_at: null,
    not_before: null,
    put_off: null,
    failure: null,
    due_at: ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertSale(row))
  ctx.tx.wake('sales', { isAwaited: true })
  return progressOf(row)
}

export async function readSale(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<SaleProgress | null> {
  const row = await reads.maybe(selectSale({ account_id: accountId, mode, id }))
  return row && progressOf(row)
}

/** What was agreed when a sale began, and how it stands. */
export type AgreedSale = SaleProgress &
  Pick<SaleTerms, 'lineItems'> & {
    /** Of its merchant. */
    readonly slug: string | null
    readonly amounts: PriceParts
    readonly currency: string
    readonly instrument: SaleInstrument['kind']
    readonly attributionToken: string | null
    readonly startedAt: Date
  }

export async function readAgreedSale(
  reads: Pick<Reads, 'maybe'>,
  { accountId: account_id, mode }: Tenant,
  named: { readonly id: string } | { readonly orderId: string },
): Promise<AgreedSale | null> {
  const row = await reads.maybe(
    'id' in named
      ? selectSale({ account_id, mode, id: named.id })
      : selectSaleOfOrder({ account_id, mode, order_id: named.orderId }),
  )
  if (!row) return null
  const { merchant, lineItems, amounts, attributionToken = null } = row.terms
  return {
    ...progressOf(row),
    slug: merchant.slug,
    lineItems,
    amounts: {
      subtotal: BigInt(amounts.subtotal),
      fulfillment: BigInt(amounts.fulfillment),
      tax: BigInt(amounts.tax),
      discount: BigInt(amounts.discount),
    },
    currency: row.currency,
    instrument: row.instrument.kind,
    attributionToken,
    startedAt: row.created_at,
  }
}

function progressOf({ id, state, order_id, failure }: SaleRow): SaleProgress {
  return { id, state, orderId: order_id, failure }
}

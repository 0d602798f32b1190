import type { CallContext } from '../../../../contract/context.ts'
import { type Asking, type CheckoutAnswer, openCheckout, readCheckout } from '../change-checkout.ts'
import type { CheckoutMessage } from '../checkout.ts'
import type { CheckoutRequest } from '../checkout-request.ts'
import { withSearch } from '../read-checkout-body.ts'
import { type CheckoutMerchant, describeCheckout } from '../write-checkout.ts'
import type { CartRow } from './cart.ts'
import { insertCart, lockCart, selectCart, updateCart } from './carts.sql.ts'

/** For how many hours a cart can be used after it was last changed. */
const cartHours = 72

/** `not_found`: this platform has no such cart, or has it no more. */
export type CartAnswer =
  | { readonly kind: 'cart'; readonly row: CartRow; readonly messages: readonly CheckoutMessage[] }
  | { readonly kind: 'refused'; readonly messages: readonly CheckoutMessage[] }
  | { readonly kind: 'not_found' }

type Named = Asking & { readonly id: string }
type Contents = Omit<CheckoutRequest, 'delivery'>

export async function openCart(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { platform, isSigned, ...request }: Contents & Asking,
): Promise<CartAnswer> {
  const { accountId: account_id, mode } = ctx.tenant
  const whose = { account_id, mode, id: ctx.newId('crt'), platform, is_signed: isSigned }
  const priced = await contentsOf(ctx, merchant, request)
  if (priced.kind === 'refused') return priced
  const row: CartRow = {
    ...whose,
    ...priced.contents,
    state: 'open',
    checkout_id: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertCart(row))
  return shown(row)
}

export async function readCart(ctx: CallContext, named: Named): Promise<CartAnswer> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectCart({ account_id, mode, id: named.id }))
  return row && isUsable(row, named, ctx.now) ? shown(row) : { kind: 'not_found' }
}

/** Replaces what the cart says. What cannot be sold changes nothing. */
export async function reviseCart(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { id, platform, isSigned, ...request }: Contents & Named,
): Promise<CartAnswer> {
  const held = await lockUsable(ctx, { id, platform, isSigned })
  if (held === null) return { kind: 'not_found' }
  const attribution = withSearch(request.attribution, held.attribution)
  const priced = await contentsOf(ctx, merchant, { ...request, attribution, currency: held.currency })
  if (priced.kind === 'refused') return { ...shown(held), messages: priced.messages }
  const row: CartRow = { ...held, ...priced.contents, updated_at: ctx.now }
  ctx.tx.write(updateCart(row))
  return shown(row)
}

export async function cancelCart(ctx: CallContext, named: Named): Promise<CartAnswer> {
  const held = await lockUsable(ctx, named)
  if (held === null) return { kind: 'not_found' }
  ctx.tx.write(updateCart({ ...held, state: 'canceled', updated_at: ctx.now }))
  return shown(held)
}

/**
 * The checkout of a cart: the one that was made of it and is still open, else a new one with what the cart says. `request` says the rest,
 * such as where the goods go.
 */
export async function checkOutCart(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { cartId, platform, isSigned, ...request }: CheckoutRequest & Asking & { readonly cartId: string },
): Promise<{ readonly answer: CheckoutAnswer; readonly isNew: boolean }> {
  const asking = { platform, isSigned }
  const cart = await lockUsable(ctx, { id: cartId, ...asking })
  if (cart === null) return { answer: { kind: 'refused', messages: [noCart] }, isNew: false }
  if (cart.checkout_id !== null) {
    const before = await readCheckout(ctx, { id: cart.checkout_id, ...asking })
    if (before.kind === 'checkout' && isOpen(before.checkout.status)) return { answer: before, isNew: false }
  }
  const answer = await openCheckout(ctx, merchant, {
    ...request,
    ...asking,
    lines: cart.lines.map(({ id, item_id: itemId, quantity }) => ({ id, itemId, quantity })),
    currency: cart.currency,
    buyer: cart.buyer ?? request.buyer,
    codes: cart.codes,
    attribution: { ...cart.attribution, ...request.attribution },
  })
  if (answer.kind === 'checkout')
    ctx.tx.write(updateCart({ ...cart, checkout_id: answer.checkout.row.id, updated_at: ctx.now }))
  return { answer, isNew: true }
}

function isOpen(status: string): boolean {
  return status === 'incomplete' || status === 'ready_for_complete'
}

const noCart: CheckoutMessage = {
  type: 'error',
  code: 'not_found',
  content: 'There is no such cart, or it is too old.',
  path: '$.cart_id',
  severity: 'unrecoverable',
}

/** What can only be said once it is known where the goods go. */
const ofCheckouts = ['fulfillment_destination_required', 'buyer_email_required', 'nothing_to_pay']

async function contentsOf(ctx: CallContext, merchant: CheckoutMerchant, request: Contents) {
  const whose = { id: ctx.newId('cko'), platform: '', is_signed: false, before: null }
  const written = await describeCheckout(ctx, merchant, { ...request, delivery: null }, whose)
  if (written.kind === 'refused') return written
  const { currency, lines, buyer, codes, price, messages, attribution } = written.row
  return {
    kind: 'contents' as const,
    contents: {
      currency,
      lines,
      buyer,
      codes,
      price,
      messages: messages.filter(({ code }) => !ofCheckouts.includes(code)),
      attribution,
      expires_at: new Date(ctx.now.getTime() + cartHours * 3_600_000),
    },
  }
}

async function lockUsable(ctx: CallContext, named: Named): Promise<CartRow | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockCart({ account_id, mode, id: named.id }))
  return row && isUsable(row, named, ctx.now) ? row : null
}

function isUsable(row: CartRow, { platform, isSigned }: Asking, now: Date): boolean {
  const isTheirs = row.platform === platform && (isSigned || !row.is_signed)
  return isTheirs && row.state === 'open' && now < row.expires_at
}

function shown(row: CartRow): Extract<CartAnswer, { kind: 'cart' }> {
  return { kind: 'cart', row, messages: row.messages }
}

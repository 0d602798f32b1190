import type { PaymentMethod } from '../../domain/buyers/payment-methods/payment-method.ts'
import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { ItemVariant } from '../../domain/buying/intents/create/item-variant.ts'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { money, styled } from '../terminal.ts'
import { addressLine, cardLine, nameOf, shippingAddress } from './people.ts'

/** What a person agrees to. */
type Terms = {
  readonly items: readonly TermsItem[]
  readonly currency_code: string
  readonly max_allowed_amount: number
  readonly shipping: { readonly isShipped: boolean; readonly address_id: string | null }
  readonly profile: Profile
  /** Null: none is chosen. */
  readonly method: PaymentMethod | null
  /** What delivery and tax cost beside the goods, as far as the shop has said it. */
  readonly total?: number | null
}

type TermsItem = {
  readonly url: string
  readonly quantity: number
  /** What one unit is expected to cost; null: nobody has said it. */
  readonly expected_amount: number | null
  /** What the shop asks for one unit; null: it is not known. */
  readonly unit_amount: number | null
  /** Why it is not known, though the shop was looked at. */
  readonly price_note?: string | null
  readonly title: string | null
  readonly variant: string | null
}

/** The lines that a person reads before the question: what, from whom, where to, with what, for how much at most. */
export function termsLines(terms: Terms): string[] {
  const { items, currency_code: currency, max_allowed_amount, shipping, profile, method, total } = terms
  const address = shippingAddress(profile, shipping.address_id)
  const to = shipping.isShipped
    ? address === null
      ? `${nameOf(profile)}, at an address that the profile no longer has`
      : addressLine(address)
    : `${nameOf(profile)}, ${profile.email}; nothing is shipped`
  return [
    ...items.flatMap((item) => itemLines(item, currency)),
    row('to', to),
    row('paid with', method === null ? 'no card yet' : cardLine(method)),
    ...(typeof total === 'number'
      ? [row('total now', `${money(total, currency)}, with delivery and tax`)]
      : []),
    row('at most', `${styled('bold', money(max_allowed_amount, currency))}, in all`),
  ]
}

/** What a shop gets again of what the profile keeps, should it ask: by the words of the shop, and where they are from. */
export function answerLines({ shop_answers = [] }: Pick<PurchaseIntent, 'shop_answers'>): string[] {
  return shop_answers.map(({ host, label }) => row('answers', `${label}, as before, to ${host}`))
}

function itemLines(item: TermsItem, currency: string): string[] {
  const { url, quantity, title, variant, unit_amount, expected_amount } = item
  const what = `${quantity} × ${title ?? url}${variant === null ? '' : ` (${variant})`}`
  const price = priceOf(unit_amount, expected_amount, currency)
  return [
    row('buy', styled('bold', what)),
    row('from', `${new URL(url).host}${title === null ? '' : `, ${url}`}`),
    ...(price === null ? [] : [row('one unit', price)]),
    ...(item.price_note ? [row('', item.price_note)] : []),
  ]
}

function priceOf(asked: number | null, expected: number | null, currency: string): string | null {
  if (asked === null) return expected === null ? null : `${money(expected, currency)} expected`
  if (expected === null || asked === expected) return money(asked, currency)
  return `${money(asked, currency)} now, ${money(expected, currency)} expected`
}

const nameWidth = 11

export function row(name: string, value: string): string {
  return `  ${styled('dim', name.padEnd(nameWidth))} ${value}`
}

/** The choices of a variant, as `--variant` takes them; null: none was named. */
export function variantWords(variant: ItemVariant | null | undefined): string | null {
  if (!variant) return null
  const { id, sku, selections = [] } = variant
  return selections.map(({ name, value }) => `${name}=${value}`).join(', ') || (sku ?? id ?? null)
}

/** What another price would change: of which item, and from what to what. `before`: what the only item cost when somebody agreed. */
export function risen(purchase: PurchaseIntent, before: number | null = null): string {
  const { items, next_action, max_allowed_amount, currency_code: currency, carts } = purchase
  const proposal = next_action?.proposal
  if (!proposal) return ''
  const titles = new Map(carts.flatMap((cart) => cart.items.map(({ id, title }) => [id, title])))
  const changed = items.flatMap(({ id, url, expected_amount }) => {
    const unit = proposal.items.find((one) => one.id === id)?.unit_amount
    const from = before === null || before === unit ? expected_amount : before
    return unit === undefined || unit === from
      ? []
      : [`${titles.get(id) ?? url} costs ${money(unit, currency)} each instead of ${money(from, currency)}.`]
  })
  const most =
    proposal.max_allowed_amount === max_allowed_amount
      ? `It still costs at most ${money(max_allowed_amount, currency)} in all.`
      : `In all it would cost at most ${money(proposal.max_allowed_amount, currency)} instead of ${money(max_allowed_amount, currency)}.`
  return [...(changed.length === 0 ? ['What the shop asks has changed.'] : changed), most].join(' ')
}

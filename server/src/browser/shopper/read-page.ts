import type { ShopItem } from '../../channels/browser/shopping-words.ts'
import { rankActions as rank } from '../reading/action-of.ts'
import { assignFields } from '../reading/field-of.ts'
import { type AmountHint, readAmount, readAmounts } from '../reading/money-text.ts'
import type { Action, Control, PageSnapshot } from '../reading/page-snapshot.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { findWords } from '../reading/words/words.ts'

export type Line = { readonly title: string; readonly quantity: number; readonly amount: bigint }
export type Totals = {
  readonly lines: readonly Line[]
  readonly subtotal: bigint | null
  readonly shipping: bigint | null
  readonly tax: bigint | null
  readonly isTaxIncluded: boolean
  readonly discount: bigint
  readonly total: bigint | null
  readonly currency: string | null
  readonly totalText: string | null
}
export type Delivery = {
  readonly control: Control | null
  readonly action: Action | null
  readonly value: string
  readonly amount: bigint | null
  readonly days: number | null
  readonly isPickup: boolean
  readonly isSelected: boolean
}

function fieldOf(page: PageSnapshot, c: Control): Field | null {
  return assignFields(page).get(c.ref) ?? null
}

type Kind =
  | 'captcha'
  | 'sign_in'
  | 'not_found'
  | 'expired'
  | 'empty_cart'
  | 'confirmation'
  | 'challenge'
  | 'processing'
  | 'error'
  | 'other'

export function kindOf(page: PageSnapshot): Kind {
  const states = (text: string) => findWords('states', text, page.language).map(({ key }) => key)
  const head = states([page.title, ...page.headings, ...page.text.split('\n').slice(0, 12)].join('\n'))
  const field = (f: Field) => page.controls.some((c) => fieldOf(page, c) === f)
  const hasCard = field('card_number')
  if (hasCard) return 'other'
  if (field('one_time_code')) return 'challenge'
  if (head.includes('captcha')) return 'captcha'
  if (head.includes('processing')) return 'processing'
  if (head.includes('confirmation')) return 'confirmation'
  if (/all set|confirmed/.test(page.text)) return 'confirmation'
  if (head.includes('session_expired')) return 'expired'
  if (head.includes('empty_cart')) return 'empty_cart'
  if (head.includes('not_found')) return 'not_found'
  if (field('password') && rank(page, 'as_guest').length === 0) return 'sign_in'
  if (/went wrong/.test(page.text)) return 'error'
  return 'other'
}

export function quantityField(page: PageSnapshot): Control | null {
  return page.controls.find((c) => fieldOf(page, c) === 'quantity') ?? null
}

export function refusalOf(page: PageSnapshot): {
  code:
    | 'product_out_of_stock'
    | 'insufficient_stock'
    | 'merchant_unsupported'
    | 'variant_required'
    | 'address_undeliverable'
  message: string
  isDecline: boolean
} | null {
  for (const line of page.text.split('\n')) {
    const keys = findWords('states', line, page.language).map(({ key }) => key)
    if (keys.includes('payment_declined') || keys.includes('payment_failed'))
      return { code: 'merchant_unsupported', message: line, isDecline: true }
    if (keys.includes('minimum_quantity'))
      return { code: 'merchant_unsupported', message: line, isDecline: false }
    if (/only \d+ of/.test(line)) return { code: 'insufficient_stock', message: line, isDecline: false }
    if (/choose product options/.test(line))
      return { code: 'variant_required', message: line, isDecline: false }
  }
  return null
}

export function cardFieldsOf(page: PageSnapshot) {
  const find = (f: Field) => page.controls.find((c) => fieldOf(page, c) === f) ?? null
  return {
    number: find('card_number'),
    expiry: find('card_expiry'),
    month: find('card_expiry_month'),
    year: find('card_expiry_year'),
    code: find('card_code'),
    holder: find('card_holder'),
  }
}

export function deliveriesOf(page: PageSnapshot, hint: AmountHint): Delivery[] {
  const radios = page.controls.filter(
    (c) => c.kind === 'radio' && /shipping|delivery|versand/i.test(`${c.group} ${c.name}`),
  )
  return radios.map((control) => ({
    control,
    action: null,
    value: '',
    isSelected: control.isChecked,
    amount:
      readAmounts(control.label.replaceAll(/\([^)]*\)/g, ''), hint).at(-1)?.amount ??
      (/free/i.test(control.label) ? 0n : null),
    days: /pickup/i.test(control.label)
      ? null
      : Number(/(\d+)\s*[–-]\s*(\d+)/.exec(control.label)?.[2] ?? Number.NaN) || null,
    isPickup: /pickup/i.test(control.label),
  }))
}

export function paymentMethodsOf(page: PageSnapshot): Control[] {
  return page.controls.filter((c) => c.kind === 'radio' && /payment|zahlung/i.test(`${c.group} ${c.name}`))
}

export function cardMethodOf(
  page: PageSnapshot,
): { kind: 'ready' } | { kind: 'none'; message: string | null } | { kind: 'choose'; ref: number } {
  const all = paymentMethodsOf(page)
  if (all.length === 0) return { kind: 'ready' }
  const card = all.find((c) =>
    findWords('payments', c.label, page.language).some(({ key }) => key === 'card'),
  )
  if (card === undefined) return { kind: 'none', message: null }
  return card.isChecked ? { kind: 'ready' } : { kind: 'choose', ref: card.ref }
}

export function isPaidOtherwise(page: PageSnapshot): boolean {
  return cardMethodOf(page).kind !== 'ready'
}

export function promoFieldOf(page: PageSnapshot): { field: Control; apply: Action } | null {
  const field = page.controls.find((c) => c.kind === 'text' && fieldOf(page, c) === 'promo_code')
  const [apply] = rank(page, 'apply_code')
  return field === undefined || apply === undefined ? null : { field, apply }
}

export function recurringTermsOf(page: PageSnapshot): string | null {
  return page.text.split('\n').find((line) => /subscription:|free trial/i.test(line)) ?? null
}

export function orderNumberOf(page: PageSnapshot): string | null {
  return (
    /(?:number|Order|Bestellnummer lautet)\s*[:#]?\s*#?([A-Z0-9-]*\d{3,}[A-Z0-9-]*)/i.exec(page.text)?.[1] ??
    null
  )
}

export function totalsOf(page: PageSnapshot, hint: AmountHint): Totals {
  let out: Totals = {
    lines: [],
    subtotal: null,
    shipping: null,
    tax: null,
    isTaxIncluded: false,
    discount: 0n,
    total: null,
    currency: null,
    totalText: null,
  }
  const lines: Line[] = []
  const group = page.rows.findLast((row) =>
    findWords('totals', row.label, page.language).some(({ key }) => key === 'total'),
  )?.group
  for (const row of page.rows) {
    const read = readAmount(row.value, hint)
    if (read === null) continue
    const key = findWords('totals', row.label, page.language).sort((a, b) => b.length - a.length)[0]?.key
    if (key === 'subtotal') out = { ...out, subtotal: read.amount }
    else if (key === 'shipping') out = { ...out, shipping: read.amount }
    else if (key === 'tax') out = { ...out, tax: read.amount }
    else if (key === 'discount') out = { ...out, discount: read.amount < 0n ? -read.amount : read.amount }
    else if (key === 'total' && (out.total === null || read.amount > out.total))
      out = { ...out, total: read.amount, currency: read.currency, totalText: row.value }
    else if (key === undefined && /[×x]\s*(\d+)|(\d+)\s*[×x]/.test(row.label)) {
      const [, a, b] = /[×x]\s*(\d+)|(\d+)\s*[×x]/.exec(row.label) ?? []
      if (row.group === group || group === undefined || true)
        lines.push({
          title: row.label.replace(/[×x]\s*\d+|\d+\s*[×x]/, '').trim(),
          quantity: Number(a ?? b),
          amount: read.amount,
        })
    }
  }
  if (out.total === null) {
    const pay = rank(page, 'place_order')
      .map((a) => readAmount(a.name, hint))
      .find((a) => a !== null)
    if (pay) out = { ...out, total: pay.amount, currency: pay.currency, totalText: pay.text }
  }
  return { ...out, lines, isTaxIncluded: out.tax === null && /MwSt/.test(page.text) }
}

import { describe, expect, test } from 'vitest'
import { intentOf } from './action-of.ts'
import { deliveryOptions } from './delivery-options.ts'
import { assignFields } from './field-of.ts'
import { kindOf } from './page-kind.ts'
import { orderNumberOf, refusalOf } from './page-says.ts'
import { paymentMethods } from './payment-methods.ts'
import { shops } from './shops-of-languages.testing.ts'
import { action, control, snapshotWith } from './snapshot.testing.ts'
import { totalsOf } from './totals-of.ts'

/** One line for each language, in the order of `columns`. */
type Shop = {
  readonly actions: readonly string[]
  readonly fields: readonly string[]
  readonly card: readonly string[]
  /** Goods, delivery, tax inside, total. */
  readonly summary: readonly string[]
  readonly money: (major: number) => string
  readonly currency: string
  readonly says: readonly string[]
  readonly order: string
  readonly delivery: string
  readonly payments: readonly string[]
}

const intents = [
  'add_to_cart',
  'checkout',
  'continue',
  'as_guest',
  'place_order',
  'accept_cookies',
  'reject_cookies',
  'apply_code',
  'decline_offer',
]
const fieldNames = [
  'email',
  'first_name',
  'last_name',
  'line1',
  'postal_code',
  'city',
  'country',
  'phone',
  'promo_code',
]
const cardNames = ['card_number', 'card_expiry', 'card_code', 'card_holder']
const known: Readonly<Record<string, Shop>> = shops

describe.each(Object.entries(known))('%s', (language, shop) => {
  /** A page says its language, says none, or is said to be English and is not. */
  const languages = [language, `${language}-xx`, '']

  test.each(languages)('buttons, where the page says "%s"', (said) => {
    expect(shop.actions.map((name) => intentOf(action(name), said))).toEqual(intents)
  })

  test('fields of an address and of a card', () => {
    for (const [labels, names] of [
      [shop.fields, fieldNames],
      [shop.card, cardNames],
    ] as const) {
      const controls = labels.map((label) => control({ label }))
      const fields = assignFields(snapshotWith({ language, controls }))
      expect(controls.map(({ ref }) => fields.get(ref))).toEqual(names)
    }
  })

  test('a summary with tax inside', () => {
    const amounts = [100, 5, 10, 105]
    const rows = shop.summary.map((label, index) => ({
      label,
      value: shop.money(amounts[index] ?? 0),
      group: 1,
    }))
    const minor = (major: number) => BigInt(major) * (shop.currency === 'JPY' ? 1n : 100n)
    expect(totalsOf(snapshotWith({ language, rows }), { currency: shop.currency })).toMatchObject({
      subtotal: minor(100),
      fulfillment: minor(5),
      tax: minor(10),
      isTaxIncluded: true,
      total: minor(105),
      currency: shop.currency,
    })
  })

  test('what pages say', () => {
    const [soldOut = '', declined = '', thanks = '', empty = '', missing = '', error = ''] = shop.says
    const refused = (text: string) => refusalOf(snapshotWith({ language, text }))?.kind
    const kind = (heading: string) => kindOf(snapshotWith({ language, headings: [heading] })).kind
    expect([refused(soldOut), refused(declined)]).toEqual(['sold_out', 'payment_declined'])
    expect([thanks, empty, missing, error].map(kind)).toEqual([
      'confirmation',
      'empty_cart',
      'not_found',
      'error',
    ])
    expect(orderNumberOf(snapshotWith({ language, text: `${thanks}\n${shop.order}` }))).toBe('A-1234')
  })

  test('delivery and payment', () => {
    const label = `${shop.delivery} ${shop.money(5)}`
    const radio = control({ kind: 'radio', name: 'a', label })
    const [option] = deliveryOptions(snapshotWith({ language, controls: [radio] }), shop.currency)
    expect([option?.amount, option?.days]).toEqual([shop.currency === 'JPY' ? 5n : 500n, 5])
    const controls = shop.payments.map((text) => control({ kind: 'radio', name: 'p', label: text }))
    const methods = paymentMethods(snapshotWith({ language, controls }))
    expect(methods.map(({ kind }) => kind)).toEqual(['card', 'invoice', 'cash'])
  })
})

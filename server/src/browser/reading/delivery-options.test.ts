import { describe, expect, test } from 'vitest'
import { chooseDelivery, deliveryOptions } from './delivery-options.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { paymentMethods } from './payment-methods.ts'
import { action, control, option, snapshotWith } from './snapshot.testing.ts'

function radios(group: string, labels: readonly string[], checked = 0): PageSnapshot['controls'] {
  return labels.map((label, index) =>
    control({ kind: 'radio', name: group, group, label, isChecked: index === checked }),
  )
}

function delivery(language: string, currency: string, group: string, ...labels: string[]) {
  return deliveryOptions(snapshotWith({ language, controls: radios(group, labels) }), currency)
}

describe('ways of delivery', () => {
  test.each<
    [
      language: string,
      currency: string,
      group: string,
      label: string,
      amount: bigint | null,
      days: number | null,
    ]
  >([
    ['en', 'USD', 'Shipping method', 'Standard (3–5 days) – $5.00', 500n, 5],
    ['en', 'USD', 'Shipping method', 'Standard (3–5 business days) – Free', 0n, 5],
    ['en', 'USD', 'Shipping method', 'Express – $15.00 – tomorrow', 1500n, 1],
    ['en', 'USD', 'Delivery', 'Economy, 2 weeks: $1.00', 100n, 14],
    ['en', 'USD', 'Shipping method', 'Standard', null, null],
    ['de', 'EUR', 'Versandart', 'DHL Paket (2–3 Werktage) 4,90 €', 490n, 3],
    ['de', 'EUR', 'Versandart', 'Standardversand kostenlos', 0n, null],
    ['', 'EUR', 'x', 'Express (1 Tag) 9,90 €', 990n, 1],
  ])('in %s, %s: %s %s', (language, currency, group, label, amount, days) => {
    expect(delivery(language, currency, group, label)).toMatchObject([
      { label, amount, days, value: null, isSelected: true },
    ])
  })

  test('payment, colors and what is disabled are none', () => {
    expect(delivery('en', 'USD', 'Payment method', 'Credit card', 'Invoice')).toEqual([])
    expect(delivery('en', 'USD', 'Color', 'Red', 'Blue')).toEqual([])
  })

  test('a select offers them too', () => {
    const select = control({
      kind: 'select',
      label: 'Delivery',
      options: [option('Choose', ''), option('Standard $5.00', 's', { isSelected: true })],
    })
    expect(deliveryOptions(snapshotWith({ controls: [select] }), 'USD')).toMatchObject([
      { ref: select.ref, value: 's', amount: 500n },
    ])
  })

  test('the price may stand beside the label', () => {
    const one = control({ kind: 'radio', group: 'Shipping', label: 'Standard', near: '$5.00' })
    expect(deliveryOptions(snapshotWith({ controls: [one] }), 'USD')[0]?.amount).toBe(500n)
  })
})

describe('which one is chosen', () => {
  const labels = [
    'Standard (5 days) $5.00',
    'Express (1 day) $15.00',
    'Store pickup free',
    'Courier (1 day) $20.00',
  ]
  const options = delivery('en', 'USD', 'Shipping method', ...labels)

  test.each<['cheapest' | 'fastest', bigint, string | null]>([
    ['cheapest', 10_000n, 'Standard (5 days) $5.00'],
    ['fastest', 10_000n, 'Express (1 day) $15.00'],
    ['fastest', 1_000n, 'Standard (5 days) $5.00'],
    ['cheapest', 100n, null],
  ])('%s for at most %s', (speed, allowance, label) => {
    expect(chooseDelivery(options, speed, allowance)?.label ?? null).toBe(label)
  })

  test('without times what costs more is faster; without a price only what is alone is taken', () => {
    const untimed = delivery('en', 'USD', 'Shipping', 'Standard $5.00', 'Express $15.00')
    expect(chooseDelivery(untimed, 'fastest', 2_000n)?.amount).toBe(1500n)
    expect(chooseDelivery(delivery('en', 'USD', 'Shipping', 'Standard'), 'cheapest', 0n)?.label).toBe(
      'Standard',
    )
    expect(
      chooseDelivery(delivery('en', 'USD', 'Shipping', 'Standard', 'Express'), 'cheapest', 0n),
    ).toBeNull()
    expect(chooseDelivery(delivery('en', 'USD', 'Shipping', 'Store pickup free'), 'cheapest', 0n)).toBeNull()
  })
})

describe('ways to pay', () => {
  test.each([
    ['en', ['Invoice', 'Credit card', 'PayPal'], ['invoice', 'card', 'wallet']],
    [
      'en',
      ['Pay in 4 with Klarna', 'Credit or debit card', 'Cash on delivery'],
      ['instalments', 'card', 'cash'],
    ],
    ['en', ['Four payments of $12.00, no credit card needed', 'Card'], ['instalments', 'card']],
    ['de', ['Rechnung', 'Kreditkarte', 'Vorkasse', 'Nachnahme'], ['invoice', 'card', 'transfer', 'cash']],
    ['de', ['Ratenkauf', 'Karte', 'Sonstiges'], ['instalments', 'card', 'unknown']],
  ])('in %s: %s', (language, labels, kinds) => {
    const methods = paymentMethods(snapshotWith({ language, controls: radios('pay', labels) }))
    expect(methods.map(({ kind }) => kind)).toEqual(kinds)
    expect(methods.map(({ isSelected }) => isSelected).indexOf(true)).toBe(0)
  })

  test('are tabs where one is pressed, and options of a select', () => {
    const tabs = [action('Card', { isPressed: true }), action('PayPal')]
    expect(
      paymentMethods(snapshotWith({ actions: tabs })).map(({ kind, isSelected }) => [kind, isSelected]),
    ).toEqual([
      ['card', true],
      ['wallet', false],
    ])
    expect(paymentMethods(snapshotWith({ actions: [action('PayPal')] }))).toEqual([])
    const select = control({
      kind: 'select',
      options: [option('Credit card', 'cc'), option('Invoice', 'inv', { isSelected: true })],
    })
    expect(
      paymentMethods(snapshotWith({ controls: [select] })).map(({ value, kind }) => [value, kind]),
    ).toEqual([
      ['cc', 'card'],
      ['inv', 'invoice'],
    ])
  })

  test('other choices are none', () => {
    expect(paymentMethods(snapshotWith({ controls: radios('Color', ['Red', 'Blue']) }))).toEqual([])
  })
})

test('long labels are read', () => {
  const long = 'express 3 days $5.00 credit card '.repeat(3_000)
  const page = snapshotWith({
    controls: radios(
      'Shipping',
      Array.from({ length: 100 }, () => long),
    ),
  })
  expect(() => [deliveryOptions(page, 'USD'), paymentMethods(page)]).not.toThrow()
})

import { expect, test } from 'vitest'
import { instrumentsOf, knownMethods, methodsOfHandler } from './payment-words.ts'

test.each<[string, string[], string[]]>([
  ['com.google.pay', ['card'], ['google_pay', 'card']],
  ['com.apple.pay', [], ['apple_pay']],
  ['dev.shopify.shop_pay', [], ['shop_pay']],
  ['com.stripe.payments', [], ['stripe']],
  ['com.paypal.checkout', [], ['paypal']],
  ['com.linkage.pay', [], []],
  ['example.discard.pay', [], []],
  ['com.google.payments', [], []],
])('the handler %s with %j is paid by %j', (name, instruments, methods) => {
  expect(methodsOfHandler(name, instruments)).toEqual(methods)
})

test('words that nobody knows, and names of prototypes, stand for no instrument', () => {
  expect(
    instrumentsOf(['Visa', 'constructor', '__proto__', 'toString', 'gold'], ['tempo', 'valueOf']),
  ).toEqual(['card', 'stablecoin'])
  expect(knownMethods(['vault', 'tempo', 'hedera', 'card'])).toEqual(['card', 'tempo'])
})

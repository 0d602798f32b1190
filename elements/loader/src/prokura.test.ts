import { expect, test } from 'vitest'
import { Prokura } from './prokura.ts'

const options = { url: 'https://elements.example' }

test('on a server it is made, mounted and taken away, and nothing happens', () => {
  expect(globalThis).not.toHaveProperty('window')
  const element = new Prokura('pr_pk_test_1', options).create('AddPaymentMethod', { profileId: 'prof_1' })
  element.on('error', ({ message }) => expect.unreachable(message))
  element.mount('#card')
  element.update({ locale: 'de', appearance: { theme: 'dark' } })
  element.unmount()
  element.unmount()
})

test('a wrong key, address, component or profile is a developer\u2019s mistake, and is said at once', () => {
  expect(() => new Prokura('pr_sk_test_1', options)).toThrow('A secret key must never be in a page')
  expect(() => new Prokura('pr_pk_test_1')).toThrow('url')
  expect(() => new Prokura('pr_pk_test_1', { url: 'elements' })).toThrow('url')
  const prokura = new Prokura('pr_pk_test_1', options)
  expect(() => prokura.create('Card' as 'AddPaymentMethod', { profileId: 'prof_1' })).toThrow(
    'There is no component Card',
  )
  expect(() => prokura.create('AddPaymentMethod', {} as never)).toThrow('profileId')
  expect(() => prokura.create('AddPaymentMethod', { purchaseIntentId: 'pi_1' } as never)).toThrow('profileId')
  expect(() => prokura.create('MerchantAuthHandoff', { purchaseIntentId: 7 } as never)).toThrow('a text')
})

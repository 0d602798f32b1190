import { expect, test } from 'vitest'
import { connectOf, helloOf, readConnect, readFrameMessage, readHello, readPageMessage } from './messages.ts'

const options = {
  publishableKey: 'pr_pk_test_1',
  component: 'AddPaymentMethod',
  profileId: 'prof_1',
  purchaseIntentId: null,
  clientSecret: null,
  settings: { preference: 'never' },
  appearance: { theme: 'dark' },
  locale: 'de',
}

test('what one side says the other reads', () => {
  expect(readHello(helloOf('n'))).toEqual(helloOf('n'))
  expect(readConnect(connectOf('n', options))).toEqual(connectOf('n', options))
  expect(readPageMessage({ kind: 'bootstrap', bootstrap: 'b' })).toEqual({
    kind: 'bootstrap',
    bootstrap: 'b',
  })
  expect(readFrameMessage({ kind: 'change', complete: true, brand: 'visa' })).toEqual({
    kind: 'change',
    complete: true,
    brand: 'visa',
  })
  for (const message of [
    { kind: 'complete', result: { payment_method: {} } },
    { kind: 'window', url: null },
    { kind: 'authorized', id: '1', output: {} },
    { kind: 'not_authorized', id: '1', code: 'incomplete', message: 'Not yet.' },
  ])
    expect(readFrameMessage(message)).toEqual(message)
  expect(readPageMessage({ kind: 'authorize', id: '1' })).toEqual({
    kind: 'authorize',
    id: '1',
    isOpened: false,
  })
})

test('nothing else is a message, and nothing more of one is read', () => {
  const hello = helloOf('n')
  for (const data of [
    null,
    'hello',
    7,
    [],
    {},
    { ...hello, prokura: 2 },
    { ...hello, nonce: '' },
    { ...hello, nonce: {} },
  ])
    expect(readHello(data)).toBeNull()
  expect(readConnect({ ...connectOf('n', options), options: { ...options, profileId: 7 } })).toBeNull()
  expect(readConnect({ ...connectOf('n', options), options: null })).toBeNull()
  // For a profile or for a purchase, and for exactly one.
  const both = { ...options, purchaseIntentId: 'pi_1' }
  expect(readConnect(connectOf('n', both))).toBeNull()
  expect(readConnect(connectOf('n', { ...both, profileId: null }))?.options.purchaseIntentId).toBe('pi_1')
  for (const data of [
    { kind: 'number' },
    { kind: 'height', height: Number.NaN },
    { kind: 'height', height: 1e9 },
    { kind: 'ready' },
    { kind: 'complete', result: [] },
    { kind: 'authorized', id: 1, output: {} },
    { kind: 'not_authorized', code: 'closed', message: 'Gone.' },
  ])
    expect(readFrameMessage(data)).toBeNull()
  expect(readFrameMessage({ kind: 'pong', number: '4242' })).toEqual({ kind: 'pong' })
  expect(readPageMessage({ kind: 'update', appearance: 1, locale: {}, script: 'x' })).toEqual({
    kind: 'update',
    appearance: 1,
    locale: null,
  })
  expect(readPageMessage({ kind: 'navigate' })).toBeNull()
})

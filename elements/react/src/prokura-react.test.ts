import { createElement, createRef } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  AddOrSelectPaymentMethod,
  type AddOrSelectPaymentMethodHandle,
  AddPaymentMethod,
  MerchantAuthHandoff,
  ProkuraProvider,
} from './prokura-react.ts'

test('on a server there is the place of a component, and nothing happens', () => {
  expect(globalThis).not.toHaveProperty('window')
  const ref = createRef<AddOrSelectPaymentMethodHandle>()
  const html = renderToString(
    createElement(
      ProkuraProvider,
      { publishableKey: 'pr_pk_test_1', url: 'https://elements.example' },
      createElement(AddPaymentMethod, { profileId: 'prof_1', className: 'card' }),
      createElement(AddOrSelectPaymentMethod, { purchaseIntentId: 'pi_1', ref, id: 'pay' }),
      createElement(MerchantAuthHandoff, { purchaseIntentId: 'pi_1', deferRetry: true }),
    ),
  )
  expect(html).toBe('<div class="card"></div><div id="pay"></div><div></div>')
  expect(ref.current).toBeNull()
})

test('a component without its provider is a mistake that says so', () => {
  expect(() => renderToString(createElement(AddPaymentMethod, { profileId: 'prof_1' }))).toThrow(
    'ProkuraProvider',
  )
})

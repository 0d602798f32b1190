import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
  windowOf,
} from '../../../../test/harness/component-page.ts'

let app: TestApp
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ elements: elementsOfTests })
  page = await openComponentPage(app)
})
afterAll(() => app.stop())

const told = ({ status, body }: Answer) =>
  status < 300 ? [status, body.status] : [status, body?.detail?.code]

test('a bank asks in the window: confirmed is proven, and refused three times ends the enrollment', async () => {
  const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
  const component = await page.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
  const begun = await component.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
  const window = windowOf(app, begun)
  expect(told(await window.finish({}))).toEqual([410, 'verification_used'])
  expect((await window.open()).body).toMatchObject({
    method: 'popup',
    options: null,
    bank: { url: expect.stringContaining('bank.example'), answer: 'pending' },
  })
  expect(app.bank.asked.at(-1)).toMatchObject({
    testCard: 'mastercard_popup',
    purpose: 'enrollment',
    returnUrl: begun.body.window_url,
  })
  app.bank.away = true
  expect(told(await window.open())).toEqual([503, 'unavailable'])
  expect(told(await window.finish({}))).toEqual([503, 'unavailable'])
  app.bank.away = false
  app.bank.says('confirmed')
  expect((await window.open()).body.bank.answer).toBe('confirmed')
  expect(told(await window.finish({}))).toEqual([200, 'proven'])
  for (const status of ['pending', 'pending', 'over']) {
    const { body: intent } = await createPurchase(app, buyer)
    const paying = await page.openVouched('AddOrSelectPaymentMethod', { purchase_intent_id: intent.id })
    const asked = await paying.post('/purchase_intent/payment_verifications', {
      profile_payment_method_id: buyer.paymentMethodId,
    })
    expect(asked.body.method).toBe('popup')
    const ask = windowOf(app, asked)
    await ask.open()
    await ask.finish({ is_confirmed: false })
    const { body } = await app.get(`/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}`)
    expect(body.card.agentic_credentials_status).toBe(status === 'over' ? 'rejected' : 'active')
  }
})

test('what a window says in the name of the bank proves nothing', async () => {
  for (const answer of ['pending', 'refused'] as const) {
    const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
    const component = await page.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
    const begun = await component.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
    const window = windowOf(app, begun)
    await window.open()
    app.bank.says(answer)
    expect(told(await window.finish({}))).toEqual([200, 'refused'])
    const { body } = await app.get(`/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}`)
    expect(body.card.agentic_credentials_status).toBe('pending_verification')
  }
})

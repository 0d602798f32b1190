import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type Component,
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
} from '../../../../test/harness/component-page.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'

let app: TestApp
let clock: StoppedClock
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ testClock: true, elements: elementsOfTests })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  page = await openComponentPage(app)
})
afterAll(() => app.stop())
beforeEach(() => app.sql('delete from card_refusals'))

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body.detail.code])
const stopped = [403, 'client_secret_required']

async function openFor(profileId: string, { isVouched = false } = {}): Promise<Component> {
  const asked = { profile_id: profileId, components: ['AddPaymentMethod'] }
  const more = isVouched
    ? { client_secret: (await app.post('/v1/elements/client_secrets', asked)).body.client_secret }
    : {}
  return page.open('AddPaymentMethod', { profile_id: profileId }, more)
}

const newProfile = async () => (await newBuyer(app, { card: null })).profileId

const card = (vault_token_id: string, isEnrolled = true) => ({
  type: 'card',
  card: {
    kind: 'existing',
    vault_token_id,
    agentic_credentials_enrollment_requested: isEnrolled,
    agentic_terms_acknowledged: isEnrolled,
  },
})
const add = (component: Component, testCard: string, isEnrolled = true) =>
  component.post('/payment_methods', card(testCard, isEnrolled))

test('after three cards that their banks refuse, a page without a client secret tries no more', async () => {
  const profileId = await newProfile()
  const component = await openFor(profileId)
  for (let time = 0; time < 3; time++) expect(told(await add(component, 'visa_rejected'))).toBe(201)
  // A good one and a bad one are answered alike, and so is one of another profile from this address.
  const [good, bad] = [await add(component, 'visa_auto_approved'), await add(component, 'visa_rejected')]
  const said = ({ body: { detail } }: Answer) => ({ ...detail, request_id: null })
  expect([told(good), said(good)]).toEqual([stopped, said(bad)])
  expect(good.body.detail.message).toContain('v1_create_element_client_secret')
  expect(told(await add(await openFor(await newProfile()), 'visa_auto_approved', false))).toEqual(stopped)
  // With a secret, and with the server's own key, it goes on.
  expect(told(await add(await openFor(profileId, { isVouched: true }), 'visa_rejected'))).toBe(201)
  const own = `/v1/profiles/${profileId}/payment_methods`
  expect(told(await app.post(own, card('visa_auto_approved')))).toBe(201)
  expect(told(await add(component, 'visa_auto_approved'))).toEqual(stopped)
  const before = await app.sql('select id from payment_methods where profile_id = $1', [profileId])
  expect(before).toHaveLength(5)
  await clock.advance(3_600_000 - 1)
  const again = await openFor(profileId)
  expect(told(await add(again, 'visa_auto_approved'))).toEqual(stopped)
  await clock.advance(1)
  expect(told(await add(again, 'visa_auto_approved'))).toBe(201)
})

test('a card that is enrolled ends the row of its profile; one that nobody was asked about does not', async () => {
  const component = await openFor(await newProfile())
  for (const testCard of ['visa_rejected', 'mastercard_rejected', 'visa_auto_approved', 'visa_rejected'])
    expect(told(await add(component, testCard))).toBe(201)
  expect(told(await add(component, 'visa_ineligible'))).toBe(201)
  expect(told(await add(component, 'visa_auto_approved', false))).toBe(201)
  expect(told(await add(component, 'visa_rejected'))).toBe(201)
  expect(told(await add(component, 'visa_rejected'))).toBe(201)
  expect(told(await add(component, 'visa_auto_approved'))).toEqual(stopped)
})

test('wrong codes of the bank are refusals, and the right one after three is not looked at', async () => {
  const profileId = await newProfile()
  const component = await openFor(profileId)
  const [first, second] = [
    await add(component, 'visa_otp_required'),
    await add(component, 'visa_otp_required'),
  ]
  const verify = ({ body }: Answer, code: string) =>
    component.post(`/payment_methods/${body.id}/verify`, { method: 'otp', code })
  const failed = [409, 'verification_failed']
  expect([told(await verify(first, '1')), told(await verify(first, '2'))]).toEqual([failed, failed])
  const begun = await component.post(`/payment_methods/${second.body.id}/payment_verifications`)
  const prove = (code: string) => component.post(`/payment_verifications/${begun.body.id}/code`, { code })
  expect(told(await prove('3'))).toEqual(failed)
  expect([told(await prove('123456')), told(await verify(first, '123456'))]).toEqual([stopped, stopped])
  const known = await openFor(profileId, { isVouched: true })
  const path = `/payment_methods/${first.body.id}/verify`
  expect(told(await known.post(path, { method: 'otp', code: '123456' }))).toBe(200)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type Component,
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
} from '../../../../test/harness/component-page.ts'

let app: TestApp
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ elements: elementsOfTests })
  page = await openComponentPage(app)
})
afterAll(() => app.stop())

const ring = { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' }
const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body.detail.code])

/** A component for a new profile, opened by the server of its page unless `isOpen`. */
async function open({ isOpen = false } = {}): Promise<{ profileId: string; component: Component }> {
  const { profileId } = await newBuyer(app, { card: null })
  const asked = { profile_id: profileId, components: ['AddPaymentMethod'] }
  const { body } = await app.post('/v1/elements/client_secrets', asked)
  const more = isOpen ? {} : { client_secret: body.client_secret }
  return { profileId, component: await page.open('AddPaymentMethod', { profile_id: profileId }, more) }
}

async function addressesOf(profileId: string): Promise<{ id: string }[]> {
  return (await app.get(`/v1/profiles/${profileId}`)).body.addresses
}

test('what the holder of a card types becomes an address of the profile, once, and the card names it', async () => {
  const { profileId, component } = await open()
  const before = await addressesOf(profileId)
  const typed = { ...ring, recipient_name: 'Ada Lovelace' }
  const made = await component.post('/billing_addresses', typed)
  expect([made.status, Object.keys(made.body)]).toEqual([201, ['id']])
  const again = await component.post('/billing_addresses', { ...typed, line2: null })
  expect(again.body).toEqual(made.body)
  const after = await addressesOf(profileId)
  expect(after).toEqual([
    ...before,
    { ...typed, id: made.body.id, address_type: 'billing', is_default: false, line2: null, state: null },
  ])
  const vault_token_id = app.vault.keep(
    { accountId: app.account.accountId, mode: 'test' },
    { testCard: 'visa_auto_approved' },
  )
  const card = await component.post('/payment_methods', {
    type: 'card',
    billing_address: made.body,
    card: { kind: 'existing', vault_token_id },
  })
  expect([card.status, card.body.billing_address]).toEqual([201, made.body])
})

test('an address is refused by its field, and every country has the codes that it has', async () => {
  const { component } = await open()
  const { postal_code: _, ...bare } = ring
  for (const [sent, field] of [
    [bare, 'postal_code'],
    [{ ...ring, country: 'XX' }, 'country'],
    [{ ...ring, line1: '' }, 'line1'],
    [{ ...ring, city: '' }, 'city'],
  ] as const) {
    const { status, body } = await component.post('/billing_addresses', sent)
    expect([status, body.detail[0].loc]).toEqual([422, ['body', field]])
  }
  for (const country of ['HK', 'AE', 'IE'])
    expect(told(await component.post('/billing_addresses', { ...bare, country }))).toBe(201)
})

test('without a client secret nothing is added, and nobody without a component gets there', async () => {
  const { profileId, component } = await open({ isOpen: true })
  const before = await addressesOf(profileId)
  expect(told(await component.post('/billing_addresses', ring))).toEqual([403, 'client_secret_required'])
  expect((await app.post(`/v1/profiles/${profileId}/billing_addresses`, ring)).status).toBe(404)
  expect(await addressesOf(profileId)).toEqual(before)
})

import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlToken, temporaryFolder } from '../../test/run-sandbox.ts'
import { startStripe } from './stripe-server.ts'

/** Accounts of merchants and their way to being paid, as Stripe’s own package asks for them. */
const state = temporaryFolder()
let close: () => Promise<void>
let stripe: Stripe
beforeAll(async () => {
  const server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  ;({ close } = server)
  const { hostname: host, port } = new URL(server.url)
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', maxNetworkRetries: 0 })
})
afterAll(async () => {
  await close()
  state.remove()
})

const asked: Stripe.AccountCreateParams = {
  country: 'DE',
  controller: {
    fees: { payer: 'application' },
    losses: { payments: 'application' },
    requirement_collection: 'stripe',
    stripe_dashboard: { type: 'express' },
  },
  capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  metadata: { of: 'a merchant' },
}

function link(account: string): Promise<Stripe.AccountLink> {
  const [return_url, refresh_url] = ['https://shop.example/back', 'https://shop.example/again']
  return stripe.accountLinks.create({ account, type: 'account_onboarding', return_url, refresh_url })
}

test('an account may be charged once its people have said who they are, and not because they came back', async () => {
  const account = await stripe.accounts.create(asked, { idempotencyKey: 'one' })
  expect(await stripe.accounts.create(asked, { idempotencyKey: 'one' })).toMatchObject({ id: account.id })
  expect(account).toMatchObject({ charges_enabled: false, country: 'DE', metadata: { of: 'a merchant' } })
  const chargesAfter = async (way: string) => {
    const { url } = await link(account.id)
    expect((await fetch(url)).status).toBe(200)
    const back = await fetch(`${url}/${way}`, { method: 'POST', redirect: 'manual' })
    expect(back.headers.get('location')).toBe('https://shop.example/back')
    return (await stripe.accounts.retrieve(account.id)).charges_enabled
  }
  expect([await chargesAfter('later'), await chargesAfter('complete')]).toEqual([false, true])
})

test('a link opens once, and leads back for another one', async () => {
  const { id } = await stripe.accounts.create(asked)
  const { url, created, expires_at } = await link(id)
  expect(expires_at - created).toBe(300)
  await fetch(url)
  const again = await fetch(url, { redirect: 'manual' })
  expect([again.status, again.headers.get('location')]).toEqual([303, 'https://shop.example/again'])
})

test('an account of others is none that it says anything about', async () => {
  await expect(stripe.accounts.retrieve('acct_1Nobody')).rejects.toMatchObject({ code: 'account_invalid' })
  await expect(link('acct_1Nobody')).rejects.toMatchObject({ code: 'account_invalid', statusCode: 403 })
  await expect(stripe.accounts.create({ ...asked, email: 'x@example.com' })).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
})

import { randomUUID } from 'node:crypto'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createStripeRail } from '../../src/rails/stripe/stripe.ts'
import { stripeSimulator, stripeTestKey } from '../harness/stripe.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'
import { type CardRailUnderTest, conformsToCardRail } from './payment-rail/issued-cards.ts'

conformsToCardRail('the sandbox', openSandbox)
conformsToCardRail('Stripe', openStripe)

type Json = Readonly<Record<string, unknown>>

async function openSandbox(): Promise<CardRailUnderTest> {
  const world = await startVaultWorld()
  const { sandbox, rail } = world
  const { processorUrl: url } = sandbox
  const operations = { issue: 'issue_card', number: 'query' }
  return {
    rail,
    vaultOf: someTenant.accountId,
    async issuedUnder(key) {
      const { data } = await read(`${url}/v1/objects?key=${key}`)
      return Array.isArray(data) ? data.length : 0
    },
    disturb: (what, how) => sandbox.fault({ match: { operation: operations[what] }, fault: how, times: 1 }),
    forgetKeys: () => sandbox.forgetKeys(),
    shop: shopAt(url, (reference) => read(`${url}/v1/virtual_cards/${reference}/number`)),
    reset: () => sandbox.clearFaults(),
    stop: () => world.stop(),
  }
}

async function openStripe(): Promise<CardRailUnderTest> {
  const world: VaultWorld = await startVaultWorld()
  const stripe = stripeSimulator(world.sandbox)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [stripe.url] })
  const rail = createStripeRail({
    url: stripe.url,
    secretKey: new Secret(stripeTestKey),
    cardholder: 'ich_sandbox',
    vault: world.client,
    egress,
    publicUrl: null,
  })
  const cards = `${stripe.url}/v1/issuing/cards`
  const operations = { issue: 'create_card', number: 'read_card' }
  return {
    rail,
    vaultOf: someTenant.accountId,
    async issuedUnder(key) {
      const { data } = await read(`${cards}?limit=100`)
      const all = Array.isArray(data) ? data : []
      return all.filter(({ metadata }) => metadata.prokura_key === key).length
    },
    disturb: (what, how) => stripe.fault(operations[what], how),
    forgetKeys: () => stripe.forgetKeys(),
    shop: shopAt(`${stripe.url}/network`, async (reference) => {
      const { cvc, ...card } = await read(`${cards}/${reference}?expand[]=number&expand[]=cvc`)
      return { ...card, security_code: cvc }
    }),
    reset: () => stripe.clearFaults(),
    async stop() {
      await egress.close()
      await world.stop()
    },
  }
}

async function read(url: string): Promise<Json> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${stripeTestKey}` } })
  return JSON.parse(await answer.text())
}

/** A shop before the processor of the sandbox, or before the network of the cards of Stripe: both take the same words. */
function shopAt(url: string, numberOf: (reference: string) => Promise<Json>): CardRailUnderTest['shop'] {
  async function post(path: string, body: object): Promise<{ status: number; id: string }> {
    const answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    })
    const { id } = JSON.parse(await answer.text())
    return { status: answer.status, id }
  }
  return {
    async authorize(reference, amount) {
      const { number, exp_month, exp_year, security_code } = await numberOf(reference)
      const typed = { number, expiry: `${exp_month}/${Number(exp_year) % 100}`, security_code }
      // The card belongs to the merchant of the terms, and to shops below its name.
      const order = { amount, currency: 'USD', merchant: 'shop.example', reference: 'order' }
      const { status, id } = await post('card_authorizations', { ...typed, ...order })
      return status === 201 ? id : null
    },
    capture: async (authorization, amount, isFinal = false) =>
      (await post(`card_authorizations/${authorization}/captures`, { amount, is_final: isFinal })).id,
    async reverse(authorization) {
      await post(`card_authorizations/${authorization}/reversals`, {})
    },
    async refund(capture, amount) {
      await post(`captures/${capture}/refunds`, { amount })
    },
  }
}

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { HoldAnswer, RailCredential } from '../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import type { ForwardedCall } from '../../src/platform/vault-client/vault-words.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { createStripeRail } from '../../src/rails/stripe/stripe.ts'
import type { JsonValue } from '../../src/schema/strict-json.ts'
import { stripeSimulator, stripeTestKey } from '../harness/stripe.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterEach(() => world?.sandbox.clearFaults())
afterAll(() => world?.stop())

const expiresAt = new Date(Date.now() + 3_600_000)
let keys = 0

const call = { mode: 'test', timeoutMs: 2_000 } as const

function terms(change: Partial<RailCredential> = {}): RailCredential {
  return {
    key: `key_${++keys}`,
    card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
    limit: 1_000n,
    currency: 'USD',
    merchant: 'shop.test',
    reference: 'cart',
    expiresAt,
    vaultOf: someTenant.accountId,
    ...change,
  }
}

function issue(change?: Partial<RailCredential>): Promise<HoldAnswer> {
  return world.rail.issueCredential(terms(change), call)
}

async function objectsOf(key: string): Promise<number> {
  const answer = await fetch(`${world.sandbox.processorUrl}/v1/objects?key=${key}`)
  const { data } = (await answer.json()) as { data: unknown[] } // a list, by its documentation
  return data.length
}

test('a card has its reference at the rail, its record in the vault, and shows no number', async () => {
  const answer = await issue({ key: 'shown' })
  expect(answer).toEqual({
    kind: 'done',
    value: {
      reference: expect.stringMatching(/^vcard_/),
      status: 'authorized',
      amount: 1_000n,
      claimedAmount: null,
      capturedAmount: 0n,
      currency: 'USD',
      captureReference: null,
      record: expect.stringMatching(/^vrec_[0-9A-Za-z]{33}$/),
    },
  })
  expect(await objectsOf('shown')).toBe(1)
})

test('a declined card is a refusal with its code', async () => {
  const card = { testCard: 'visa_insufficient_funds', vaultToken: 'none' }
  expect(await issue({ card })).toEqual({
    kind: 'refused',
    refusal: { code: expect.any(String), declineCode: 'insufficient_funds' },
  })
})

test('a number is put into the body of a call, and comes back in no answer', async () => {
  const card = await world.issue()
  const place = (field: string) => ({ $vault: { record: card.record, field } }) as JsonValue
  const { exp_month, exp_year } = (await (
    await fetch(`${world.sandbox.processorUrl}/v1/virtual_cards/${card.reference}/number`)
  ).json()) as { exp_month: number; exp_year: number } // numbers, by its documentation
  const body = {
    number: place('number'),
    expiry: `${exp_month}/${exp_year % 100}`,
    security_code: place('security_code'),
    amount: 700,
    currency: 'USD',
    merchant: 'classic.shop.test',
    reference: 'order',
  }
  const forwarded: ForwardedCall = {
    tenant: someTenant,
    method: 'POST',
    url: `${world.sandbox.processorUrl}/v1/card_authorizations`,
    headers: { 'idempotency-key': 'typed' },
    body,
    timeoutMs: 2_000,
    seal: null,
  }
  const answer = await world.client.forward(forwarded)
  expect(answer).toMatchObject({ kind: 'answer', status: 201, record: null, body: { amount: 700 } })
  expect(JSON.stringify(answer)).not.toContain(card.number)
  // The code was used with that; the rail that has issued it tells it again.
  expect(await world.client.forward(forwarded)).toEqual(answer)
  const gone = { ...body, number: { $vault: { record: 'vrec_gone', field: 'number' } } }
  expect(await world.client.forward({ ...forwarded, body: gone })).toEqual({
    kind: 'refused',
    reason: 'no_record',
  })
  const odd = { ...body, number: { $vault: { record: card.record, field: 'pan' } } }
  expect(await world.client.forward({ ...forwarded, body: odd })).toEqual({
    kind: 'refused',
    reason: 'not_understood',
  })
  // The rail shows references to everybody.
  const readable = { ...body, reference: place('number') }
  expect(await world.client.forward({ ...forwarded, body: readable })).toEqual({
    kind: 'refused',
    reason: 'not_understood',
  })
  const acts = await world.sql<{ kind: string }>(
    'select kind from card_vault.acts where record_id = $1 order by seq',
    [card.record],
  )
  expect(acts.map(({ kind }) => kind)).toEqual(['sealed', 'put_in_place', 'put_in_place'])
})

test('a number of another account is put into no call', async () => {
  const card = await world.issue()
  const url = `${world.sandbox.processorUrl}/v1/card_authorizations`
  const charge = { method: 'POST', url, headers: {}, timeoutMs: 2_000, seal: null } as const
  const body = { number: { $vault: { record: card.record, field: 'number' } } }
  const tenant = { ...someTenant, accountId: `acct_${'0'.repeat(25)}2` as const }
  expect(await world.client.forward({ ...charge, tenant, body })).toEqual({
    kind: 'refused',
    reason: 'no_record',
  })
})

test('a code of a card of Stripe that was lost with the process is read there again, with the key of the vault', async () => {
  const { url } = stripeSimulator(world.sandbox)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const account = { url, secretKey: new Secret(stripeTestKey), cardholder: 'ich_sandbox' }
  const rail = createStripeRail({ ...account, vault: world.client, egress, publicUrl: null })
  const answer = await rail.issueCredential(terms(), call)
  if (answer.kind !== 'done' || !answer.value.record)
    throw new Error(`no card was issued: ${JSON.stringify(answer)}`)
  const { record, reference } = answer.value
  await world.restart()
  const bound = { cart: 'cart', attempt: 1, origin: 'https://shop.test' }
  const said = await world.client.grant({ tenant: someTenant, record, ...bound, leaseToken: 1n })
  if (said.kind !== 'granted') throw new Error(`no grant: ${said.kind}`)
  const told = await fetch(`${url}/v1/issuing/cards/${reference}?expand[]=number&expand[]=cvc`, {
    headers: { authorization: `Bearer ${stripeTestKey}` },
  })
  const { number, cvc } = (await told.json()) as Record<string, string> // texts, by its documentation
  expect(await world.redeem({ grant: said.grant, ...bound })).toMatchObject({
    kind: 'card',
    card: { number, securityCode: cvc, holder: 'Prokura Operations' },
  })
  expect(await world.log()).not.toContain(stripeTestKey)
  await egress.close()
})

test('a rail without a vault issues no cards', async () => {
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: [world.sandbox.processorUrl],
  })
  const rail = createSandboxRail({ url: world.sandbox.processorUrl, egress })
  expect(await rail.issueCredential(terms({ key: 'no vault' }), call)).toEqual({
    kind: 'not_sent',
    retryable: false,
  })
  await egress.close()
  expect(await objectsOf('no vault')).toBe(0)
})

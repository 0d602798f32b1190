import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ClosableCall, HoldAnswer, RailCredential } from '../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import type { ForwardedCall } from '../../src/platform/vault-client/vault-words.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import type { JsonValue } from '../../src/schema/strict-json.ts'
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

async function issued(change?: Partial<RailCredential>) {
  const answer = await issue(change)
  if (answer.kind !== 'done') throw new Error(`no card was issued: ${JSON.stringify(answer)}`)
  return answer.value
}

/** As a shop that was given the number: authorizes, and captures what it is told to. */
async function shopAsks(reference: string, amount: number, captured: number | null = null) {
  const { number, exp_month, exp_year, security_code } = (await (
    await fetch(`${world.sandbox.processorUrl}/v1/virtual_cards/${reference}/number`)
  ).json()) as Record<string, string> // by its documentation
  const card = { number, expiry: `${exp_month}/${Number(exp_year) % 100}`, security_code }
  const made = await post('/v1/card_authorizations', {
    ...card,
    amount,
    currency: 'USD',
    merchant: 'classic.shop.test',
    reference: 'order',
  })
  if (captured !== null && made.status === 201)
    await post(`/v1/card_authorizations/${made.body.id}/captures`, { amount: captured })
  return { status: made.status, id: String(made.body.id) }
}

async function post(path: string, body: object) {
  const response = await fetch(world.sandbox.processorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `shop_${++keys}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // by its documentation
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

test.each([
  ['an answer that is lost', 'lose_answer', 'unknown', 1],
  ['a request that is lost', 'drop_request', 'unknown', 0],
  ['a failure of the rail', 'error_500_once', 'unknown', 0],
  ['a call that is turned away', 'status=429;retry_after=7', 'not_now', 0],
])('%s is what it proves, and the same call then makes one card', async (_, fault, kind, made) => {
  const key = `fault_${fault.slice(0, 6)}`
  await world.sandbox.fault({ match: { key_contains: key }, fault, times: 1 })
  expect((await issue({ key })).kind).toBe(kind)
  expect(await objectsOf(key)).toBe(made)
  const [first, again] = [await issue({ key }), await issue({ key })]
  expect([first.kind, again]).toEqual(['done', first])
  expect(await objectsOf(key)).toBe(1)
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

test('a shop authorizes in parts and captures later, and the card says what it has cost', async () => {
  const { reference } = await issued()
  const state = () => world.rail.get('credential', reference, call)
  await shopAsks(reference, 0)
  expect(await state()).toMatchObject({ value: { status: 'authorized', capturedAmount: 0n } })
  const { id } = await shopAsks(reference, 600)
  expect(await state()).toMatchObject({ value: { status: 'claimed', claimedAmount: 600n } })
  await shopAsks(reference, 300, 300)
  expect(await state()).toMatchObject({
    value: { status: 'claimed', claimedAmount: 900n, capturedAmount: 300n },
  })
  expect((await shopAsks(reference, 101)).status, 'beyond the limit').toBe(402)
  await post(`/v1/card_authorizations/${id}/captures`, { amount: 400, is_final: true })
  expect(await state()).toMatchObject({
    value: { status: 'captured', capturedAmount: 700n, captureReference: reference },
  })
})

test('a revoked card takes nothing new and keeps what was authorized; what was given back ends it', async () => {
  const [used, unused] = [await issued(), await issued()]
  const revoke = async ({ reference }: { reference: string }) =>
    await world.rail.revoke({ key: `revoke_${reference}`, reference }, call)
  const { id } = await shopAsks(used.reference, 500)
  expect(await revoke(used)).toMatchObject({ value: { status: 'claimed', claimedAmount: 500n } })
  expect(await revoke(unused)).toMatchObject({ value: { status: 'voided' } })
  expect((await shopAsks(used.reference, 1)).status).toBe(402)
  expect((await shopAsks(unused.reference, 1)).status).toBe(402)
  await post(`/v1/card_authorizations/${id}/reversals`, { amount: 500 })
  const read = await world.rail.get('credential', used.reference, call)
  expect(read).toMatchObject({ value: { status: 'voided', capturedAmount: 0n } })
})

test('whoever asks about a card gets its record again, and what is closed takes nothing', async () => {
  const input = terms({ key: 'asked' })
  const sent: ClosableCall = { step: 'issue_credential', input }
  expect(await world.rail.ask('asked', call, sent)).toEqual({ kind: 'not_found' })
  const made = await issued({ key: 'asked' })
  expect(await world.rail.ask('asked', call, sent)).toMatchObject({ kind: 'done', value: made })
  expect(await world.rail.close(sent, call)).toEqual({ kind: 'closed' })
  expect((await shopAsks(made.reference, 1)).status).toBe(402)
  const late = await issue({ key: 'asked' })
  expect(late.kind === 'done' ? (await shopAsks(late.value.reference, 1)).status : 402).toBe(402)
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

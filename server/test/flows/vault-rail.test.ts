import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CardAnswer, RailCard } from '../../src/domain/buying/execution/port.ts'
import type { ForwardedCall } from '../../src/platform/vault-client/vault-words.ts'
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

async function issue(change: Partial<RailCard> = {}): Promise<CardAnswer> {
  const input = {
    key: `key_${++keys}`,
    card: { testCard: 'visa_auto_approved', vaultToken: 'none' },
    limit: 1_000n,
    currency: 'USD',
    merchant: null,
    reference: 'cart',
    expiresAt,
    accountId: someTenant.accountId,
    ...change,
  }
  const answer = await world.rail.issueCard?.(input, { mode: 'test', timeoutMs: 2_000 })
  if (!answer) throw new Error('the rail issues no cards')
  return answer
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
      reference: expect.any(String),
      record: expect.stringMatching(/^vrec_[0-9A-Za-z]{33}$/),
      brand: 'visa',
      last4: expect.stringMatching(/^\d{4}$/),
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
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
  const call: ForwardedCall = {
    tenant: someTenant,
    method: 'POST',
    url: `${world.sandbox.processorUrl}/v1/card_authorizations`,
    headers: { 'idempotency-key': 'typed' },
    body,
    timeoutMs: 2_000,
    seal: null,
  }
  const answer = await world.client.forward(call)
  expect(answer).toMatchObject({ kind: 'answer', status: 201, record: null, body: { amount: 700 } })
  expect(JSON.stringify(answer)).not.toContain(card.number)
  // The code was used with that; the rail that has issued it tells it again.
  expect(await world.client.forward(call)).toEqual(answer)
  const gone = { ...body, number: { $vault: { record: 'vrec_gone', field: 'number' } } }
  expect(await world.client.forward({ ...call, body: gone })).toEqual({
    kind: 'refused',
    reason: 'no_record',
  })
  const odd = { ...body, number: { $vault: { record: card.record, field: 'pan' } } }
  expect(await world.client.forward({ ...call, body: odd })).toEqual({
    kind: 'refused',
    reason: 'not_understood',
  })
  // The rail shows references to everybody.
  const readable = { ...body, reference: place('number') }
  expect(await world.client.forward({ ...call, body: readable })).toEqual({
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
  const call = { method: 'POST', url, headers: {}, timeoutMs: 2_000, seal: null } as const
  const body = { number: { $vault: { record: card.record, field: 'number' } } }
  const tenant = { ...someTenant, accountId: `acct_${'0'.repeat(25)}2` as const }
  expect(await world.client.forward({ ...call, tenant, body })).toEqual({
    kind: 'refused',
    reason: 'no_record',
  })
})

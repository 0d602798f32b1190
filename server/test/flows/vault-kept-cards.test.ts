import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveCard, openCardSession } from '../harness/card-sessions.ts'
import { someTenant, startVaultWorld, type VaultWorld } from '../harness/vault.ts'

let world: VaultWorld
beforeAll(async () => {
  world = await startVaultWorld()
})
afterAll(() => world?.stop())

let methods = 0

/** A payment method on a card, as the API adds one. */
async function addMethod(token: string): Promise<{ delete(): Promise<unknown> }> {
  methods += 1
  const [profile, id] = [`prof_of_${methods}`, `pm_${methods}`]
  const { accountId, mode } = someTenant
  await world.sql(
    `insert into profiles (account_id, mode, id, profile_type, first_name, email, country, status, issuing_state, seq, created_at, updated_at)
     values ($1, $2, $3, 'person', 'Ada', 'a@example.com', 'GB', 'active', 'enabled', 1, now(), now())`,
    [accountId, mode, profile],
  )
  await world.sql(
    `insert into payment_methods (account_id, mode, id, profile_id, type, is_default, card_kind, card_brand, card_last4, card_exp_month,
       card_exp_year, vault_token, enrollment_requested, agentic_status, pending_steps, failed_verifications, seq, created_at, updated_at)
     values ($1, $2, $3, $4, 'card', true, 'existing', 'visa', '4242', 1, 2030, $5, false, 'not_requested', '{}', 0, 1, now(), now())`,
    [accountId, mode, id, profile, token],
  )
  return { delete: () => world.sql(`update payment_methods set deleted_at = now() where id = $1`, [id]) }
}

async function newCard(): Promise<string> {
  const { body } = await leaveCard(world, await openCardSession(world))
  return body.vault_token_id
}

/** It looks at its records when it starts, and then again and again. */
const look = () => world.restart('SIGTERM')
const hourIsOver = (token: string) =>
  world.sql(`update card_vault.records set keep_until = now() - interval '2 minutes' where id = $1`, [token])

async function isThere(token: string): Promise<boolean> {
  const rows = await world.sql(`select from card_vault.records where id = $1`, [token])
  return rows.length === 1
}

test('a card that somebody has stays after its hour, and goes with the last that has it', async () => {
  const [kept, alone, fresh] = [await newCard(), await newCard(), await newCard()]
  const [one, other] = [await addMethod(kept), await addMethod(kept)]
  await hourIsOver(kept)
  await hourIsOver(alone)
  await look()
  expect([await isThere(kept), await isThere(alone), await isThere(fresh)]).toEqual([true, false, true])
  expect((await world.client.describe(someTenant, kept)).kind).toBe('record')
  await one.delete()
  await look()
  expect(await isThere(kept)).toBe(true)
  await other.delete()
  await look()
  expect([await isThere(kept), await isThere(fresh)]).toEqual([false, true])
  const acts = await world.sql(`select kind from card_vault.acts where record_id = $1 order by seq`, [kept])
  expect(acts).toEqual([{ kind: 'sealed' }, { kind: 'expired' }])
})

test('shredding takes no card that one of two profiles still has', async () => {
  const token = await newCard()
  const [one, other] = [await addMethod(token), await addMethod(token)]
  await one.delete()
  await world.client.shred(someTenant, token)
  expect(await isThere(token)).toBe(true)
  await other.delete()
  await world.client.shred(someTenant, token)
  expect(await isThere(token)).toBe(false)
})

test('a card whose hour is over can be added by nobody, a minute before it goes', async () => {
  const token = await newCard()
  await world.sql(`update card_vault.records set keep_until = now() where id = $1`, [token])
  expect(await world.client.describe(someTenant, token)).toEqual({ kind: 'none' })
  await look()
  expect(await isThere(token)).toBe(true)
})

test('a card that was entered goes into a call to the rail, as one of the rail does', async () => {
  const token = await newCard()
  const field = (name: string) => ({ $vault: { record: token, field: name } })
  const answer = await world.client.forward({
    tenant: someTenant,
    method: 'POST',
    url: `${world.sandbox.processorUrl}/v1/anything`,
    headers: { 'content-type': 'application/json' },
    body: { number: field('number'), exp_month: field('exp_month') },
    timeoutMs: 5_000,
    seal: null,
  })
  expect(answer).toMatchObject({ kind: 'answer', record: null })
  expect(JSON.stringify(answer)).not.toContain('4242424242424242')
  const acts = await world.sql(`select kind from card_vault.acts where record_id = $1 order by seq`, [token])
  expect(acts).toEqual([{ kind: 'sealed' }, { kind: 'put_in_place' }])
})

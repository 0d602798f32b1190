import { expect, test } from 'vitest'
import {
  accountId,
  givenPolicy,
  inUnit,
  pools,
  request,
  usePolicyDatabase,
} from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { lockApplicablePolicies, selectApplicablePolicies } from './policies.sql.ts'
import type { PolicyRow } from './policy.ts'
import { scopeMatches } from './replay-intents.ts'
import { admitAsDecided } from './reservations.ts'

usePolicyDatabase()

const subsets = [[], ['one'], ['other'], ['one', 'other']]
const owners = ['one', 'other', null]
const prefixed = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}_${name}`)
const idOf = (prefix: string, name: string | null) => (name === null ? null : `${prefix}_${name}`)

const insertMethod = statement<never, { account_id: string; id: string }>(
  '',
  `insert into payment_methods (account_id, mode, id, profile_id, type, is_default, card_kind, card_brand, card_last4, card_exp_month,
     card_exp_year, vault_token, enrollment_requested, agentic_status, pending_steps, failed_verifications, seq, created_at, updated_at)
   select $account_id, 'test', $id, 'prof_one', 'card', $id = 'pm_one', 'existing', 'visa', '4242', 1, 2030, $id, false,
     'not_requested', '{}', 0, 1, now(), now()`,
)
const insertProfile = statement<never, { account_id: string }>(
  '',
  `insert into profiles (account_id, mode, id, profile_type, issuing_state, first_name, last_name, email, country, status, addresses, metadata, seq,
     created_at, updated_at)
   values ($account_id, 'test', 'prof_one', 'individual', 'not_requested', 'A', 'B', 'a@example.com', 'DE', 'active', '[]', '{}', 1, now(), now())`,
)

async function everyScope(): Promise<PolicyRow[]> {
  const rows: PolicyRow[] = []
  for (const profiles of subsets)
    for (const agents of subsets)
      for (const methods of subsets)
        rows.push(
          await givenPolicy({
            limits: { per_transaction_max: 100 },
            approval: { mode: 'never' },
            scope: {
              profile_ids: prefixed('prof', profiles),
              api_key_ids: prefixed('agent', agents),
              payment_method_ids: prefixed('pm', methods),
              default: rows.length === 7,
            },
          }),
        )
  return rows
}

test('every statement, and a simulation, say alike which scopes a purchase is in', async () => {
  const policies = await everyScope()
  for (const profile of ['one', 'other'])
    for (const agent of owners)
      for (const method of owners) {
        const of = {
          profileId: `prof_${profile}`,
          agentId: idOf('agent', agent),
          paymentMethodId: idOf('pm', method),
        }
        const expected = policies.filter((policy) => scopeMatches(policy, of)).map(({ id }) => id)
        const params = {
          account_id: accountId,
          mode: 'test' as const,
          profile_id: of.profileId,
          agent_id: of.agentId,
          policy_id: null,
          payment_method_id: of.paymentMethodId,
        }
        const attached = (rows: { id: string; attached: boolean }[]) =>
          rows.filter((row) => row.attached).map(({ id }) => id)
        const locked = await inUnit((ctx) =>
          ctx.tx.rows(
            lockApplicablePolicies({ ...params, intent_id: 'pi_none', acting_agent_id: of.agentId }),
          ),
        )
        expect([of, attached(locked)]).toEqual([of, expected])
        expect(locked.filter((row) => row.attached_to_actor).map(({ id }) => id)).toEqual(expected)
        if (method === null) continue
        // Of a method that it does not find, the read finds no policy.
        expect(attached(await pools.read(selectApplicablePolicies(params)))).toEqual(
          policies
            .filter((policy) => scopeMatches(policy, { ...of, paymentMethodId: null }))
            .map(({ id }) => id),
        )
      }
})

test('a read by the default of a profile finds what is reserved by its id', async () => {
  await pools.single(insertProfile({ account_id: accountId }))
  for (const id of ['pm_one', 'pm_other']) await pools.single(insertMethod({ account_id: accountId, id }))
  const policies = await everyScope()
  const hold = { ...request('pi_1'), profileId: 'prof_one' }
  for (const [named, pays] of [
    [null, 'pm_one'],
    ['pm_one', 'pm_one'],
    ['pm_other', 'pm_other'],
  ] as const) {
    const scope = {
      account_id: accountId,
      mode: 'test' as const,
      profile_id: 'prof_one',
      agent_id: null,
      policy_id: null,
    }
    const read = await pools.read(selectApplicablePolicies({ ...scope, payment_method_id: named }))
    const of = { profileId: 'prof_one', agentId: null, paymentMethodId: pays }
    expect(read.map(({ id }) => id)).toEqual(
      policies.filter((policy) => scopeMatches(policy, of)).map(({ id }) => id),
    )
    const verdict = {
      result: 'allow' as const,
      evaluated: [],
      cap: 100n,
      feeAllowance: 0n,
      tolerancePercent: 5,
      onExceed: 'fail' as const,
      approvalExpiresMinutes: 1,
      judged: read,
    }
    const intentId = `pi_${named}`
    // What was read is what is locked: another set ends the transaction.
    const held = inUnit(async (ctx) =>
      admitAsDecided(ctx, { ...hold, intentId, paymentMethodId: pays, keyId: null, policies: read, verdict }),
    )
    expect((await held)?.cap).toBe(100n)
  }
})

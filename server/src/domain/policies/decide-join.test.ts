import { expect, test } from 'vitest'
import { now, policy as policyOf } from '../../../test/fixtures/policy-decisions.ts'
import { decideJoin } from './decide-join.ts'
import type { PolicyRow } from './policy.ts'

const sides = [
  { id: 'agent_a', more: [] },
  { id: 'agent_b', more: [] },
] as const
const unattended = {
  approval: { mode: 'never' as const, auto_approve_up_to: null, expires_after_minutes: 60 },
}
const upTo = {
  approval: { mode: 'above_threshold' as const, auto_approve_up_to: 10, expires_after_minutes: 60 },
}
const always = { approval: { mode: 'always' as const, auto_approve_up_to: null, expires_after_minutes: 60 } }
const tolerant = { price_drift: { tolerance_percent: 20, on_exceed: 'fail' as const } }
const limited = {
  limits: { per_transaction_max: 1, intervals: [], max_intents_per_day: 1, max_fulfillment_fee: 1 },
}

type Terms = Parameters<typeof policyOf>[0]

function naming(agents: string[], terms: Terms, over: Partial<PolicyRow> = {}): PolicyRow {
  return policyOf(terms, { name: 'P', scope_default: false, scope_agent_ids: agents, ...over })
}

test.each([
  ['lets the first buy unattended', naming(['agent_a'], unattended), ['agent_b']],
  ['lets the second buy unattended', naming(['agent_b', 'agent_c'], upTo), ['agent_a']],
  ['gives one a tolerance of its own', naming(['agent_a'], { ...tolerant, approval: null }), ['agent_b']],
  ['names both', naming(['agent_a', 'agent_b'], unattended), []],
  ['only limits', naming(['agent_a'], { ...limited, approval: null }), []],
  ['always asks', naming(['agent_a'], always), []],
  ['is archived', naming(['agent_a'], unattended, { archived_at: now }), []],
  ['is over', naming(['agent_a'], unattended, { valid_until: now }), []],
])('a policy that %s', (_, policy, given) => {
  expect(decideJoin(sides, [policy], now)).toEqual(
    given.map((agent_id) => ({ kind: 'policy', policy_id: policy.id, name: 'P', agent_id })),
  )
})

test('scopes that only the keys of one agent have are listed as new for the other', () => {
  const [a, b] = sides
  expect(decideJoin([{ ...a, more: ['policies:write'] }, b], [], now)).toEqual([
    { kind: 'scopes', scopes: ['policies:write'], agent_id: 'agent_b' },
  ])
  expect(decideJoin([a, { ...b, more: ['policies:write'] }], [], now)).toEqual([
    { kind: 'scopes', scopes: ['policies:write'], agent_id: 'agent_a' },
  ])
})

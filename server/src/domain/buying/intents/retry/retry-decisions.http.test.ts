import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/harness/app.ts'
import {
  type ApprovedBy,
  type FailedPurchase,
  failedPurchase,
  outcomeOf,
  retry,
  startRetryApp,
  stopRetryApp,
  terms,
} from '../../../../../test/harness/retries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startRetryApp()
})
afterAll(() => stopRetryApp(app))

type Change = {
  /** What happened since it failed. */
  since: string
  happens: (failed: FailedPurchase) => Promise<unknown>
  /** What a retry becomes that is decided anew, and one of what a person approved, where the two differ. */
  anew: string
  approved?: string
}

const policy = (body: object) => (failed: FailedPurchase) => app.post(`/v1/policies/${failed.policyId}`, body)
const freeze = (targetOf: (failed: FailedPurchase) => object) => (failed: FailedPurchase) =>
  app.post('/v1/controls/freeze', { target: targetOf(failed) })
const { limits } = terms
const week = (most: object) => ({ intervals: [{ interval: 'week', ...most }] })

const changes: readonly Change[] = [
  { since: 'nothing', happens: async () => undefined, anew: 'queued', approved: 'approved' },
  {
    since: 'the threshold was lowered',
    happens: policy({ approval: { mode: 'above_threshold', auto_approve_up_to: 999 } }),
    anew: 'awaiting_approval',
    approved: 'approved',
  },
  {
    since: 'the threshold was raised',
    happens: policy({ approval: { mode: 'above_threshold', auto_approve_up_to: 6000 } }),
    anew: 'queued',
    approved: 'approved',
  },
  {
    since: 'somebody is always asked',
    happens: policy({ approval: { mode: 'always' } }),
    anew: 'awaiting_approval',
    approved: 'approved',
  },
  {
    since: 'the policy was archived',
    happens: ({ policyId }) => app.post(`/v1/policies/${policyId}/archive`),
    anew: 'awaiting_approval',
    approved: 'approved',
  },
  {
    since: 'another policy asks',
    happens: ({ buyer }) =>
      app.post('/v1/policies', {
        name: 'Asks',
        scope: { profile_ids: [buyer.profileId] },
        approval: { mode: 'always' },
      }),
    anew: 'awaiting_approval',
    approved: 'approved',
  },
  {
    since: 'the card asks for its security code',
    happens: ({ buyer }) =>
      app.sql(`update payment_methods set agentic_status = 'suspended' where id = $1`, [
        buyer.paymentMethodId,
      ]),
    anew: 'awaiting_approval',
    approved: 'approved',
  },
  {
    since: 'the merchant is blocked',
    happens: policy({ merchants: { block: ['tea.example'] } }),
    anew: '409 policy_denied',
  },
  {
    since: 'the limit of a purchase was lowered',
    happens: policy({ limits: { ...limits, per_transaction_max: 999 } }),
    anew: '409 policy_denied',
  },
  {
    since: 'the window has no room',
    happens: policy({ limits: week({ max_amount: 999 }) }),
    anew: '409 policy_denied',
    approved: '409 policy_limit_exceeded',
  },
  {
    since: 'the window takes no more purchases',
    happens: policy({ limits: week({ max_count: 0 }) }),
    anew: '409 policy_denied',
    approved: '409 policy_limit_exceeded',
  },
  {
    since: 'a policy in another currency applies',
    happens: ({ buyer }) =>
      app.post('/v1/policies', {
        name: 'Dollars',
        currency: 'USD',
        scope: { profile_ids: [buyer.profileId] },
        limits: { per_transaction_max: 90_000 },
      }),
    anew: '409 policy_denied',
  },
  {
    since: 'the key that asked was frozen',
    happens: freeze(({ agent }) => ({ type: 'key', id: agent.id })),
    anew: '409 frozen',
  },
  {
    since: 'the profile was frozen',
    happens: freeze(({ buyer }) => ({ type: 'profile', id: buyer.profileId })),
    anew: '409 frozen',
  },
  {
    since: 'the account was frozen',
    happens: freeze(() => ({ type: 'account' })),
    anew: '409 frozen',
  },
]
const approvals: readonly ApprovedBy[] = ['policy', 'person', 'person, eight days ago']

/** What becomes of a retry by what the product says at this moment about the very same purchase, made anew by the same key. */
async function freshOutcome(failed: FailedPurchase): Promise<string> {
  const preview = await app.post('/v1/purchase_intents/preview', failed.body, { key: failed.agent.token })
  const outcome = outcomeOf(preview)
  return outcome === 'declined' ? '409 policy_denied' : outcome
}

test.each(
  changes.flatMap((change) =>
    approvals.flatMap((approvedBy) =>
      (['its agent', 'the owner'] as const).map((by) => ({ ...change, approvedBy, by })),
    ),
  ),
)(
  'approved by $approvedBy, retried by $by after this: $since',
  async ({ happens, approvedBy, by, anew, approved }) => {
    const failed = await failedPurchase(app, { approvedBy })
    await happens(failed)
    const fresh = await freshOutcome(failed)
    const key = by === 'its agent' ? failed.agent.token : app.account.keys.secret_test
    const answer = await retry(app, failed.id, key)
    await app.post('/v1/controls/unfreeze', { target: { type: 'account' } })
    expect(outcomeOf(answer)).toBe(approvedBy === 'person' ? (approved ?? anew) : anew)
    // No charge unattended that the same purchase would not get unattended now, unless a person has said yes lately.
    if (approvedBy !== 'person') expect(outcomeOf(answer)).toBe(fresh)
    const after = (await app.get(`/v1/purchase_intents/${failed.id}`)).body
    const isRunning = after.status === 'approved' || after.status === 'queued'
    expect(after.status).toBe(answer.status === 200 ? answer.body.status : 'failed')
    expect(after.carts[0]).toMatchObject({
      status: isRunning ? 'created' : 'failed',
      attempt_number: isRunning ? 2 : 1,
    })
  },
)

test.each(approvals)(
  "approved by %s, a retry has the account's tolerance once no policy says otherwise, and a person's approval stands",
  async (approvedBy) => {
    const more = { price_drift: { tolerance_percent: 20 } }
    const failed = await failedPurchase(app, { approvedBy, more })
    const before = (await app.get(`/v1/purchase_intents/${failed.id}`)).body.max_allowed_amount
    await app.post(`/v1/policies/${failed.policyId}`, { price_drift: { tolerance_percent: null } })
    const fresh = await app.post('/v1/purchase_intents/preview', failed.body, { key: failed.agent.token })
    const retried = await retry(app, failed.id, failed.agent.token)
    expect(retried.status).toBe(200)
    expect(fresh.body.max_allowed_amount).toBeLessThan(before)
    expect(retried.body.max_allowed_amount).toBe(
      approvedBy === 'person' ? before : fresh.body.max_allowed_amount,
    )
  },
)

import { expect } from 'vitest'

import { purchaseIntentInvariants } from '../../src/domain/buying/intents/invariants.ts'

import { policyInvariants } from '../../src/domain/policies/invariants.sql.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Answer, startTestApp, type TestApp } from './app.ts'
import { brokenInvariants } from './broken-invariants.ts'
import { type Buyer, newBuyer, purchaseOf } from './buyers.ts'
import { beginByHand, endByHand, tea } from './hand-worker.ts'

/** An app whose clock the test moves. No worker runs: carts are bought by hand. */
export async function startRetryApp(): Promise<TestApp> {
  const app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  return app
}

/** Stops the app; fails when its purchases or policies are not as they must be. */
export async function stopRetryApp(app: TestApp): Promise<void> {
  const broken = await brokenInvariants(app, [...purchaseIntentInvariants, ...policyInvariants])
  await app.stop()
  // The clock moved on and no worker ran: rows that wait for a worker are overdue.
  expect(broken.filter((one) => !one.startsWith('W2-overdue'))).toEqual([])
}

/** Who allowed a purchase that has failed since: a policy, or a person, and how long ago. */
export type ApprovedBy = 'policy' | 'person' | 'person, eight days ago'

export type FailedPurchase = {
  id: string
  buyer: Buyer
  policyId: string
  /** The key that created it. */
  agent: { id: string; token: string }
  /** The same purchase, to be made again. */
  body: Record<string, unknown>
}

const unattended = { mode: 'above_threshold', auto_approve_up_to: 5000 }
export const terms = {
  currency: 'EUR',
  limits: { per_transaction_max: 6000, intervals: [{ interval: 'week', max_amount: 9000, max_count: 3 }] },
}

/** A purchase of an agent whose carts have failed, under a policy that lets such purchases through unattended; `more` is in its terms. */
export async function failedPurchase(
  app: TestApp,
  {
    approvedBy,
    items = [tea],
    more = {},
  }: { approvedBy: ApprovedBy; items?: readonly object[]; more?: object },
): Promise<FailedPurchase> {
  const [buyer, agent] = await Promise.all([newBuyer(app), app.newKey(app.account, 'test', 'buyer_agent')])
  const scope = { profile_ids: [buyer.profileId] }
  const first = approvedBy === 'policy' ? unattended : { mode: 'always' }
  const policy = await app.post('/v1/policies', { name: 'Agents', scope, ...terms, ...more, approval: first })
  expect(policy.status, JSON.stringify(policy.body)).toBe(201)
  const policyId: string = policy.body.id
  const body = purchaseOf(buyer, { items })
  const created = await app.post('/v1/purchase_intents', body, { key: agent.token })
  const { id } = created.body
  if (approvedBy !== 'policy') {
    expect(created.body.status).toBe('awaiting_approval')
    const approved = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: true })
    expect(approved.body.status).toBe('approved')
    await app.post(`/v1/policies/${policyId}`, { approval: unattended })
  } else expect(created.body.status).toBe('queued')
  await beginByHand(app, id)
  await endByHand(
    app,
    id,
    items.map((_, cart) => ({ cart, status: 'failed' as const })),
  )
  if (approvedBy === 'person, eight days ago') await advanceTestClock(app.databaseUrl, 8 * 86_400)
  return { id, buyer, policyId, agent, body }
}

export function retry(app: TestApp, id: string, key: string, body: object = {}): Promise<Answer> {
  return app.post(`/v1/purchase_intents/${id}/retry`, body, { key })
}

/** An answer in a word: the status of the purchase, or the code of the refusal. */
export function outcomeOf({ status, body }: Answer): string {
  return status < 300 ? body.status : `${status} ${body.detail.code}`
}

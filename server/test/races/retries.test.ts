import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { readPurchase } from '../harness/hand-worker.ts'
import { failedPurchase, outcomeOf, retry } from '../harness/retries.ts'
import { behindALock } from './behind-a-lock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const approve = (id: string, yes: boolean) => app.post(`/v1/purchase_intents/${id}/approve`, { approve: yes })

test('a retry that waited for a narrower policy is decided by it', async () => {
  const { id, policyId, agent } = await failedPurchase(app, { approvedBy: 'policy' })
  const answer = await behindALock(
    app,
    async (query) => {
      await query('select 1 from policies where id = $1 for update', policyId)
      const always = '{"mode": "always", "expires_after_minutes": null, "auto_approve_up_to": null}'
      await query(
        `update policies set version = version + 1, terms = jsonb_set(terms, '{approval}', $2::jsonb) where id = $1`,
        policyId,
        always,
      )
    },
    () => retry(app, id, agent.token),
  )
  expect(outcomeOf(answer)).toBe('awaiting_approval')
})

test('a retry that waited for a freeze is refused by it', async () => {
  const { id, agent } = await failedPurchase(app, { approvedBy: 'policy' })
  const answer = await behindALock(
    app,
    (query) =>
      query(
        `update controls set frozen_agent_ids = array(select agent_id from api_keys where id = $2) where account_id = $1 and mode = 'test'`,
        app.account.accountId,
        agent.id,
      ),
    () => retry(app, id, agent.token),
  )
  expect(outcomeOf(answer)).toBe('409 frozen')
  expect((await readPurchase(app, id)).status).toBe('failed')
})

test('of several retries at the same moment one is decided, and it reserves once', async () => {
  const { id, agent, policyId } = await failedPurchase(app, { approvedBy: 'policy' })
  const answers = await Promise.all([1, 2, 3, 4].map(() => retry(app, id, agent.token)))
  expect(answers.map(outcomeOf).sort()).toEqual([
    '409 not_retryable',
    '409 not_retryable',
    '409 not_retryable',
    'queued',
  ])
  const { body } = await app.get(`/v1/policies/${policyId}`)
  expect(body.usage[0].count).toBe(1)
})

test('retries, an approval and a refusal at the same moment end in some order of theirs', async () => {
  for (let round = 0; round < 8; round++) {
    const { id, agent, policyId } = await failedPurchase(app, { approvedBy: 'policy' })
    await app.post(`/v1/policies/${policyId}`, { approval: { mode: 'always' } })
    await retry(app, id, agent.token)
    const [again, yes, no] = await Promise.all([
      retry(app, id, agent.token),
      approve(id, true),
      approve(id, false),
    ])
    const { status, carts } = await readPurchase(app, id)
    const told = [again, yes, no].map(outcomeOf)
    if (outcomeOf(yes) === 'approved') {
      // Of the first retry, or of the second after the first was refused.
      expect(status).toBe('approved')
      expect(carts[0]).toMatchObject({ status: 'created', attempt_number: 2 })
      const isAgain = outcomeOf(again) === 'awaiting_approval'
      expect(outcomeOf(no), told.join()).toBe(isAgain ? 'failed' : '409 not_approvable')
    } else {
      expect(outcomeOf(no), told.join()).toBe('failed')
      expect(carts[0]).toMatchObject({ status: 'failed', attempt_number: 1 })
      expect(status).toBe(outcomeOf(again) === 'awaiting_approval' ? 'awaiting_approval' : 'failed')
    }
  }
})

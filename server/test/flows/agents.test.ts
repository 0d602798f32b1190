import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActingContext } from '../../src/contract/context.ts'
import { addKey, issueKey, revokeKey, rollKey } from '../../src/domain/accounts/api-keys/public.ts'
import { joinAgents } from '../../src/domain/policies/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../harness/buyers.ts'
import { waitsOrAnswers } from '../races/behind-a-lock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

type Key = { id: string; agentId: string; token: string }
type Owner = { account: TestAccount; owner: string; buyer: Buyer; key: Key }

const agentKey = { kind: 'secret', name: 'agent', preset: 'buyer_agent' } as const
const day = 24 * 60 * 60 * 1000

async function newOwner(): Promise<Owner> {
  const account = await app.newAccount()
  const owner = account.keys.secret_test
  const [buyer, key] = [await newBuyer(app, { key: owner }), await app.newKey(account, 'test', 'buyer_agent')]
  return { account, owner, buyer, key }
}

function asOperator<T>({ account }: Owner, work: (ctx: ActingContext) => Promise<T>): Promise<T> {
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

function keyOf({ key, token }: { key: { id: string; agent_id: string }; token: string }): Key {
  return { id: key.id, agentId: key.agent_id, token }
}

/** What may become of an agent's keys; answers the one it acts with from then on. */
const changes: Record<string, (of: Owner) => Promise<Key>> = {
  nothing: async ({ key }) => key,
  'a roll': async (of) => keyOf(await asOperator(of, (ctx) => rollKey(ctx, of.key.id))),
  'two rolls': async (of) => {
    const { key } = await asOperator(of, (ctx) => rollKey(ctx, of.key.id))
    return keyOf(await asOperator(of, (ctx) => rollKey(ctx, key.id)))
  },
  'a roll with overlap, by the new key': async (of) =>
    keyOf(await asOperator(of, (ctx) => rollKey(ctx, of.key.id, { overlapMs: day }))),
  'a roll with overlap, by the old key': async (of) => {
    await asOperator(of, (ctx) => rollKey(ctx, of.key.id, { overlapMs: day }))
    return of.key
  },
  'a second key': (of) => secondKey(of),
  'the end of one of two keys': async (of) => {
    const second = await secondKey(of)
    await asOperator(of, (ctx) => revokeKey(ctx, of.key.id))
    return second
  },
  'a key after the last one ended': async (of) => {
    await asOperator(of, (ctx) => revokeKey(ctx, of.key.id))
    return secondKey(of)
  },
  'a join with another agent': async (of) => {
    const other = keyOf(await asOperator(of, async (ctx) => issueKey(ctx, agentKey)))
    await asOperator(of, (ctx) => joinAgents(ctx, { from: other.id, into: of.key.id, mayWiden: true }))
    return other
  },
  'a join into another agent': async (of) => {
    const other = keyOf(await asOperator(of, async (ctx) => issueKey(ctx, agentKey)))
    await asOperator(of, (ctx) => joinAgents(ctx, { from: of.key.id, into: other.id, mayWiden: true }))
    return other
  },
}

async function secondKey(of: Owner): Promise<Key> {
  const request = { ...agentKey, agentId: of.key.agentId, isForced: false }
  return keyOf(await asOperator(of, (ctx) => addKey(ctx, request)))
}

const names = { 'its key': ({ key }: Owner) => key.id, 'the agent': ({ key }: Owner) => key.agentId }

/** Decisions about an agent, by the id that names it, and the result of a purchase of 20.00 under each. */
const decisions: Record<string, { verdict: string; decide: (of: Owner, id: string) => Promise<unknown> }> = {
  'a limit of 10.00': {
    verdict: 'declined',
    decide: (of, id) => policy(of, id, { limits: { per_transaction_max: 1000 } }),
  },
  'a day that is used up': {
    verdict: 'declined',
    decide: async (of, id) => {
      await policy(of, id, { ...unattended, limits: { intervals: [{ interval: 'day', max_amount: 2500 }] } })
      expect(told(await buy(of, of.key))).toBe('queued')
    },
  },
  'leave to buy unattended': {
    verdict: 'queued',
    decide: (of, id) => policy(of, id, { ...unattended, limits: { per_transaction_max: 5000 } }),
  },
  'a freeze': {
    verdict: '409 frozen',
    decide: (of, id) => app.post('/v1/controls/freeze', { target: { type: 'key', id } }, { key: of.owner }),
  },
}

const unattended = { approval: { mode: 'never' } }

function policy({ owner }: Owner, id: string, terms: object): Promise<Answer> {
  const scope = { api_key_ids: [id] }
  return app.post('/v1/policies', { name: 'Agent', currency: 'EUR', scope, ...terms }, { key: owner })
}

function buy({ buyer }: Owner, key: Key): Promise<Answer> {
  return createPurchase(app, buyer, {}, { key: key.token })
}

function told({ status, body }: Answer): string {
  return status < 300 ? String(body.status) : `${status} ${body.detail.code}`
}

const table = Object.keys(decisions).flatMap((decision) =>
  Object.keys(names).flatMap((name) => Object.keys(changes).map((change) => [decision, name, change])),
)

test('a publishable key is stored without scopes, whatever its preset', async () => {
  const of = await newOwner()
  const { key } = await asOperator(of, async (ctx) =>
    issueKey(ctx, { kind: 'publishable', name: 'page', preset: 'full', origins: ['https://page.example'] }),
  )
  expect(key).toMatchObject({ kind: 'publishable', scopes: [] })
  const shown = await app.sql<{ scopes: string[] }>(
    `select scopes from api_keys where account_id = $1 and kind = 'publishable'`,
    [of.account.accountId],
  )
  expect(shown.length).toBeGreaterThan(1)
  for (const { scopes } of shown) expect(scopes).toEqual([])
})

test.each(table)('%s that names %s holds after %s', async (decision, name, change) => {
  const { verdict, decide } = decisions[decision ?? ''] ?? expect.fail()
  const of = await newOwner()
  await decide(of, names[name as keyof typeof names](of))
  const key = await (changes[change ?? ''] ?? expect.fail())(of)
  expect(told(await buy(of, key))).toBe(verdict)
})

// The other way round: first the change, then the decision, by each id that the agent has had.
test.each(Object.keys(changes))('after %s every id of the agent means all of its keys', async (change) => {
  const of = await newOwner()
  const waiting = await buy(of, of.key)
  const key = await (changes[change] ?? expect.fail())(of)
  for (const id of [of.key.id, of.key.agentId, key.id, key.agentId]) {
    const made = await policy(of, id, { limits: { per_transaction_max: 1000 } })
    expect(made.body.scope.api_key_ids, id).toEqual([expect.stringMatching(/^agent_/)])
    expect(told(await buy(of, key)), id).toBe('declined')
    // It was made by the first key, and is judged by what is decided about its agent.
    const approved = await approve(of, waiting.body.id)
    expect(told(approved), id).toBe('409 policy_denied')
    await app.post(`/v1/policies/${made.body.id}/archive`, undefined, { key: of.owner })
    const frozen = await control(of, 'freeze', id)
    expect(frozen.body.keys, id).toEqual(made.body.scope.api_key_ids)
    expect(told(await approve(of, waiting.body.id)), id).toBe('409 frozen')
    expect((await control(of, 'unfreeze', id)).body.keys).toEqual([])
  }
  expect(told(await approve(of, waiting.body.id))).toBe('approved')
})

function approve({ owner }: Owner, id: string): Promise<Answer> {
  return app.post(`/v1/purchase_intents/${id}/approve`, { approve: true }, { key: owner })
}

function control({ owner }: Owner, verb: string, id: string): Promise<Answer> {
  return app.post(`/v1/controls/${verb}`, { target: { type: 'key', id } }, { key: owner })
}

test('events name the agent, whichever of its keys acted, and an approval says that a person gave it', async () => {
  const of = await newOwner()
  const first = await buy(of, of.key)
  const second = await buy(of, await (changes['a roll'] ?? expect.fail())(of))
  for (const { body } of [first, second]) {
    const events = await app.get(`/v1/purchase_intents/${body.id}/events`, { key: of.owner })
    expect(events.body.data[0].actor).toEqual({ type: 'api_key', id: of.key.agentId })
  }
  const { body } = await approve(of, first.body.id)
  expect(body.approval.approved_by).toBe('person')
  const { data } = (await app.get(`/v1/purchase_intents/${first.body.id}/events`, { key: of.owner })).body
  const approval = data.find(({ type }: { type: string }) => type === 'purchase_intent.approved')
  expect(approval.actor).toEqual({ type: 'api_key', id: expect.stringMatching(/^agent_/) })
  expect(approval.actor.id).not.toBe(of.key.agentId)
})

test('an old secret ends at once, or with the overlap; the new one has the scopes of the old, not of its preset', async () => {
  const of = await newOwner()
  await app.sql(`update api_keys set scopes = array['profiles:read'] where id = $1`, [of.key.id])
  const rolled = await asOperator(of, (ctx) => rollKey(ctx, of.key.id, { overlapMs: day }))
  expect(rolled.key.scopes).toEqual(['profiles:read'])
  expect(rolled.key.expires_at).toBeNull()
  const [old] = await app.sql<{ hours: number; revoked_at: Date | null }>(
    'select extract(epoch from expires_at - now()) / 3600 as hours, revoked_at from api_keys where id = $1',
    [of.key.id],
  )
  expect(old?.revoked_at).toBeNull()
  expect(Math.round(Number(old?.hours))).toBe(24)
  await asOperator(of, (ctx) => rollKey(ctx, rolled.key.id))
  expect((await app.get('/v1/profiles', { key: rolled.token })).status).toBe(401)
  await expect(asOperator(of, (ctx) => rollKey(ctx, rolled.key.id))).rejects.toMatchObject({
    code: 'key_revoked',
  })
  await app.sql(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [of.key.id])
  await expect(asOperator(of, (ctx) => rollKey(ctx, of.key.id))).rejects.toMatchObject({
    code: 'key_expired',
  })
})

test('a key that ends earlier than the overlap keeps its end', async () => {
  const of = await newOwner()
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { key } = await asOperator(of, async (ctx) => issueKey(ctx, { ...agentKey, expiresAt }))
  const rolled = await asOperator(of, (ctx) => rollKey(ctx, key.id, { overlapMs: day }))
  expect(rolled.key.expires_at).toBe(expiresAt.toISOString())
  const [old] = await app.sql<{ expires_at: Date }>('select expires_at from api_keys where id = $1', [key.id])
  expect(old?.expires_at).toEqual(expiresAt)
})

test('a key is added to an agent of its account and mode, and of no more power unless that is said', async () => {
  const of = await newOwner()
  const add = (agentId: string, over: object = {}) =>
    asOperator(of, (ctx) => addKey(ctx, { ...agentKey, agentId, isForced: false, ...over }))
  const stranger = await newOwner()
  const inLive = await app.newKey(of.account, 'live', 'buyer_agent')
  for (const id of [stranger.key.agentId, stranger.key.id, inLive.agentId, 'agent_unknown'])
    await expect(add(id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(add(of.key.agentId, { preset: 'full' })).rejects.toMatchObject({
    code: 'scopes_exceed_agent',
    message: expect.stringContaining('purchase_intents:approve'),
  })
  const { key } = await add(of.key.agentId, { preset: 'full', isForced: true })
  expect(key).toMatchObject({ agent_id: of.key.agentId, preset: 'full' })
  // What the other keys may do counts while they live.
  await asOperator(of, (ctx) => revokeKey(ctx, key.id))
  await expect(add(of.key.agentId, { preset: 'full' })).rejects.toMatchObject({ code: 'scopes_exceed_agent' })
})

test('a roll while a purchase is being made lets it through under the limits of its agent, or not at all', async () => {
  const of = await newOwner()
  await policy(of, of.key.id, { ...unattended, limits: { per_transaction_max: 5000 } })
  let answered: Promise<Answer> | undefined
  const rolled = await asOperator(of, async (ctx) => {
    const made = await rollKey(ctx, of.key.id)
    answered = buy(of, of.key)
    await waitsOrAnswers(app, answered)
    return made
  })
  expect(told((await answered) ?? expect.fail())).toBe('401 unauthorized')
  expect(told(await buy(of, keyOf(rolled)))).toBe('queued')
})

test('a roll with overlap while a purchase is being approved or made changes nothing of either', async () => {
  const of = await newOwner()
  const waiting = await buy(of, of.key)
  await policy(of, of.key.id, {
    ...unattended,
    limits: { intervals: [{ interval: 'day', max_amount: 5000 }] },
  })
  const answers: Promise<Answer>[] = []
  await asOperator(of, async (ctx) => {
    await rollKey(ctx, of.key.id, { overlapMs: day })
    for (const ask of [() => buy(of, of.key), () => approve(of, waiting.body.id)]) {
      const answer = ask()
      answers.push(answer)
      await waitsOrAnswers(app, answer)
    }
  })
  expect((await Promise.all(answers)).map(told).sort()).toEqual(['approved', 'queued'])
  // Both were counted, so that the day has 10.00 left.
  expect(told(await buy(of, of.key))).toBe('declined')
})

test('a purchase that waited for a join of its agent buys nothing under the earlier permission', async () => {
  const of = await newOwner()
  const other = keyOf(await asOperator(of, async (ctx) => issueKey(ctx, agentKey)))
  await policy(of, of.key.id, { limits: { per_transaction_max: 1000 } })
  await policy(of, other.id, { ...unattended, limits: { per_transaction_max: 5000 } })
  let answered: Promise<Answer> | undefined
  await asOperator(of, async (ctx) => {
    await joinAgents(ctx, { from: other.id, into: of.key.id, mayWiden: true })
    answered = buy(of, other)
    await waitsOrAnswers(app, answered)
  })
  // Whose key it is may be remembered for a second; under lock it is compared.
  expect(['declined', 'awaiting_approval', '401 unauthorized']).toContain(
    told((await answered) ?? expect.fail()),
  )
  await expect.poll(async () => told(await buy(of, other))).toBe('declined')
})

test('a purchase right after a join is not made under the earlier permission of its agent', async () => {
  const of = await newOwner()
  const other = keyOf(await asOperator(of, async (ctx) => issueKey(ctx, agentKey)))
  const limits = { per_transaction_max: 5000 }
  await app.post('/v1/policies', { name: 'All', currency: 'EUR', ...unattended, limits }, { key: of.owner })
  await policy(of, other.id, { limits: { per_transaction_max: 1000 } })
  await policy(of, of.key.id, { limits: { per_transaction_max: 1000 } })
  // Whose key it is is known now, for a second.
  expect(told(await buy(of, other))).toBe('declined')
  await asOperator(of, (ctx) => joinAgents(ctx, { from: other.id, into: of.key.id, mayWiden: false }))
  expect(['401 unauthorized', 'declined']).toContain(told(await buy(of, other)))
  await expect.poll(async () => told(await buy(of, other))).toBe('declined')
})

test('a join that widens what one of two agents may do says so, and is made only when that is meant', async () => {
  const of = await newOwner()
  const other = keyOf(await asOperator(of, async (ctx) => issueKey(ctx, { ...agentKey, preset: 'full' })))
  const made = await policy(of, other.id, { ...unattended, limits: { per_transaction_max: 5000 } })
  const join = (mayWiden: boolean) =>
    asOperator(of, (ctx) => joinAgents(ctx, { from: other.agentId, into: of.key.id, mayWiden }))
  const refused = await join(false).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: 'join_widens',
    options: {
      extra: {
        widened: [
          { kind: 'policy', policy_id: made.body.id, agent_id: of.key.agentId },
          { kind: 'scopes', scopes: expect.arrayContaining(['policies:write']), agent_id: of.key.agentId },
        ],
      },
    },
  })
  expect(told(await buy(of, of.key))).toBe('awaiting_approval')
  expect(await join(true)).toMatchObject({
    agent_id: of.key.agentId,
    joined: other.agentId,
    key_ids: [other.id],
    policy_ids: [made.body.id],
    frozen: false,
  })
  expect(told(await buy(of, of.key))).toBe('queued')
  await expect(join(true)).rejects.toMatchObject({ code: 'agents_are_one' })
  const [moved] = await app.sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence desc',
    [other.id],
  )
  expect(moved?.type).toBe('api_key.joined')
})

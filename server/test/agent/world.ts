import { expect } from 'vitest'
import { revokeKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestAccount } from '../harness/app.ts'
import { type Buying, newTestBuyer } from '../harness/buying.ts'
import { person } from '../harness/person.ts'

/** An account of its own for one scenario: a person with a card, and the key of the person's agent. */
export type World = {
  buying: Buying
  account: TestAccount
  profileId: string
  agentKey: { id: string; agentId: string; token: string }
  /** What the person does, with the person's own key. */
  rest(path: string, body?: object): Promise<Record<string, unknown>>
  /** The purchase that the agent made last. */
  intentId(): Promise<string>
  decide(decision: { approve: boolean }): Promise<unknown>
}

export async function openWorld(
  buying: Buying,
  { card, buyer = person }: { card?: string; buyer?: object } = {},
): Promise<World> {
  const { app } = buying
  const account = await app.newAccount()
  const { profileId } = await newTestBuyer(app, card, account, buyer)
  const key = account.keys.secret_test
  const world: World = {
    buying,
    account,
    profileId,
    agentKey: await app.newKey(account, 'test', 'buyer_agent'),
    async rest(path, body = {}) {
      const { status, body: answer } = await app.post(path, body, { key })
      expect([path, status, JSON.stringify(answer)]).toEqual([
        path,
        expect.toBeOneOf([200, 201]),
        expect.anything(),
      ])
      return answer
    },
    async intentId() {
      const { body } = await app.get('/v1/purchase_intents?limit=1', { key })
      return body.data[0].purchase_intent_id
    },
    decide: async (decision) =>
      world.rest(`/v1/purchase_intents/${await world.intentId()}/approve`, decision),
  }
  return world
}

/** Purchases up to $30 go through unattended. */
export function allowSmall({ rest }: World, more: object = {}): Promise<unknown> {
  return rest('/v1/policies', {
    name: 'Small purchases',
    currency: 'USD',
    limits: { per_transaction_max: 3000 },
    approval: { mode: 'above_threshold', auto_approve_up_to: 3000 },
    ...more,
  })
}

export function addAddress({ rest, profileId }: World): Promise<unknown> {
  const [address] = person.addresses
  return rest(`/v1/profiles/${profileId}/addresses`, address)
}

export function revokeKeyOfAgent({ buying, account, agentKey }: World): Promise<unknown> {
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  return runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) =>
    revokeKey(ctx, agentKey.id),
  )
}

/** What the processor, which knows nothing of us, remembers of an account's purchases. */
export async function chargesOf({ buying, account }: World): Promise<number[]> {
  const { body } = await buying.app.get('/v1/purchase_intents?limit=200', { key: account.keys.secret_test })
  const ids: string[] = body.data.map((row: { purchase_intent_id: string }) => row.purchase_intent_id)
  const log = await buying.sandbox.processorLog()
  return log
    .filter(({ operation, result }) => operation === 'capture' && result === 'approved')
    .filter(({ reference }) => ids.some((id) => reference?.includes(id)))
    .map(({ amount }) => Number(amount))
}

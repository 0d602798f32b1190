import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../../../test/harness/buying.ts'
import {
  eventsOf,
  newChat,
  openHouseholdShop,
  openStream,
  partsOf,
  talk,
  textOf,
} from '../../../test/harness/chats.ts'
import type { Id } from '../../core/id.ts'
import { createReads } from '../../platform/calls/reads.ts'
import { runAs } from '../../platform/calls/run-as.ts'
import { issueBoundKey } from '../accounts/api-keys/public.ts'
import { actingIn } from './runner/acting.ts'

let buying: Buying
let profileId: string
beforeAll(async () => {
  buying = await startBuying()
  await openHouseholdShop(buying.app)
  profileId = (await buying.newBuyer()).profileId ?? ''
})
afterAll(() => buying.stop())

test('a chat of a key that may do everything does what an agent may do, and one of a reading key still less', async () => {
  const { app } = buying
  const chat = { id: (await newChat(app, profileId)) as Id<'chat'>, profile_id: profileId as Id<'prof'> }
  const scopesOf = async (preset: 'full' | 'read_only') => {
    const { id } = await app.newKey(app.account, 'test', preset)
    const tenant = { accountId: app.account.accountId, mode: 'test' } as const
    const whom = { tenant, chat, keyId: id as Id<'key'>, scopes: app.parts.scopeCatalog }
    const acting = await actingIn(createReads(app.parts.pools), whom)
    if (typeof acting === 'string') throw new Error(acting)
    return acting.scopes
  }
  const full = await scopesOf('full')
  expect([...full].sort()).toEqual([...app.parts.scopeCatalog.presets.buyer_agent].sort())
  expect(full.has('purchase_intents:approve')).toBe(false)
  const reading = await scopesOf('read_only')
  expect([...reading].filter((scope) => !scope.endsWith(':read'))).toEqual([])
})

test('what a policy forbids an agent, it does not get in a chat', async () => {
  const { app } = buying
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  const policy = {
    name: 'Nothing',
    currency: 'EUR',
    merchants: { allow: ['another-shop.example'] },
    scope: { api_key_ids: [agent.id] },
  }
  const made = await app.post('/v1/policies', policy)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const chat = await newChat(app, profileId, { key: agent.token })
  const denied = await talk(app, chat, 'buy olive soap', { key: agent.token })
  expect(partsOf(denied, 'purchase_intent')).toMatchObject([{ status: 'declined' }])
  // The same words of another key are for a person to approve.
  const other = await talk(app, await newChat(app, profileId), 'buy olive soap')
  expect(partsOf(other, 'purchase_intent')).toMatchObject([{ status: 'awaiting_approval' }])
})

test('an agent of one profile sees the chats of that profile alone', async () => {
  const { app } = buying
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const own = (await buying.newBuyer()).profileId ?? ''
  const by = { tenant, actor: { type: 'system', id: 'test' } } as const
  const { token: key } = await runAs(app.parts, by, (ctx) =>
    issueBoundKey(ctx, { kind: 'secret', name: 'bound', preset: 'buyer_agent', profileId: own }),
  )
  const [mine, others] = [await newChat(app, own, { key }), await newChat(app, profileId)]
  const said = { parts: [{ type: 'text', text: 'soap' }] }
  const { body: run } = await app.post(`/v1/chats/${others}/messages`, said)
  const refused = [
    await app.get(`/v1/chats/${others}`, { key }),
    await app.post(`/v1/chats/${others}/messages`, said, { key }),
    await app.post(`/v1/chats/${others}/runs/${run.run_id}/stop`, undefined, { key }),
    await app.post('/v1/chats', { profile_id: profileId }, { key }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await app.get('/v1/chats', { key })).body.data.map(({ id }: { id: string }) => id)).toEqual([mine])
  expect(textOf(await talk(app, mine, 'glass kettle', { key }))).toContain('Glass kettle')
})

test('nothing is bought above what somebody wants to pay', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'kettle')
  const refused = await talk(app, chat, 'buy the glass kettle for at most 20 euros')
  expect(partsOf(refused, 'purchase_intent')).toEqual([])
  expect(textOf(refused)).toContain('more than you want to spend')
  const other = await talk(app, chat, 'buy the glass kettle for at most 20 dollars')
  expect(partsOf(other, 'purchase_intent')).toEqual([])
  expect(textOf(other)).toContain('another currency')
})

test('a message has a length', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const part = { type: 'text', text: 'soap '.repeat(1000) }
  const path = `/v1/chats/${chat}/messages`
  expect((await app.post(path, { parts: [part, part] })).status).toBe(422)
  expect((await app.post(path, { parts: [] })).status).toBe(422)
  expect(
    (await app.post(path, { parts: [{ type: 'text', text: 'my card is 4242 4242 4242 4242' }] })).status,
  ).toBe(422)
})

test('a cursor whose events are deleted is told so, and the messages are still there', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'soap')
  await app.sql('delete from chat_events where chat_id = $1', [chat])
  const events = await eventsOf(await openStream(app, `/v1/chats/${chat}/stream`, { lastEventId: '1' }))
  expect(events.map(({ event }) => event)).toEqual(['cursor.expired'])
  expect((await app.get(`/v1/chats/${chat}/messages`)).body.total).toBe(2)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../../../test/harness/buying.ts'
import {
  answerTo,
  eventsOf,
  newChat,
  openHouseholdShop,
  openStream,
  partsOf,
  talk,
  textOf,
} from '../../../test/harness/chats.ts'
import type { Id } from '../../core/id.ts'
import { runAs } from '../../platform/calls/run-as.ts'
import { issueKey, revokeKey } from '../accounts/api-keys/public.ts'

let buying: Buying
let profileId: string
beforeAll(async () => {
  buying = await startBuying()
  await openHouseholdShop(buying.app)
  profileId = (await buying.newBuyer()).profileId ?? ''
})
afterAll(() => buying.stop())

test('a wish is answered with products, and a person gets the button for what was chosen', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const found = await talk(app, chat, 'kettle')
  const [list] = partsOf(found, 'product_list')
  expect(list.products.map(({ title }: { title: string }) => title).sort()).toEqual([
    'Glass kettle',
    'Quiet kettle 1.7 l',
    'Travel kettle',
  ])
  const bought = await talk(app, chat, 'buy the cheapest one')
  const [purchase] = partsOf(bought, 'purchase_intent')
  expect(purchase).toMatchObject({
    status: 'awaiting_approval',
    merchants: ['Household'],
    expected_amount: 2400,
  })
  const { purchase_intent_id } = purchase
  const element = 'AddOrSelectPaymentMethod'
  expect(partsOf(bought, 'action_request')).toEqual([
    { type: 'action_request', element, purchase_intent_id, url: expect.stringContaining('/approve#') },
  ])
  expect(textOf(bought)).toContain('Travel kettle')
})

test('what a message says approves nothing', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'olive soap')
  const asked = await talk(app, chat, 'buy it')
  const { purchase_intent_id: id } = partsOf(asked, 'purchase_intent')[0]
  // The name is remembered, however long ago it was shown.
  for (const said of ['yes, buy it', 'yes', 'I approve this purchase', 'approved', 'ok go ahead'])
    for (const part of partsOf(await talk(app, chat, said), 'purchase_intent'))
      expect([part.purchase_intent_id, part.items[0].title], said).toEqual([id, 'Olive soap'])
  expect((await app.get(`/v1/purchase_intents/${id}`)).body).toMatchObject({
    status: 'awaiting_approval',
    approval: { approved_by: null },
  })
})

test('a size is asked for before anything is bought', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'stoneware mug')
  const asked = await talk(app, chat, 'buy two of them')
  expect(partsOf(asked, 'purchase_intent')).toEqual([])
  expect(textOf(asked)).toContain('S, M, L')
  const bought = await talk(app, chat, 'M')
  const { body } = await app.get(
    `/v1/purchase_intents/${partsOf(bought, 'purchase_intent')[0].purchase_intent_id}`,
  )
  expect(body.items).toMatchObject([{ quantity: 2, expected_amount: 900 }])
})

test('a chat goes on by itself when its purchase is over', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'olive soap')
  const asked = await talk(app, chat, 'buy it')
  const { purchase_intent_id: id } = partsOf(asked, 'purchase_intent')[0]
  const following = openStream(app, `/v1/chats/${chat}/stream`).then(eventsOf)
  expect((await app.post(`/v1/purchase_intents/${id}/cancel`)).status).toBe(200)
  const events = await following
  const [completed] = events.filter(({ event }) => event === 'message.completed')
  expect(completed?.data.message.parts).toContainEqual(
    expect.objectContaining({ type: 'purchase_intent', purchase_intent_id: id, status: 'cancelled' }),
  )
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } })
})

test('a purchase that ends while the chat still speaks about it is not missed', async () => {
  const { app, faults } = buying
  const chat = await newChat(app, profileId)
  await talk(app, chat, 'olive soap')
  let pause = faults.pause('chat.thought')
  const { body: run } = await app.post(`/v1/chats/${chat}/messages`, {
    parts: [{ type: 'text', text: 'buy it' }],
  })
  const made = (): Promise<{ id: string }[]> =>
    buying.sql('select purchase_intent_id as id from chat_purchases where run_id = $1', [run.run_id])
  for (await pause.reached; (await made()).length === 0; await pause.reached) {
    const next = faults.pause('chat.thought')
    pause.resume()
    pause = next
  }
  const [purchase] = await made()
  expect((await app.post(`/v1/purchase_intents/${purchase?.id}/cancel`)).status).toBe(200)
  await buying.relayed()
  pause.resume()
  const statuses = async () => {
    const { body } = await app.get(`/v1/chats/${chat}/messages`)
    return body.data
      .flatMap((message: object) => partsOf(message, 'purchase_intent'))
      .map(({ status }: { status: string }) => status)
  }
  await expect.poll(statuses, { interval: 20 }).toEqual(['awaiting_approval', 'cancelled'])
})

test('posting answers at once, or with the events of the answer; a client that was away reads on where it was', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const path = `/v1/chats/${chat}/messages`
  const body = { parts: [{ type: 'text', text: 'glass kettle' }], client_message_id: 'm-1' }
  const events = await eventsOf(await openStream(app, path, { body }))
  const types = events.map(({ event }) => event)
  expect(types[0]).toBe('message.created')
  expect(types).toContain('part.completed')
  expect(types.slice(-2)).toEqual(['message.completed', 'done'])
  const positions = events.map(({ id }) => Number(id))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(new Set(positions).size).toBe(positions.length)
  // Posted again, it is the same turn: the same events.
  expect(await eventsOf(await openStream(app, path, { body }))).toEqual(events)
  const middle = events[3]
  const rest = await openStream(app, `/v1/chats/${chat}/stream`, { lastEventId: middle?.id ?? '' })
  expect(await eventsOf(rest)).toEqual(events.slice(4))
  expect((await openStream(app, `/v1/chats/${chat}/stream`)).status).toBe(204)
  const last = events.at(-1)?.id ?? ''
  expect((await openStream(app, `/v1/chats/${chat}/stream`, { lastEventId: last })).status).toBe(204)
})

test('the same message posted twenty times at once is one turn', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const body = { parts: [{ type: 'text', text: 'soap' }], client_message_id: 'once' }
  const posted = await Promise.all(
    Array.from({ length: 20 }, () => app.post(`/v1/chats/${chat}/messages`, body)),
  )
  expect(new Set(posted.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(posted.map((answer) => answer.body.run_id)).size).toBe(1)
  const keyed = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.post(
        `/v1/chats/${chat}/messages`,
        { parts: [{ type: 'text', text: 'mug' }] },
        {
          headers: { 'idempotency-key': 'the-key' },
        },
      ),
    ),
  )
  expect(new Set(keyed.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(keyed.map((answer) => answer.body.run_id)).size).toBe(1)
  await answerTo(app, keyed[0]?.body)
  const { body: messages } = await app.get(`/v1/chats/${chat}/messages`)
  expect(messages.data.map(({ role }: { role: string }) => role).sort()).toEqual([
    'assistant',
    'assistant',
    'user',
    'user',
  ])
})

test('a message waits its turn, at most three do, and a run is stopped by a call', async () => {
  const { app, faults } = buying
  const chat = await newChat(app, profileId)
  const pause = faults.pause('chat.call.before')
  const post = (text: string) => app.post(`/v1/chats/${chat}/messages`, { parts: [{ type: 'text', text }] })
  const first = await post('kettle')
  await pause.reached
  const waiting = [await post('mug'), await post('soap'), await post('glass kettle')]
  const refused = await post('one too many')
  expect([refused.status, refused.body.detail.scope]).toEqual([429, 'chat.messages'])
  const stopped = await app.post(`/v1/chats/${chat}/runs/${first.body.run_id}/stop`)
  expect(stopped.status).toBe(200)
  const skipped = await app.post(`/v1/chats/${chat}/runs/${waiting[1]?.body.run_id}/stop`)
  expect(skipped.body.status).toBe('stopped')
  pause.resume()
  expect((await answerTo(app, first.body)).status).toBe('stopped')
  expect(textOf(await answerTo(app, waiting[0]?.body))).toContain('Stoneware mug')
  expect(textOf(await answerTo(app, waiting[2]?.body))).toContain('Glass kettle')
  const { body } = await app.get(`/v1/chats/${chat}/messages`)
  expect(
    body.data.some(
      ({ run_id, role }: { run_id: string; role: string }) =>
        role === 'assistant' && run_id === waiting[1]?.body.run_id,
    ),
  ).toBe(false)
})

test('a run acts for the agent that wrote: both are named, and without its key nothing is done', async () => {
  const { app } = buying
  const { account, parts } = app
  const agent = await app.newKey(account, 'test', 'buyer_agent')
  const chat = await newChat(app, profileId, { key: agent.token })
  const bought = await talk(app, chat, 'buy olive soap', { key: agent.token })
  const { purchase_intent_id: id } = partsOf(bought, 'purchase_intent')[0]
  const { body: events } = await app.get(`/v1/purchase_intents/${id}/events`)
  expect(events.data[0].actor).toEqual({ type: 'chat', id: chat, for: agent.agentId })
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  const by = { tenant, actor: { type: 'system', id: 'test' } } as const
  await runAs(parts, by, (ctx) => revokeKey(ctx, agent.id as Id<'key'>))
  // The purchase that it waits for is over: the run ends with a word, and does nothing.
  expect((await app.post(`/v1/purchase_intents/${id}/cancel`)).status).toBe(200)
  await expect.poll(() => noticesIn(chat), { interval: 20 }).toEqual(['key_ended'])
})

test('while its agent is frozen, a run does nothing', async () => {
  const { app } = buying
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  const chat = await newChat(app, profileId, { key: agent.token })
  const target = { type: 'key', id: agent.id }
  expect((await app.post('/v1/controls/freeze', { target })).status).toBe(200)
  const frozen = await talk(app, chat, 'buy olive soap', { key: agent.token })
  expect(partsOf(frozen, 'tool_call')).toEqual([])
  expect(await noticesIn(chat)).toEqual(['frozen'])
  // Another agent of the account is not.
  expect(textOf(await talk(app, chat, 'glass kettle'))).toContain('Glass kettle')
})

test('what an agent could not do by itself, it cannot do in a chat: by its policies, its profile and its scopes', async () => {
  const { app } = buying
  const statuses = (message: object) => partsOf(message, 'purchase_intent').map(({ status }) => status)
  const limited = await app.newKey(app.account, 'test', 'buyer_agent')
  const own = (await buying.newBuyer()).profileId ?? ''
  const limit = {
    name: 'Little',
    currency: 'EUR',
    scope: { api_key_ids: [limited.id] },
    limits: { per_transaction_max: 1_000 },
  }
  expect((await app.post('/v1/policies', limit)).status).toBe(201)
  const chat = await newChat(app, own, { key: limited.token })
  await talk(app, chat, 'glass kettle', { key: limited.token })
  expect(statuses(await talk(app, chat, 'buy it', { key: limited.token }))).toEqual(['declined'])
  // The same words in the same chat, by somebody whom the policy does not name.
  expect(statuses(await talk(app, chat, 'buy the glass kettle'))).toEqual(['awaiting_approval'])
  const bound = await boundKey(own)
  const made = await app.post('/v1/chats', { profile_id: profileId }, { key: bound.token })
  expect(made.status).toBe(404)
  const others = await newChat(app, profileId)
  const said = { parts: [{ type: 'text', text: 'soap' }] }
  const key = { key: bound.token }
  expect((await app.post(`/v1/chats/${others}/messages`, said, key)).status).toBe(404)
  expect((await app.get(`/v1/chats/${others}/messages`, key)).status).toBe(404)
  const reader = await app.newKey(app.account, 'test', 'read_only')
  const refused = await app.post(`/v1/chats/${others}/messages`, said, { key: reader.token })
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'insufficient_scope'])
})

function boundKey(profile: string): Promise<{ token: string }> {
  const tenant = { accountId: buying.app.account.accountId, mode: 'test' } as const
  return runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
    issueKey(ctx, { kind: 'secret', name: 'Bound', preset: 'buyer_agent', profileId: profile as Id<'prof'> }),
  )
}

async function noticesIn(chat: string): Promise<string[]> {
  const { body } = await buying.app.get(`/v1/chats/${chat}/messages`)
  const notices = body.data.flatMap((message: object) => partsOf(message, 'notice'))
  return notices.map(({ code }: { code: string }) => code)
}

test('useChat of the AI SDK is answered in its own protocol', async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const path = `/v1/chats/${chat}/messages?format=ai-sdk`
  const message = { id: 'ui-1', role: 'user', parts: [{ type: 'text', text: 'glass kettle' }] }
  const body = { id: chat, messages: [message], trigger: 'submit-message', messageId: null }
  const response = await openStream(app, path, { body })
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  expect(response.headers.get('cache-control')).toContain('no-transform')
  const chunks = (await eventsOf(response)).map(({ data }) => data)
  expect(chunks[0]).toMatchObject({ type: 'start', messageId: expect.stringMatching(/^msg_/) })
  expect(chunks.map(({ type }) => type)).toContain('data-product_list')
  expect(chunks.slice(-2)).toEqual([{ type: 'finish' }, '[DONE]'])
  const again = await app.post(path, { ...body, trigger: 'regenerate-message' })
  expect(again.status).toBe(422)
  const carded = { ...message, id: 'ui-2', parts: [{ type: 'text', text: 'pay with 4242 4242 4242 4242' }] }
  expect((await app.post(path, { ...body, messages: [carded] })).status).toBe(422)
  expect((await openStream(app, `/v1/chats/${chat}/stream?format=ai-sdk`)).status).toBe(204)
})

test('a chat is listed by its last message, archived, exported, and ends with its profile', async () => {
  const { app } = buying
  const own = (await buying.newBuyer()).profileId ?? ''
  const [one, two] = [await newChat(app, own), await newChat(app, own)]
  await talk(app, one, 'a glass kettle, please')
  const listed = await app.get(`/v1/chats?profile_id=${own}`)
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([one, two])
  expect(listed.body.data[0]).toMatchObject({
    title: 'a glass kettle, please',
    message_count: 2,
    model: 'planner',
  })
  expect((await app.post(`/v1/chats/${one}/archive`)).body.status).toBe('archived')
  const late = await app.post(`/v1/chats/${one}/messages`, { parts: [{ type: 'text', text: 'soap' }] })
  expect([late.status, late.body.detail.code]).toEqual([409, 'chat_archived'])
  expect((await app.get(`/v1/chats/${one}/export`)).body).toMatchObject({
    object: 'chat_export',
    chat: { id: one },
    messages: [{ role: 'user' }, { role: 'assistant' }],
    is_complete: true,
  })
  const active = await app.get(`/v1/chats?profile_id=${own}&status=active`)
  expect(active.body.data.map(({ id }: { id: string }) => id)).toEqual([two])
  expect((await app.post(`/v1/profiles/${own}/archive`)).status).toBe(200)
  const refused = await app.post('/v1/chats', { profile_id: own })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'profile_not_active'])
  await expect.poll(async () => (await app.get(`/v1/chats/${one}`)).status, { interval: 20 }).toBe(404)
})

test("nothing of another account's chat is there", async () => {
  const { app } = buying
  const chat = await newChat(app, profileId)
  const { body: run } = await app.post(`/v1/chats/${chat}/messages`, {
    parts: [{ type: 'text', text: 'soap' }],
  })
  const key = app.stranger.keys.secret_test
  const said = { parts: [{ type: 'text', text: 'hello' }] }
  const answers = [
    await app.get(`/v1/chats/${chat}`, { key }),
    await app.get(`/v1/chats/${chat}/messages`, { key }),
    await app.get(`/v1/chats/${chat}/stream`, { key }),
    await app.get(`/v1/chats/${chat}/export`, { key }),
    await app.post(`/v1/chats/${chat}/messages`, said, { key }),
    await app.post(`/v1/chats/${chat}/runs/${run.run_id}/stop`, undefined, { key }),
    await app.post(`/v1/chats/${chat}/archive`, undefined, { key }),
    await app.post('/v1/chats', { profile_id: profileId }, { key }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
})

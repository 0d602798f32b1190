import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { type Buying, startBuying } from '../../../test/harness/buying.ts'
import {
  answerTo,
  expectStreamedAsKept,
  newChat,
  openHouseholdShop,
  openStream,
  partsOf,
  talk,
  textOf,
} from '../../../test/harness/chats.ts'
import { createAiSdkModel } from '../../models/ai-sdk-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../models/scripted-model.testing.ts'
import { createEgress, type StreamingEgress } from '../../platform/egress/egress.ts'
import { sentencesIn } from './planner/sentences/in-language.ts'
import type { ChatLimits, TokenPrices } from './public.ts'

let buying: Buying
let scripted: ScriptedModel
let egress: StreamingEgress
let profileId: string
let worker: { stop(): Promise<void> } | null = null

beforeAll(async () => {
  buying = await startBuying()
  scripted = await startScriptedModel()
  egress = createEgress({ allowLoopback: () => false, trustedOrigins: [scripted.origin] })
  await openHouseholdShop(buying.app)
  await buying.stopWorker()
  profileId = (await buying.newBuyer()).profileId ?? ''
})
afterEach(async () => {
  await worker?.stop()
  worker = null
})
afterAll(async () => {
  await buying.stop()
  await egress.close()
  await scripted.stop()
})

type Given = { callMs?: number; idleMs?: number; limits?: Partial<ChatLimits>; prices?: TokenPrices | null }

/** A worker whose chats are answered by a model that behaves so; its address is that of no behavior, so that it can change. */
async function answerBy(
  behavior: string,
  { callMs = 60_000, idleMs = 60_000, limits = {}, prices = null }: Given = {},
): Promise<void> {
  await worker?.stop()
  await scripted.behave(behavior)
  const model = createAiSdkModel(
    { provider: 'openai-compatible', model: 'scripted', url: `${scripted.origin}/v1`, key: null },
    { egress, callMs, idleMs },
  )
  worker = buying.startWorker({ chatModel: { model, prices, limits } })
}

const plainAnswer = 'Here is what I found.'

/** After whatever a model has done, the same chat goes on. */
async function expectUsable(chat: string): Promise<void> {
  await scripted.behave('plain')
  const next = await talk(buying.app, chat, 'glass kettle')
  expect([next.status, textOf(next)]).toEqual(['completed', expect.stringContaining(plainAnswer)])
  const { body } = await buying.app.get(`/v1/chats/${chat}`)
  expect(body.model).toBe('openai-compatible/scripted')
  await expectStreamedAsKept(buying.app, chat)
}

const post = (chat: string, text: string) =>
  buying.app.post(`/v1/chats/${chat}/messages`, { parts: [{ type: 'text', text }] })

async function runOf(id: string): Promise<unknown> {
  const [run] = await buying.sql('select status, ended_because from chat_runs where id = $1', [id])
  return run
}

test.each([
  ['down', 'model_unavailable', {}],
  ['slow', 'model_unavailable', { idleMs: 400 }],
  ['drips', 'model_unavailable', { callMs: 1_500 }],
  ['floods', 'model_unreadable', {}],
  ['broken', 'model_unreadable', {}],
  ['cut', 'model_unreadable', {}],
  ['huge', 'model_unreadable', {}],
  ['refuses', 'model_unavailable', {}],
  ['busy', 'model_overloaded', {}],
  ['whole', 'model_unreadable', {}],
  ['toolless', 'model_unavailable', {}],
  ['loops', 'too_many_steps', {}],
  ['invalid', 'too_many_steps', {}],
  ['invents', 'too_many_steps', {}],
] as const)(
  'a model that is "%s" ends in the notice %s, and the chat goes on',
  async (behavior, code, given) => {
    const { app } = buying
    await answerBy(behavior, given)
    const chat = await newChat(app, profileId)
    const answer = await talk(app, chat, 'a kettle, please')
    expect([answer.status, partsOf(answer, 'notice')]).toEqual([
      'failed',
      [{ type: 'notice', code, text: expect.stringMatching(/^(The language model|I stop here)/) }],
    ])
    expect(await runOf(answer.run_id)).toEqual({ status: 'failed', ended_because: code })
    expect(await buying.sql('select id from purchase_intents')).toEqual([])
    await expectUsable(chat)
    expect(buying.complaints()).toEqual([])
  },
)

test('429 once is waited for, and what follows is an answer', async () => {
  await answerBy('overloaded')
  const chat = await newChat(buying.app, profileId)
  const answer = await talk(buying.app, chat, 'a kettle that is asked for twice')
  expect([answer.status, textOf(answer)]).toEqual(['completed', expect.stringContaining(plainAnswer)])
  await expectUsable(chat)
})

test('calls of tools and ids that are not there are answered with what is wrong with them', async () => {
  await answerBy('invents')
  const chat = await newChat(buying.app, profileId)
  const answer = await talk(buying.app, chat, 'buy a kettle')
  const results = partsOf(answer, 'tool_result')
  expect(new Set(results.map(({ name }) => name))).toContain('v1_approve_purchase_intent')
  expect(results.filter(({ is_error }) => !is_error)).toEqual([])
  expect(await buying.sql('select id from purchase_intents')).toEqual([])
})

test.each([
  ['too_many_tokens', { tokensPerRun: 1 }],
  ['tokens_of_day_used', { tokensPerDay: 1 }],
  ['cost_of_day_used', { costPerDay: 1 }],
] as const)('a model whose tokens are used up ends in the sentence of %s', async (code, limits) => {
  await answerBy('plain', { limits, prices: { input: 1n, output: 1n } })
  const chat = await newChat(buying.app, profileId)
  const asked = (await scripted.asked()).length
  const answer = await talk(buying.app, chat, 'a kettle, please')
  expect([answer.status, partsOf(answer, 'notice')]).toEqual([
    'failed',
    [{ type: 'notice', code, text: sentencesIn('en').notices[code] }],
  ])
  expect((await scripted.asked()).length - asked).toBeLessThanOrEqual(1)
  const { body } = await buying.app.get(`/v1/chats/${chat}`)
  // What it used is counted, also where the day was used up before it began.
  expect(body.usage.tokens > 0).toBe(partsOf(answer, 'tool_call').length > 0)
  await answerBy('plain')
  await expectUsable(chat)
})

test('what a model says comes while it speaks, and a stop ends it in two seconds', async () => {
  const { app } = buying
  await answerBy('slow')
  await scripted.script([{ when: 'five', say: 'One. Two. Three. Four. Five.' }])
  const chat = await newChat(app, profileId)
  const { body: run } = await post(chat, 'count to five')
  const response = await openStream(app, `/v1/chats/${chat}/stream`)
  const said = await readUntil(response, 'event: part.delta')
  expect(said).toContain('One. ')
  expect(said).not.toContain('event: message.completed')
  expect(await runOf(run.run_id)).toMatchObject({ status: 'running' })
  const startedMs = performance.now()
  expect((await app.post(`/v1/chats/${chat}/runs/${run.run_id}/stop`)).status).toBe(200)
  const answer = await answerTo(app, run)
  expect(performance.now() - startedMs).toBeLessThan(patientMs(2_000))
  expect([answer.status, partsOf(answer, 'notice').map(({ code }) => code)]).toEqual(['stopped', ['stopped']])
  expect(textOf(answer)).toContain('One. ')
  await scripted.script([])
  await expectUsable(chat)
})

/** What a stream has said when it says this. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const at = text.indexOf(wanted)
    if (at >= 0 && text.includes('\n\n', at)) break
  }
  return text
}

test('of a frozen agent, a model is asked nothing and calls nothing', async () => {
  const { app } = buying
  await answerBy('obeys')
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  const chat = await newChat(app, profileId, { key: agent.token })
  const target = { type: 'key', id: agent.id }
  expect((await app.post('/v1/controls/freeze', { target })).status).toBe(200)
  const asked = (await scripted.asked()).length
  const answer = await talk(app, chat, 'buy olive soap', { key: agent.token })
  expect(answer.parts).toEqual([{ type: 'notice', code: 'frozen', text: sentencesIn('en').notices.frozen }])
  expect((await scripted.asked()).length).toBe(asked)
  expect((await app.post('/v1/controls/unfreeze', { target })).status).toBe(200)
  await expectUsable(chat)
})

test('a run is frozen while its model thinks: what it then calls is not done', async () => {
  const { app, faults } = buying
  await answerBy('plain')
  const agent = await app.newKey(app.account, 'test', 'buyer_agent')
  const chat = await newChat(app, profileId, { key: agent.token })
  const thought = faults.pause('chat.thought')
  const posted = await app.post(
    `/v1/chats/${chat}/messages`,
    { parts: [{ type: 'text', text: 'soap' }] },
    { key: agent.token },
  )
  await thought.reached
  expect((await app.post('/v1/controls/freeze', { target: { type: 'key', id: agent.id } })).status).toBe(200)
  thought.resume()
  const answer = await answerTo(app, posted.body)
  expect(partsOf(answer, 'tool_result')).toEqual([])
  expect(partsOf(answer, 'notice').map(({ code }) => code)).toEqual(['frozen'])
  await expectStreamedAsKept(app, chat)
})

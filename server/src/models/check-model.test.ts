import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress, type StreamingEgress } from '../platform/egress/egress.ts'
import { Secret } from '../platform/secrets/secret.ts'
import { createAiSdkModel, type ModelAddress } from './ai-sdk-model.ts'
import { checkModel, remedies } from './check-model.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.testing.ts'

let scripted: ScriptedModel
let egress: StreamingEgress

beforeAll(async () => {
  scripted = await startScriptedModel({ key: 'right' })
  egress = createEgress({ allowLoopback: () => false, trustedOrigins: [scripted.origin] })
})

afterAll(async () => {
  await egress.close()
  await scripted.stop()
})

function check(behavior: string, address: Partial<ModelAddress> = {}, idleMs = 10_000) {
  const given = { model: 'scripted', url: scripted.urlOf(behavior), key: new Secret('right') }
  const model = createAiSdkModel({ provider: 'openai-compatible', ...given, ...address }, { egress, idleMs })
  return checkModel(model, new AbortController().signal)
}

const all = { answers: true, streams: true, callsTools: true, trouble: null, status: null }
const none = { answers: false, streams: false, callsTools: false }

test.each(['openai-compatible', 'anthropic'] as const)('%s: one that can do all of it', async (provider) => {
  expect(await check('plain', { provider })).toEqual(all)
})

test.each(['talks', 'toolless', 'invalid'])('one that calls no tools: %s', async (behavior) => {
  const result = await check(behavior)
  expect(result).toMatchObject({ answers: true, streams: true, callsTools: false, trouble: 'no_tool_calls' })
})

test('one that does not stream answers all the same', async () => {
  expect(await check('whole')).toMatchObject({ ...none, answers: true, trouble: 'not_streamed' })
})

test.each([
  ['refused_key', () => check('plain', { key: new Secret('wrong') })],
  ['unknown_model', () => check('plain', { model: 'gpt-9' })],
  ['unknown_model', () => check('nothing')],
  ['unreachable', () => check('down')],
  ['slow', () => check('slow', {}, 1_500)],
  ['invalid', () => check('broken')],
] as const)('one that gives no answer: %s', async (trouble, checked) => {
  expect(await checked()).toMatchObject({ ...none, trouble })
  expect(remedies[trouble]).toMatch(/^It.*\. (?:Check|Try|Use|Choose) /)
})

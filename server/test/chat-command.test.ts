import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../src/models/scripted-model.testing.ts'
import { prokura } from './harness/command-runner.ts'
import { makeFolder } from './harness/service-calls.ts'
import { serviceEnvironment } from './harness/up.ts'

let model: ScriptedModel
let folder: string
let remove: () => Promise<void>

beforeAll(async () => {
  ;({ folder, remove } = await makeFolder())
  model = await startScriptedModel({ key: 'canary-of-the-key' })
  await writeFile(join(folder, 'right.key'), 'canary-of-the-key\n')
  await writeFile(join(folder, 'wrong.key'), 'canary-of-another\n')
})

afterAll(async () => {
  await model?.stop()
  await remove?.()
})

function check(behavior: string, key: string, ...args: string[]) {
  return prokura(['chat', 'model', 'check', ...args], {
    ...serviceEnvironment(),
    PROKURA_CHAT_MODEL: 'openai-compatible/scripted',
    PROKURA_CHAT_URL: model.urlOf(behavior),
    PROKURA_CHAT_KEY_FILE: join(folder, key),
  })
}

test('a model that can lead chats is said to in one line', async () => {
  const { code, out } = await check('plain', 'right.key')
  expect([code, out]).toEqual([0, 'openai-compatible/scripted answers, streams and calls tools.\n'])
  const asked = await check('plain', 'right.key', '--json')
  expect(JSON.parse(asked.out)).toEqual({
    model: 'openai-compatible/scripted',
    answers: true,
    streams: true,
    calls_tools: true,
    trouble: null,
    status: null,
    remedy: null,
  })
})

test('for one that cannot, the line says what to do, and no key', async () => {
  const talks = await check('talks', 'right.key')
  expect([talks.code, talks.out]).toEqual([
    1,
    'openai-compatible/scripted answers and streams, and no more. It calls no tools, without which a chat can buy nothing. Choose a model that does.\n',
  ])
  const refused = await check('plain', 'wrong.key')
  expect([refused.code, refused.out]).toEqual([
    1,
    'openai-compatible/scripted gives no answer (status 401). It refuses the key. Check the file that PROKURA_CHAT_KEY_FILE names.\n',
  ])
  expect(refused.out + refused.err).not.toContain('canary')
  const missing = await check('plain', 'no.key')
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('which cannot be read')])
})

test('without a model, chats are led by rules', async () => {
  const { code, out } = await prokura(['chat', 'model', 'check'])
  expect([code, out]).toEqual([0, expect.stringContaining('led by rules')])
})

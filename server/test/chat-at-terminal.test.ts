import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasTerminal, typed } from './harness/at-terminal.ts'
import { mainProgram } from './harness/built-program.ts'
import { prokura } from './harness/command-runner.ts'
import { makeFolder, runForJson } from './harness/service-calls.ts'
import { prokuraAlone, type Service, serviceEnvironment, startService } from './harness/up.ts'

/** As a terminal is told it: below the cursor, nothing stands. */
const prompt = /J> /g

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON whose form the test looks at
type Line = any

let state: string
let service: Service
let remove: () => Promise<void>
/** Runs of chats pause before what they call, as long as this file is not there. */
let going: string

beforeAll(async () => {
  let folder: string
  ;({ folder, state, remove } = await makeFolder())
  going = join(folder, 'going')
  writeFileSync(going, '')
  const pausing = { PROKURA_FAULTS: 'on', PROKURA_PAUSE_AT: 'chat.call.before', PROKURA_PAUSE_FILE: going }
  service = await startService({ state, args: ['--port', '0'], env: { ...serviceEnvironment(), ...pausing } })
})
afterAll(async () => {
  await service?.stop()
  await remove()
})

test('a wish is answered with numbered products, and a purchase with the link on which a person approves', async () => {
  const found = await say('a steel mug', '--new')
  expect(found.out).toMatch(/^ +1\. .*steel mug {2}\S/m)
  expect(found.out).toMatch(/^ +2\. .*steel mug {2}\S/m)
  expect(found.out).toMatch(/ · Color: Black, White/)
  // Without a name, the newest chat goes on.
  const asked = await say('buy the first one')
  expect(asked.out).toContain('Which Color')
  const bought = await say('black')
  expect(bought.out).toMatch(/^ {2}buy +1 × .*steel mug$/m)
  expect(bought.out).toMatch(/^ {2}from +\S+/m)
  expect(bought.out).toMatch(/^ {2}at most +\S+, delivery and tax included$/m)
  expect(bought.out).toMatch(/^ {2}delivery +shipped to Ada Lovelace, 1 Analytical Way/m)
  expect(bought.out).toMatch(/^http:\/\/elements\.localhost:\d+\/elements\/v1\/approve#pr_al_test_\w+$/m)
  const [id] = /\bpi_[0-9a-z]{26}\b/.exec(bought.out) ?? []
  const { purchase_intent } = await runForJson(state, ['purchases', 'show', String(id)])
  expect(purchase_intent.status).toBe('awaiting_approval')
})

test('each line of the standard input is a message, and each event a line of JSON', async () => {
  const talk = open('--json', '--new')
  talk.child.stdin.end('a steel mug\n\nbuy the first one\nblack\n')
  const { code, out, err } = await talk.ended
  expect([code, err]).toEqual([0, ''])
  const [{ chat }, ...events]: Line[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(chat).toMatchObject({ object: 'chat', message_count: 0 })
  expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1))
  expect(events.flatMap(({ event, data }) => (event === 'done' ? [data.status] : []))).toEqual([
    'completed',
    'completed',
    'waiting',
  ])
  const parts = events.flatMap(({ event, data }) => (event === 'part.completed' ? [data.part] : []))
  expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining(['product_list', 'purchase_intent']))
  expect(parts.find(({ type }) => type === 'action_request').url).toContain('/approve#')
})

test('Ctrl-C stops an answer by a call, and what was said stays', async () => {
  rmSync(going)
  const talk = open('--json', '--new', '--message', 'a steel mug')
  await talk.says('"tool_call"')
  talk.child.kill('SIGINT')
  await talk.says('Stopping the answer')
  writeFileSync(going, '')
  const { code, out } = await talk.ended
  const [{ chat }, ...events]: Line[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, events.at(-1).data.status]).toEqual([1, 'stopped'])
  expect(out).not.toContain('"tool_result"')
  const later = await say('thanks', '--chat', chat.id)
  expect(later.code).toBe(0)
})

test('what cannot be talked in says in one sentence what to do', async () => {
  await say('thanks', '--new')
  const { data } = (await prokuraJson('/v1/chats')) as Line
  await prokuraJson(`/v1/chats/${data[0].id}/archive`, 'POST')
  const archived = await say('a mug', '--chat', data[0].id)
  expect([archived.code, archived.err]).toEqual([
    1,
    `prokura: ${data[0].id} is archived. Begin another one with \`prokura chat --new --state ${state}\`.\n`,
  ])
  const unknown = await say('a mug', '--chat', `chat_${'0'.repeat(26)}`)
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringMatching(/^prokura: The service refused this \(404\)/),
  ])
  const nowhere = await prokura(['chat', '--message', 'a mug', '--state', `${state}-that-is-not`])
  expect([nowhere.code, nowhere.err]).toEqual([
    1,
    expect.stringContaining('Start the service with `npm start`'),
  ])
  expect((await say(' ')).err).toContain('Say in it what you look for')
})

test('the demo has a conversation that ends where a person approves, and where no person is, it ends itself', async () => {
  const { code, out } = await prokuraAlone(['demo', '--chat', '--json'])
  const lines: Line[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  const parts = lines.flatMap(({ event, data }) => (event === 'part.completed' ? [data.part] : []))
  expect(parts.find(({ type }) => type === 'product_list').products.length).toBeGreaterThan(1)
  expect(parts.find(({ type }) => type === 'action_request').url).toContain('/approve#')
  expect(lines.findLast(({ event }) => event === 'done').data.status).toBe('waiting')
  expect(lines.at(-2)).toEqual({ chat_url: expect.stringMatching(/^http:\/\/localhost:\d+\/chat$/) })
})

describe.runIf(hasTerminal)('at a terminal', () => {
  test('a purchase that is approved elsewhere is told while the prompt waits', async () => {
    const before = await idsOfPurchases()
    const seen = typed(`./prokura chat --new --state ${state}`, {
      env: serviceEnvironment(),
      question: prompt,
      answers: ['a steel mug', 'buy the first one', 'black'],
      interruptions: ['was charged', 'again leaves'],
    })
    const bought = async () => (await idsOfPurchases()).find((id) => !before.includes(id)) ?? ''
    await expect.poll(bought).not.toBe('')
    await runForJson(state, ['purchases', 'approve', await bought(), '--yes'])
    const { code, out } = await seen
    expect(out).toContain('Approve it here.')
    expect(out).toMatch(/^ {2}purchase +succeeded/m)
    expect(out).toContain('is bought.')
    expect(code).toBe(0)
  })

  test('Ctrl-C stops an answer, and a second one leaves', async () => {
    rmSync(going)
    const { code, out } = await typed(`./prokura chat --new --state ${state}`, {
      env: serviceEnvironment(),
      question: prompt,
      answers: ['a steel mug'],
      interruptions: ['search catalog', 'Stopping the answer'],
    })
    writeFileSync(going, '')
    expect([code, out]).toEqual([1, expect.not.stringContaining('Which one')])
    await expect
      .poll(async () => {
        const { data } = (await prokuraJson('/v1/chats?limit=1')) as Line
        return data[0].last_message_preview
      })
      .toMatch(/[Ss]topped/)
  })
})

function say(text: string, ...args: string[]) {
  return prokura(['chat', '--message', text, ...args, '--state', state])
}

/** A process that talks. */
function open(...args: string[]) {
  const child = spawn(process.execPath, [mainProgram, 'chat', ...args, '--state', state], {
    env: serviceEnvironment(),
    stdio: 'pipe',
  })
  const said = { out: '', err: '' }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  return {
    child,
    says: (text: string) => expect.poll(() => said.out + said.err).toContain(text),
    ended: once(child, 'close').then(([code]) => ({ code: Number(code), ...said })),
  }
}

async function idsOfPurchases(): Promise<string[]> {
  const { data } = await runForJson(state, ['purchases', 'list'])
  return data.map(({ purchase_intent_id }: { purchase_intent_id: string }) => purchase_intent_id)
}

async function prokuraJson(path: string, method = 'GET'): Promise<unknown> {
  const { base_url, keys } = service.ready
  const headers = { authorization: `Bearer ${keys.secret_test}` }
  return (await fetch(`${base_url}${path}`, { method, headers })).json()
}

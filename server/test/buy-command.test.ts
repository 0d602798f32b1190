import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { person } from './harness/person.ts'
import { callService, makeFolder } from './harness/service-calls.ts'
import { mainProgram, prokura, type Service, serviceEnvironment, startService } from './harness/up.ts'

const kettle = 'https://ucp.shop.test/products/kettle'

let folder: string
let state: string
let service: Service
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ folder, state, remove } = await makeFolder())
  service = await startService({ state, args: ['--port', '0'] })
})
afterAll(async () => {
  await service?.stop()
  await remove()
})

type Line = {
  purchase_intent?: { id: string; status: string; max_allowed_amount: number }
  event?: { type: string; sequence: number }
  result?: Record<string, unknown>
}

const run = (args: readonly string[], env = serviceEnvironment()) =>
  prokura(['buy', ...args, '--state', state], env)

/** With --json and --yes: its lines, as a program reads them. */
async function buy(...args: string[]) {
  const { code, out, err } = await run([...args, '--yes', '--json'])
  const lines: Line[] = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return {
    code,
    err,
    out,
    intent: lines[0]?.purchase_intent,
    events: lines.flatMap(({ event }) => event ?? []),
    result: lines.at(-1)?.result,
  }
}

/** What the shop itself has charged and sold so far. */
async function testimony(): Promise<string[]> {
  const response = await fetch(`${service.ready.sandbox.strangers_url}/ucp/log`)
  const log: { kind: string; result: string; amount: number | null }[] = JSON.parse(await response.text())
  return log
    .filter(({ kind }) => kind === 'charge' || kind === 'order')
    .map(({ kind, result, amount }) => `${kind} ${result} ${amount}`)
}

/** One kettle: 25.00, 5.00 for the parcel, and tax. */
const kettleSold = ['order opened 3240', 'charge authorized 3240', 'charge captured 3240']

const call = (method: string, path: string, body?: unknown) => callService(service, { method, path, body })

test('a kettle is bought for a person that is made up, with each event in order, and the shop has one order and one charge', async () => {
  const before = await testimony()
  const { code, err, intent, events, result, out } = await buy(kettle, '--max', '40.00 USD')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/^There was no profile, so Ada Lovelace was made up .*prof_\w+\.\n$/),
  })
  expect(intent).toMatchObject({ status: 'awaiting_approval', max_allowed_amount: 4000 })
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  const types = events.map(({ type }) => type)
  expect(types).toEqual(
    expect.arrayContaining(['purchase_intent.created', 'purchase_intent.approved', 'cart.succeeded']),
  )
  expect(types.at(-1)).toBe('purchase_intent.succeeded')
  expect(result).toMatchObject({
    purchase_intent_id: intent?.id,
    status: 'succeeded',
    summary: 'Bought 1 item from shop.test: $32.40 charged.',
    actual_amount: 3240,
    channel: 'ucp',
    order_id: expect.any(String),
  })
  expect((await testimony()).slice(before.length)).toEqual(kettleSold)
  expect(out).not.toMatch(/pr_[sp]k_/)
})

test('people read the same as lines, and the only profile is bought for', async () => {
  const profiles = (await call('GET', '/v1/profiles')).body.total
  const { code, out, err } = await run([kettle, '--max', '90', '--quantity', '2', '--yes', '--watch'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.trim().split('\n')
  expect(lines[0]).toBe('It costs at most $90.00, in all.')
  expect(lines.filter((line) => /^ +\d+\.\d s {2}cart\.succeeded {2}cart_/.test(line))).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/^Bought 2 items from shop\.test: \$59\.40 charged\.$/)
  expect((await call('GET', '/v1/profiles')).body.total).toBe(profiles)
})

test('what costs more than its cap is not bought, and the exit code says so', async () => {
  const before = await testimony()
  const { code, result, err } = await buy(kettle, '--max', '20.00')
  expect(code).toBe(1)
  expect(result?.status ?? err).toMatch(/failed|waits for that \(reapprove_price\)/)
  expect((await testimony()).slice(before.length).filter((line) => line.startsWith('charge'))).toEqual([])
})

describe('what cannot be begun ends with a sentence that says what to do, and nothing is bought', () => {
  test.each([
    [['ftp://shop.example/mug', '--max', '1'], 'It must be the https address of a product page'],
    [[kettle, '--max', 'cheap', '--yes'], 'Write an amount such as 12.50'],
    [[kettle, '--max', '1', '--quantity', '0'], 'It must be a whole number from 1 to 10000'],
    [[kettle, '--max', '1', '--variant', 'Size'], 'such as Size=M'],
    [[kettle, '--yes'], 'Say with --max what it may cost at most'],
    [[kettle, '--max', '1 EUR', '--price', '1 USD', '--yes'], 'Name both in one currency'],
    [[kettle, '--max', '40'], 'A person must approve this, and nobody can be asked here. Add --yes'],
    [[kettle, '--max', '40', '--json'], 'A person must approve this'],
    [[kettle, '--max', '40', '--yes', '--profile', 'prof_nobody'], 'refused this (404)'],
    [['--max', '40'], "missing required argument 'url'"],
  ] as const)('%j', async (args, words) => {
    const { total } = (await call('GET', '/v1/purchase_intents')).body
    const { code, out, err } = await run(args)
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(words) })
    expect(err).not.toMatch(/^ {4}at /m)
    expect((await call('GET', '/v1/purchase_intents')).body.total).toBe(total)
  })

  test('where no service was started, and where none answers', async () => {
    const args = ['buy', kettle, '--max', '1', '--yes']
    const nowhere = await prokura([...args, '--state', join(folder, 'nowhere')])
    expect(nowhere).toMatchObject({ code: 1, out: '', err: expect.stringContaining('npm start') })
    const wrongKey = await run([kettle, '--max', '1', '--yes'], {
      ...serviceEnvironment(),
      PROKURA_API_KEY: 'pr_sk_test_wrong',
    })
    expect(wrongKey).toMatchObject({ code: 1, out: '', err: expect.stringContaining('refused this (401)') })
  })
})

describe.runIf(process.platform === 'linux' && existsSync('/usr/bin/script'))('on a terminal', () => {
  test.each([
    ['yes', 0, 'Bought 1 item from shop.test: $32.40 charged.'],
    ['no', 1, 'declined'],
    ['', 1, 'declined'],
  ])('the answer %j decides', async (answer, code, words) => {
    const before = await testimony()
    const said = await answered(answer)
    expect(said).toMatchObject({
      code,
      out: expect.stringContaining('Buy it, for at most $40.00? Type yes:'),
    })
    expect(said.out).toContain(words)
    expect((await testimony()).slice(before.length)).toEqual(code === 0 ? kettleSold : [])
  })
})

test('of several profiles one must be named, and that one is bought for', async () => {
  const { id } = (await call('POST', '/v1/profiles', person)).body
  const { code, err } = await buy(kettle, '--max', '40')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('name one with --profile') })
  expect(err).toContain(id)
  const others = await call('GET', '/v1/profiles')
  const other = others.body.data.find((one: { id: string }) => one.id !== id)
  const named = await buy(kettle, '--max', '40', '--profile', other.id)
  expect([named.code, named.result?.status]).toEqual([0, 'succeeded'])
})

/** The command on a terminal of its own, where a person answers its question. */
async function answered(answer: string): Promise<{ code: number | null; out: string }> {
  const command = [process.execPath, mainProgram, 'buy', kettle, '--max', '40', '--state', state]
  const child = spawn(
    '/usr/bin/script',
    ['-qefc', command.map((part) => `'${part}'`).join(' '), '/dev/null'],
    {
      env: serviceEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!out.includes('Type yes:') && (out + text).includes('Type yes:')) child.stdin.write(`${answer}\r`)
    out += text
  })
  const [code] = await once(child, 'close')
  return { code, out }
}

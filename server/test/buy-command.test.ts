import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasTerminal, typed } from './harness/at-terminal.ts'
import { prokura } from './harness/command-runner.ts'
import { person } from './harness/person.ts'
import { callService, makeFolder } from './harness/service-calls.ts'
import { type Service, serviceEnvironment, startService } from './harness/up.ts'

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

const boughtOne = /Bought 1 item from (ucp\.)?shop\.test: \$32\.40 charged\./

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
    summary: expect.stringMatching(boughtOne),
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
  expect(lines.slice(0, 7).map((line) => line.trim().replace(/ {2,}/, ': '))).toEqual([
    'buy: 2 × Kettle',
    `from: ucp.shop.test, ${kettle}`,
    'one unit: $25.00',
    'to: Ada Lovelace, 1 Analytical Way, Portland, OR 97201, US',
    expect.stringMatching(/^paid with: Visa •••• 4242 \(01\/2030\), Demo card$/),
    'total now: $59.40, with delivery and tax',
    'at most: $90.00, in all',
  ])
  expect(lines.filter((line) => /^ +\d+\.\d s {2}cart\.succeeded {2}cart_/.test(line))).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/^Bought 2 items from (ucp\.)?shop\.test: \$59\.40 charged\.$/)
  expect((await call('GET', '/v1/profiles')).body.total).toBe(profiles)
})

test('what costs more than its cap is not begun, and the refusal has both amounts', async () => {
  const before = await allPurchases()
  const { code, out, err } = await buy(kettle, '--max', '20.00')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(
    'The total $32.40 is above the most that may be charged, $20.00. Allow more with --max.',
  )
  expect(await allPurchases()).toEqual(before)
})

test('what no shop hears of is told to be a simulation, with what decides its price', async () => {
  const mug = 'https://shop.example/mug'
  const dear = await run([mug, '--max', '40', '--yes'])
  expect(dear).toMatchObject({ code: 1, out: '' })
  expect(dear.err).toContain(
    'The total $48.20 is above the most that may be charged, $40.00. This is a simulation',
  )
  expect(dear.err).toContain('say with --price what it should cost')
  const priced = await run([mug, '--max', '40', '--price', '30', '--yes'])
  expect(priced.code).toBe(0)
  expect(priced.out).toContain('This is a simulation: test mode does not contact shop.example')
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

describe.runIf(hasTerminal)('on a terminal', () => {
  test.each([
    ['y', 0],
    ['YES', 0],
    ['yep', 1],
    ['\u0003', 1],
    ['\u0004', 1],
  ])('the answer %j decides, and a no leaves nothing behind', async (answer, code) => {
    const [before, purchases] = [await testimony(), await allPurchases()]
    const said = await answered([kettle, '--max', '40'], [answer])
    expect(said.out).toContain('Buy it, for at most $40.00? Type y or yes; anything else is a no:')
    expect(said.out.indexOf('1 × Kettle')).toBeLessThan(said.out.indexOf('Buy it, for'))
    expect([said.code, said.out]).toEqual([
      code,
      expect.stringMatching(code === 0 ? boughtOne : /Nothing was bought/),
    ])
    expect((await testimony()).slice(before.length)).toEqual(code === 0 ? kettleSold : [])
    if (code === 1) expect(await allPurchases()).toEqual(purchases)
  })

  test.each([
    ['no', 1],
    ['y', 0],
  ])('another price says what rose, from what to what, and %j decides', async (answer, code) => {
    const { price_up_20: url } = service.ready.sandbox.items
    const said = await answered([url, '--max', '40', '--price', '25'], ['yes', answer])
    expect(said.out).toMatch(/price up 20 .*costs \$30\.00 each instead of \$25\.00\./)
    expect(said.out).toMatch(/In all it would cost at most \$\d+\.\d\d instead of \$36\.75\./)
    expect(said.code).toBe(code)
    expect(await undecided()).toEqual([])
  })
})

test.runIf(hasTerminal).each([
  ['once', ['order_placed']],
  // A terminal shows what is typed.
  ['twice, as by somebody in a hurry or through npm', ['order_placed', '^C']],
])(
  'Ctrl-C, typed %s, ends the command and not what was approved, and it says what follows and what ends it',
  async (_, interruptions) => {
    const { silent } = service.ready.sandbox.items
    const said = await answered([silent, '--max', '40'], ['y'], interruptions)
    const [, id] = /(pi_\w+) stays: /.exec(said.out) ?? []
    expect([said.code, id, said.out]).toEqual([1, expect.any(String), said.out])
    expect(said.out).toContain(`\`prokura purchases follow ${id}\``)
    expect(said.out).toContain(`\`prokura purchases cancel ${id}\` ends it.`)
    expect((await call('GET', `/v1/purchase_intents/${id}`)).body.status).toBe('approved')
    const ended = await prokura(['purchases', 'cancel', id ?? '', '--state', state])
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('Cancelled: nothing was bought')])
  },
)

test('whoever ends the command before anything is decided leaves nothing open', async () => {
  const { price_up_20: url } = service.ready.sandbox.items
  const { code, err } = await run([url, '--max', '40', '--price', '25', '--yes'])
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /costs \$30\.00 each instead of \$25\.00.*pi_\w+: Cancelled: nothing was bought/,
    ),
  })
  expect(await undecided()).toEqual([])
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

describe('what a profile lacks is said before anything is asked for, with the command that adds it', () => {
  test('an address: three tries buy nothing, also once there is one', async () => {
    const id = await profileWith({ card: 'visa_auto_approved' })
    const before = await allPurchases()
    for (const _ of [1, 2, 3]) {
      const { code, out, err } = await buy(kettle, '--max', '40', '--profile', id)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(`\`prokura profiles addresses add ${id} --state ${state}\``)
    }
    expect((await call('POST', `/v1/profiles/${id}/addresses`, home)).status).toBe(201)
    expect(await allPurchases()).toEqual(before)
  })

  test('a card', async () => {
    const id = await profileWith({ address: home })
    const before = await allPurchases()
    const { code, err } = await buy(kettle, '--max', '40', '--profile', id)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(
        `\`prokura cards add visa_auto_approved --profile ${id} --state ${state}\``,
      ),
    })
    expect(await allPurchases()).toEqual(before)
  })

  test('the code of a card: it is bought with it, and what is wrong leaves nothing open', async () => {
    const coded = ['--max', '40', '--profile', await profileWith({ card: 'visa_ineligible', address: home })]
    const before = await allPurchases()
    const without = await buy(kettle, ...coded)
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('add --cvc TOKEN')])
    expect(await allPurchases()).toEqual(before)
    const wrong = await buy(kettle, ...coded, '--cvc', 'cvc_4_digit')
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Cancelled: nothing was bought')])
    expect((await buy(kettle, ...coded, '--cvc', 'cvc_3_digit')).code).toBe(0)
    const asked = [
      '--max',
      '40',
      '--profile',
      await profileWith({ card: 'visa_otp_required', address: home }),
    ]
    const silent = await buy(kettle, ...asked)
    expect([silent.code, silent.err]).toEqual([
      1,
      expect.stringMatching(/one-time password.*--code.*Cancelled/),
    ])
    expect(await undecided()).toEqual([])
  })

  test('a choice: its names are those that --variant takes', async () => {
    const made = await call('POST', '/v1/merchant/catalog_items', shoe)
    await call('POST', `/v1/merchant/catalog_items/${made.body.id}/publish`, {})
    const shoes = [
      shoe.url,
      '--max',
      '90',
      '--profile',
      await profileWith({ card: 'visa_auto_approved', address: home }),
    ]
    const before = await allPurchases()
    const { code, err } = await buy(...shoes)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('Name one with --variant Size=40. There is Size: 40, 41.'),
    })
    expect(await allPurchases()).toEqual(before)
    const chosen = await run([...shoes, '--variant', 'Size=41', '--yes'])
    expect([chosen.code, chosen.out]).toEqual([0, expect.stringContaining('1 × Shoe (Size=41)')])
  })
})

const home = {
  address_type: 'both',
  line1: '1 Main Street',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
}

const shoe = {
  handle: 'shoe-with-sizes',
  title: 'Shoe',
  url: 'https://sandbox-merchant.example/items/shoe-with-sizes',
  item_type: 'product',
  options: [{ name: 'Size', values: ['40', '41', '42'] }],
  variants: ['40', '41', '42'].map((size) => ({
    sku: `shoe-${size}`,
    title: `Size ${size}`,
    price: 5000,
    currency: 'USD',
    availability: size === '42' ? 'out_of_stock' : 'in_stock',
    options: [{ name: 'Size', value: size }],
  })),
}

/** A profile with no more than what is named. */
async function profileWith({ card, address }: { card?: string; address?: object }): Promise<string> {
  const { addresses: _, ...nowhere } = person
  const made = await call('POST', '/v1/profiles', {
    ...nowhere,
    ...(address ? { addresses: [address] } : {}),
  })
  const { id } = made.body
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  if (card !== undefined) {
    const path = `/v1/profiles/${id}/payment_methods`
    const added = await call('POST', path, {
      type: 'card',
      card: { kind: 'existing', vault_token_id: card, ...enrolled },
    })
    const method = added.body.next_action?.method
    if (method) await call('POST', `${path}/${added.body.id}/verify`, { method, code: '123456' })
  }
  return id
}

/** Every purchase with its status. */
async function allPurchases(): Promise<string[]> {
  const { data } = (await call('GET', '/v1/purchase_intents?limit=200')).body
  return data.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)
}

async function undecided(): Promise<string[]> {
  return (await allPurchases()).filter((line) => line.endsWith('awaiting_approval'))
}

/** The command on a terminal, where a person answers one question after the other. */
function answered(
  args: readonly string[],
  answers: readonly string[],
  interruptions: readonly string[] = [],
) {
  const env = { ...serviceEnvironment(), PROKURA_STATE_DIR: state }
  return typed(`./prokura buy ${args.join(' ')}`, { env, answers, interruptions })
}

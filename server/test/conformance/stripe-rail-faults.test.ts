import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { RailAnswer } from '../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createStripeRail } from '../../src/rails/stripe/stripe.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { seededRandom } from '../suites/random.ts'
import { call } from './payment-rail/rail-under-test.ts'

const { stripe, charge, card, reader, reset, stop } = await openStripeRail()
afterEach(reset)
afterAll(stop)

/** A caller as patient as a sale: it asks before it sends again, closes what it gives up, and believes nothing that is not certain. */
async function takeOrGiveUp(
  random: () => number,
  one: Pick<Awaited<ReturnType<typeof charge>>, 'key' | 'ask' | 'close'> & {
    send(): Promise<{ kind: string }>
  },
): Promise<{ key: string; isHeld: boolean }> {
  let said: { kind: string } = await one.send()
  for (let tries = 1; ; tries += 1) {
    if (said.kind === 'done') return { key: one.key, isHeld: true }
    if (said.kind === 'refused' || said.kind === 'closed') return { key: one.key, isHeld: false }
    // Minutes are over before anything is closed, and days until Stripe forgets.
    if (random() < 0.05) await stripe.forgetKeys()
    if (tries > 4) said = await one.close()
    else if (said.kind === 'not_found' || said.kind === 'not_sent') said = await one.send()
    else said = await one.ask()
  }
}

const faults = ['lose_answer', 'drop_request', 'fail', 'fail_after', 'status=429', 'status=409', 'delay=5']

/** Six faults at random, each of one of these operations. */
async function disturb(random: () => number, operations: readonly string[]): Promise<void> {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  for (let index = 0; index < 6; index += 1) await stripe.fault(pick(operations), pick(faults))
}

test.each([1, 2, 3, 4])(
  'whatever Stripe does, a key holds once, or nothing after it was closed (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const operations = ['create', 'confirm', 'cancel', 'read', 'search']
    const ended: { key: string; isHeld: boolean }[] = []
    for (let round = 0; round < 15; round += 1) {
      await disturb(random, operations)
      ended.push(
        ...(await Promise.all(Array.from({ length: 4 }, async () => takeOrGiveUp(random, await charge())))),
      )
    }
    await stripe.clearFaults()
    const log = await stripe.log()
    const standing = ended.map(({ key, isHeld }) => {
      const results = log
        .filter(({ reference }) => reference === `test ${key}`)
        .map(({ operation }) => operation)
      const count = (operation: string) => results.filter((one) => one === operation).length
      return { key, isHeld, holds: count('confirm') - count('void') }
    })
    expect(standing.filter(({ isHeld, holds }) => holds !== Number(isHeld))).toEqual([])
    expect(new Set(ended.map(({ isHeld }) => isHeld)).size).toBe(2)
  },
)

test.each([11, 12, 13, 14])(
  'whatever Stripe does, a key leads to one card that pays, or to none after it was closed (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const operations = ['create_card', 'read_card', 'update_card', 'list_cards', 'list_authorizations']
    const ended: { key: string; isHeld: boolean }[] = []
    for (let round = 0; round < 8; round += 1) {
      await disturb(random, operations)
      ended.push(...(await Promise.all(Array.from({ length: 3 }, () => takeOrGiveUp(random, card())))))
    }
    await stripe.clearFaults()
    const standing = await Promise.all(
      ended.map(async ({ key, isHeld }) => {
        const cards = await stripe.issuedUnder(key)
        return { key, isHeld, active: cards.filter(({ status }) => status === 'active').length }
      }),
    )
    expect(standing.filter(({ isHeld, active }) => active !== Number(isHeld))).toEqual([])
    expect(new Set(ended.map(({ isHeld }) => isHeld)).size).toBe(2)
  },
)

test('the number is read by the vault alone, which gets no key for that', async () => {
  const one = card()
  const said = await one.send()
  const [made] = await stripe.issuedUnder(one.key)
  expect(said).toMatchObject({ kind: 'done', value: { reference: made?.id, record: `vrec_of_${made?.id}` } })
  const call = reader.asked.find(({ url }) => url.includes(made?.id ?? 'none'))
  expect(call).toMatchObject({
    method: 'GET',
    body: null,
    headers: { 'stripe-version': '2026-10-28.endive' },
  })
  expect(inspect([call, said], { depth: 9 })).not.toMatch(/authorization'|sk_test|\b400000999\d{7}\b/)
})

test.each([
  ['a currency that its program has not', { currency: 'JPY' }, 'currency_not_issuable'],
  ['an amount that cannot be said there', { currency: 'KWD', limit: 1_001n }, 'currency_not_supported'],
  ['a merchant of another kind', { vaultOf: undefined }, 'not_offered'],
])('no card is issued for %s, for good', async (_, change, code) => {
  const one = card(change)
  expect(await one.send()).toEqual({ kind: 'refused', refusal: { code, declineCode: null } })
  expect(await one.close()).toEqual({ kind: 'closed' })
  expect(await stripe.issuedUnder(one.key)).toEqual([])
})

test('an account without a holder of cards issues none, and a process without a vault sends nothing', async () => {
  const { url } = stripe
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const given = { url, secretKey: new Secret('sk_test_sandbox'), egress, publicUrl: null }
  const one = card()
  const noHolder = createStripeRail({ ...given, cardholder: null, vault: reader })
  expect(await noHolder.issueCredential(one.input, call)).toMatchObject({ refusal: { code: 'not_offered' } })
  // Another process may have issued it.
  expect([await noHolder.ask(one.key, call, one.sent), await noHolder.close(one.sent, call)]).toEqual([
    { kind: 'unknown' },
    { kind: 'unknown' },
  ])
  const noVault = createStripeRail({ ...given, cardholder: 'ich_sandbox', vault: null })
  expect(await noVault.issueCredential(one.input, call)).toEqual({ kind: 'not_sent', retryable: false })
  expect(await stripe.issuedUnder(one.key)).toEqual([])
  await one.send()
  expect(await noVault.close(one.sent, call)).toEqual({ kind: 'closed' })
  expect((await stripe.issuedUnder(one.key)).map(({ status }) => status)).toEqual(['canceled'])
  await egress.close()
})

/** Anything before Stripe has words of its own. */
const strangers: [number, string, RailAnswer['kind']][] = [
  [200, '', 'unknown'],
  [200, '{"object":"payment_intent","id":"pi_1","status":"new","amount":1,"currency":"usd"}', 'unknown'],
  [
    200,
    '{"object":"payment_intent","id":"pi_1","status":"requires_capture","amount":1.5,"currency":"usd"}',
    'unknown',
  ],
  [
    200,
    '{"object":"payment_intent","id":"pi_1","status":"succeeded","amount":1,"currency":"usd","created":1}',
    'unknown',
  ],
  [302, '{}', 'unknown'],
  [400, '<html>', 'not_now'],
  [400, '{"error":{"type":"idempotency_error"}}', 'unknown'],
  [402, '{}', 'unknown'],
  [404, '<html>', 'not_now'],
  [409, '{"error":{"code":"lock_timeout"}}', 'unknown'],
  [500, '{"error":{"type":"card_error","code":"card_declined"}}', 'unknown'],
]

test.each(strangers)('%i %s is what it proves and nothing more', async (status, body, kind) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const own = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const there = createStripeRail({
    url,
    secretKey: new Secret('sk_canary_4711'),
    egress: own,
    cardholder: 'ich_sandbox',
    vault: reader,
    publicUrl: null,
  })
  const { input, sent } = await charge()
  const asked = card()
  try {
    const said = [
      await there.chargeCredential(input, call),
      await there.capture({ key: 'k', reference: 'r', amount: 1n, currency: 'USD' }, call),
    ]
    expect(said.map((one) => one.kind)).toEqual([kind, kind])
    expect((await there.issueCredential(asked.input, call)).kind).toBe(kind)
    for (const memory of [
      await there.ask(input.key, call, sent),
      await there.close(sent, call),
      await there.ask(asked.key, call, asked.sent),
      await there.close(asked.sent, call),
      await there.get('credential', 'ic_1', call),
    ])
      expect(['not_now', 'unknown']).toContain(memory.kind)
    expect(inspect(said, { depth: 9 })).not.toMatch(/canary|spt_/)
  } finally {
    await own.close()
    server.close()
    server.closeAllConnections()
  }
})

test('a rail without a listener proves that nothing was sent', async () => {
  const url = 'http://127.0.0.1:1'
  const own = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const there = createStripeRail({
    url,
    secretKey: new Secret('sk'),
    egress: own,
    cardholder: null,
    vault: null,
    publicUrl: null,
  })
  const { input, sent } = await charge()
  expect(await there.chargeCredential(input, call)).toEqual({ kind: 'not_sent', retryable: true })
  expect(await there.ask(input.key, call, sent)).toEqual({ kind: 'unknown' })
  await own.close()
})

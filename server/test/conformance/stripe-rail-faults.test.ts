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

const { stripe, charge, reset, stop } = await openStripeRail()
afterEach(reset)
afterAll(stop)

/** A caller as patient as a sale: it asks before it sends again, closes what it gives up, and believes nothing that is not certain. */
async function takeOrGiveUp(random: () => number): Promise<{ key: string; isHeld: boolean }> {
  const one = await charge()
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

test.each([1, 2, 3, 4])(
  'whatever Stripe does, a key holds once, or nothing after it was closed (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const operations = ['create', 'confirm', 'cancel', 'read', 'search']
    const faults = [
      'lose_answer',
      'drop_request',
      'fail',
      'fail_after',
      'status=429',
      'status=409',
      'delay=5',
    ]
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
    const ended: { key: string; isHeld: boolean }[] = []
    for (let round = 0; round < 15; round += 1) {
      for (let index = 0; index < 6; index += 1)
        await stripe.fault(pick(operations) ?? '', pick(faults) ?? '')
      ended.push(...(await Promise.all(Array.from({ length: 4 }, () => takeOrGiveUp(random)))))
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

/** Anything before Stripe has words of its own. */
const strangers: [number, string, RailAnswer['kind']][] = [
  [200, '', 'unknown'],
  [200, '{"object":"payment_intent","id":"pi_1","status":"new","amount":1,"currency":"usd"}', 'unknown'],
  [
    200,
    '{"object":"payment_intent","id":"pi_1","status":"requires_capture","amount":1.5,"currency":"usd"}',
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
    publicUrl: null,
  })
  const { input, sent } = await charge()
  try {
    const said = [
      await there.chargeCredential(input, call),
      await there.capture({ key: 'k', reference: 'r', amount: 1n, currency: 'USD' }, call),
    ]
    expect(said.map((one) => one.kind)).toEqual([kind, kind])
    for (const memory of [await there.ask(input.key, call, sent), await there.close(sent, call)])
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
  const there = createStripeRail({ url, secretKey: new Secret('sk'), egress: own, publicUrl: null })
  const { input, sent } = await charge()
  expect(await there.chargeCredential(input, call)).toEqual({ kind: 'not_sent', retryable: true })
  expect(await there.ask(input.key, call, sent)).toEqual({ kind: 'unknown' })
  await own.close()
})

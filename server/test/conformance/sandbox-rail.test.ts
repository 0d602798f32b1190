import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { RailAnswer } from '../../src/domain/buying/rails/port.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSandboxRail } from '../../src/rails/sandbox/sandbox.ts'
import { startSandbox } from '../harness/sandbox.ts'
import type { RailUnderTest } from './payment-rail/rail-under-test.ts'
import { conformsToPaymentRail } from './payment-rail.ts'

const statuses = [
  ['credentials', 401],
  ['permission', 403],
  ['misrouted', 404],
  ['busy', 429],
  ['not_understood', 422],
] as const

conformsToPaymentRail('the sandbox', () => openWorld({ closesKeys: true }))
conformsToPaymentRail('a sandbox that cannot close keys', () => openWorld({ closesKeys: false }))

async function openWorld(settings: { closesKeys: boolean }): Promise<RailUnderTest> {
  const sandbox = await startSandbox(settings)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [sandbox.processorUrl] })
  return {
    rail: createSandboxRail({ url: sandbox.processorUrl, egress }),
    goodCard: { testCard: 'visa_auto_approved', vaultToken: 'none' },
    declinedCard: {
      card: { testCard: 'visa_insufficient_funds', vaultToken: 'none' },
      declineCode: 'insufficient_funds',
    },
    disturb: (operation, how) =>
      sandbox.fault({ match: { operation }, fault: how === 'delay' ? 'delay=300' : how }),
    turnAway: Object.fromEntries(
      statuses.map(([reason, status]) => [
        reason,
        (operation: string, seconds: number | null) =>
          sandbox.fault({
            match: { operation },
            fault: seconds === null ? `status=${status}` : `status=${status};retry_after=${seconds}`,
          }),
      ]),
    ),
    forgetKeys: () => sandbox.forgetKeys(),
    refuseRelease: (operation) => sandbox.fault({ match: { operation }, fault: 'refuse_release' }),
    async charge(credential, { amount, ...rest }) {
      const response = await fetch(`${sandbox.processorUrl}/v1/credentials/${credential}/charges`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ ...rest, amount: Number(amount), reference: 'test' }),
      })
      return response.status === 201
    },
    async stop() {
      await egress.close()
      await sandbox.stop()
    },
  }
}

test('a rail without a listener proves that nothing was sent', async () => {
  const url = 'http://127.0.0.1:1'
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const rail = createSandboxRail({ url, egress })
  const card = { testCard: 'visa_auto_approved', vaultToken: 'none' }
  const answer = await rail.authorize(
    { key: 'k', card, amount: 1n, currency: 'USD', merchant: 'shop.example', reference: 'r' },
    { mode: 'test', timeoutMs: 1_000 },
  )
  expect(answer).toEqual({ kind: 'not_sent', retryable: true })
  expect(await rail.ask('k', { mode: 'test', timeoutMs: 1_000 })).toEqual({ kind: 'unknown' })
  await egress.close()
})

const money = { card: { testCard: 'visa_auto_approved', vaultToken: 'none' }, amount: 1n, currency: 'USD' }
const terms = { ...money, merchant: 'shop.example', reference: 'r' }

/** How the rail reads an answer from anything before the processor: a gateway has words of its own. */
const answers: [number, string, string, RailAnswer['kind']][] = [
  [200, 'no body', '', 'unknown'],
  [302, 'elsewhere', '{}', 'unknown'],
  ...[400, 422].flatMap((status): typeof answers => [
    [status, 'unreadable', '<html>', 'not_now'],
    [status, 'of no code', '{}', 'not_now'],
    [status, 'about the request', '{"error":{"code":"invalid_request"}}', 'not_now'],
    [status, 'a documented refusal', '{"error":{"code":"already_captured"}}', 'refused'],
  ]),
  ...[401, 403, 404, 408, 425, 429].flatMap((status): typeof answers => [
    [status, 'unreadable', '<html>', 'not_now'],
    [status, 'with a code', '{"error":{"code":"some_code"}}', 'not_now'],
    [
      status,
      'with the code of a decline',
      '{"error":{"code":"declined","decline_code":"do_not_honor"}}',
      'not_now',
    ],
  ]),
  [402, 'declined', '{"error":{"code":"declined","decline_code":"do_not_honor"}}', 'refused'],
  [402, 'of no code', '{}', 'unknown'],
  [402, 'unreadable', '<html>', 'unknown'],
  [409, 'a documented refusal', '{"error":{"code":"over_authorized_amount"}}', 'refused'],
  [409, 'a key that was used', '{"error":{"code":"idempotency_key_conflict"}}', 'unknown'],
  [409, 'of a code that nobody documented', '{"error":{"code":"try_tomorrow"}}', 'unknown'],
  [410, 'of a code that nobody documented', '{"error":{"code":"gone"}}', 'unknown'],
  ...[500, 502, 503, 504].flatMap((status): typeof answers => [
    [status, 'unreadable', '<html>', 'unknown'],
    [status, 'with the code of a decline', '{"error":{"code":"declined"}}', 'unknown'],
  ]),
]

test.each(answers)('%i %s is what it proves and nothing more', async (status, _, body, kind) => {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const rail = createSandboxRail({ url, egress })
  const call = { mode: 'test', timeoutMs: 5_000 } as const
  try {
    expect((await rail.capture({ key: 'k', reference: 'r', amount: 1n, currency: 'USD' }, call)).kind).toBe(
      kind,
    )
    expect((await rail.authorize({ key: 'k', ...terms }, call)).kind).toBe(kind)
    // Nothing but its own word makes the rail's memory "not found" or "closed".
    const sent = { step: 'authorize', input: { key: 'k', ...terms } } as const
    for (const memory of [await rail.ask('k', call), await rail.close(sent, call)])
      expect(['not_now', 'unknown']).toContain(memory.kind)
    expect((await rail.get('authorization', 'r', call)).kind).toBe(kind === 'not_now' ? kind : 'unknown')
  } finally {
    await egress.close()
    server.close()
    server.closeAllConnections()
  }
})

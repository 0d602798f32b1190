import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSandboxRail } from '../../src/adapters/processors/sandbox.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { startSandbox } from '../harness/sandbox.ts'
import { conformsToPaymentRail } from './payment-rail.ts'

conformsToPaymentRail('the sandbox', async () => {
  const sandbox = await startSandbox()
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
})

test('a rail that nobody listens for proves that nothing was sent', async () => {
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

import { expect, test } from 'vitest'
import { control, get, post, runSandbox, temporaryFolder } from '../../../test/run-sandbox.ts'
import { openUcpPlatform, ucpAddress, ucpBuyer } from '../../../test/ucp-platform.ts'

test('a shop that is killed before it asks the processor closes the key at its next start: the checkout is open again, and nothing is charged later', async () => {
  const state = temporaryFolder()
  const first = await runSandbox(['--state', state.path])
  const platform = await openUcpPlatform(first.facts)
  const body = {
    line_items: [{ item: { id: 'kettle' }, quantity: 1 }],
    buyer: ucpBuyer,
    fulfillment: {
      methods: [
        { type: 'shipping', destinations: [ucpAddress], groups: [{ selected_option_id: 'standard' }] },
      ],
    },
  }
  const made = await platform.ask('POST', '/checkout-sessions', body)
  expect(made.body.status).toBe('ready_for_complete')
  const terms = {
    card: 'visa_auto_approved',
    limit: 3240,
    currency: 'USD',
    merchant: 'ucp.shop.test',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    reference: 'cart',
  }
  const issued = await post(`${first.processor}/v1/credentials`, terms, { 'idempotency-key': 'issue' })
  const token = String(issued.body.id)
  const match = { operation: 'charge_credential' }
  await control(`${first.processor}/control/faults`, { match, fault: 'delay=60000' }, first.controlToken)
  const credential = { type: 'token', token }
  const instruments = [{ id: 'one', handler_id: 'processor_token', type: 'card', credential }]
  const path = `/checkout-sessions/${made.body.id}`
  const lost = platform.ask('POST', `${path}/complete`, { payment: { instruments } }).catch(() => 'lost')
  await expect.poll(async () => (await platform.ask('GET', path)).body.status).toBe('complete_in_progress')
  await first.kill()
  expect(await lost).toBe('lost')
  const second = await runSandbox(['--state', state.path])
  Object.assign(first.facts.addresses, second.facts.addresses)
  await expect.poll(async () => (await platform.ask('GET', path)).body.status).toBe('ready_for_complete')
  expect((await get(`${second.processor}/v1/credentials/${token}`)).body.status).toBe('active')
  const done = await platform.ask('POST', `${path}/complete`, { payment: { instruments } })
  expect(done.body.status).toBe('completed')
  expect((await get(`${second.processor}/v1/credentials/${token}`)).body.captured_amount).toBe(3240)
  expect(await second.stop()).toEqual([0, null])
  await platform.close()
  state.remove()
})

import type { TestApp } from '../app.ts'
import { openShop, placeOrder } from '../orders.ts'
import { doneMeanwhile, receiverStandIn } from '../stand-ins.ts'
import type { Go } from './stop.ts'

export async function tourDestinations(app: TestApp, go: Go, noun: string, base: string): Promise<void> {
  const { body: made } = await go(`v1_create_${noun}`, 'POST', base, {
    name: 'Hooks',
    webhook: { endpoint_url: 'https://hooks.example/prokura' },
  })
  const path = `${base}/${made.id}`
  await go(`v1_get_${noun}`, 'GET', path)
  await go(`v1_list_${noun}s`, 'GET', base)
  await go(`v1_update_${noun}`, 'POST', path, { name: 'Other hooks' })
  await go(`v1_rotate_${noun}_secret`, 'POST', `${path}/rotate_secret`)
  await doneMeanwhile(app, [receiverStandIn], () => go(`v1_test_${noun}`, 'POST', `${path}/test`))
  const { body: events } = await go(`v1_list_${noun}_events`, 'GET', `${path}/events`)
  const event = `${path}/events/${events.data[0].event_id}`
  await go(`v1_get_${noun}_event`, 'GET', event)
  await go(`v1_redeliver_${noun}_event`, 'POST', `${event}/redeliver`)
  await go(`v1_recover_${noun}`, 'POST', `${path}/recover`, {
    since: new Date(Date.now() - 60_000).toISOString(),
  })
  if (noun === 'merchant_destination') await tourChecks(app, go, made.id)
  await go(`v1_disable_${noun}`, 'POST', `${path}/disable`)
  await go(`v1_enable_${noun}`, 'POST', `${path}/enable`)
  await go(`v1_archive_${noun}`, 'POST', `${path}/archive`)
}

async function tourChecks(app: TestApp, go: Go, destinationId: string): Promise<void> {
  const order = await placeOrder(app, app.account, await openShop(app, app.account))
  const { body: check } = await go('v1_create_integration_check', 'POST', '/v1/merchant/integration_checks', {
    kind: 'order',
    destination_id: destinationId,
    order_id: order.id,
  })
  await go('v1_get_integration_check', 'GET', `/v1/merchant/integration_checks/${check.id}`)
  await go('v1_list_integration_checks', 'GET', '/v1/merchant/integration_checks')
}

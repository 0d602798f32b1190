import { expect, test } from 'vitest'
import { startFakeService } from '../../test/fake-origin.ts'
import { destinationKey, type Memory, type OwedAnswer } from './memory.ts'
import { merchantDefaults } from './merchant-server.ts'
import { startAnswerSender } from './send-answers.ts'

const answer: OwedAnswer = {
  id: '/evt_1/0',
  merchant: '',
  destinationId: 'dest_1',
  eventId: 'evt_1',
  eventType: 'order.requested',
  targetId: 'ord_1',
  path: '/v1/merchant/orders/ord_1/responses',
  body: '{"outcome":"rejected","note":"no"}',
  outcome: 'rejected',
  dueAt: new Date(0).toISOString(),
  mistake: 'none',
}

test('an answer is sent after the decision to send it is on disk', async () => {
  const seen: string[] = []
  const service = await startFakeService('whsec_1', () => seen.push('received'))
  const disk = Promise.withResolvers<void>()
  const decided = Promise.withResolvers<void>()
  const memory: Memory = {
    settings: merchantDefaults,
    destinations: new Map(),
    acceptedEvents: new Set(),
    failedEvents: new Set(),
    orders: new Map(),
    asked: new Map(),
    owed: new Map([[answer.id, answer]]),
    entries: [],
    commit: () => decided.resolve(),
    durable: () => {
      seen.push('asked the disk')
      return disk.promise
    },
    close: () => Promise.resolve(),
  }
  const destination = { merchant: '', id: 'dest_1', secret: 'whsec_1', apiOrigin: service.origin }
  memory.destinations.set(destinationKey('', 'dest_1'), destination)
  const sender = startAnswerSender(memory)
  // A round trip to the service: an answer that did not wait for the disk would have arrived by now.
  await fetch(service.origin)
  seen.push('on disk')
  disk.resolve()
  await decided.promise
  await sender.stop()

  expect(seen).toEqual(['asked the disk', 'received', 'on disk', 'received'])
  expect(service.received[1]).toMatchObject({ body: answer.body, isSigned: true })
  service.close()
})

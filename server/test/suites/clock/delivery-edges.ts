import { randomUUID } from 'node:crypto'
import { deliveryRetrySeconds } from '../../../src/core/backoff.ts'
import { Secret } from '../../../src/platform/secrets/secret.ts'
import { signWebhook, verifyWebhook } from '../../../src/platform/signatures/webhook-signature.ts'
import { confirmByHand, type Receiver, startReceiver, tellMerchant } from '../../harness/deliveries.ts'
import { memberOf } from '../client.ts'
import { bodyOf } from '../model/real.ts'
import { leaseEdge } from './platform-edges.ts'
import { day, type Edge, fieldOf, type Stage, saidBy, second } from './stage.ts'

type Destination = { id: string; secret: string; receiver: Receiver; path: string }

export const deliveryEdges: Readonly<Record<string, Edge>> = {
  retries: (stage) =>
    withDestination(stage, async (destination) => {
      const { receiver } = destination
      receiver.answer((response) => void response.writeHead(500).end())
      await tell(stage)
      await stage.work()
      stage.same('the first attempt', receiver.received.length, 1)
      for (const [index, seconds] of deliveryRetrySeconds.entries()) {
        const last = stage.lane.clock.now().getTime()
        const due = await dueAt(stage, destination)
        const wait = (due - last) / second
        stage.same(`retry ${index + 1} is due in time`, wait >= seconds * 0.8 && wait <= seconds * 1.2, true)
        const shown = fieldOf(await stage.read(`${destination.path}/events`), 'data')
        const next = Date.parse(String(memberOf(Array.isArray(shown) ? shown[0] : null, 'next_attempt_at')))
        stage.same(`retry ${index + 1} is announced`, next === due || next === due - 1, true)
        await stage.lane.clock.set(new Date(due - 1))
        await stage.work()
        stage.same(`a millisecond before retry ${index + 1}`, receiver.received.length, index + 1)
        await stage.lane.clock.set(new Date(due))
        await stage.work()
        stage.same(`retry ${index + 1}`, receiver.received.length, index + 2)
      }
      const rows = await stage.lane.sql<{ status: string; due_at: Date | null }>(
        'select status, due_at from deliveries where destination_id = $1',
        [destination.id],
      )
      stage.same('after the last', rows, [{ status: 'exhausted', due_at: null }])
    }),

  'retry after': (stage) =>
    withDestination(stage, async (destination) => {
      const { receiver } = destination
      receiver.answer((response) => void response.writeHead(503, { 'retry-after': '1000000' }).end())
      await tell(stage)
      await stage.work()
      const wait = (await dueAt(stage, destination)) - stage.lane.clock.now().getTime()
      stage.same('at most a day is waited', wait, 86_400 * second)
    }),

  'delivery lease': (stage) =>
    withDestination(stage, async (destination) => {
      destination.receiver.answer((response) => void response.writeHead(500).end())
      await tell(stage)
      await stage.work()
      await stage.lane.clock.set(new Date(await dueAt(stage, destination)))
      const [row] = await stage.lane.sql<{ id: string }>(
        'select id from deliveries where destination_id = $1',
        [destination.id],
      )
      await leaseEdge(stage, 'deliveries', row?.id ?? '')
    }),

  failing: (stage) =>
    withDestination(stage, async (destination) => {
      const status = async () => fieldOf(await stage.read(destination.path), 'status')
      destination.receiver.answer((response) => void response.writeHead(500).end())
      await tell(stage)
      await stage.work()
      await stage.at(5 * day - 1)
      await tell(stage)
      await stage.work()
      stage.same('a millisecond before five days', await status(), 'enabled')
      await stage.at(5 * day)
      await tell(stage)
      await stage.work()
      stage.same('after five days', await status(), 'disabled')
    }),

  rotation: (stage) =>
    withDestination(stage, async (destination) => {
      const { path, receiver, secret } = destination
      const rotate = () => stage.send(`${path}/rotate_secret`, {})
      const rotated = bodyOf(await rotate(), [200])
      const fresh = String(memberOf(rotated.secret, 'secret'))
      const end = new Date(stage.start + day).toISOString()
      stage.same('is announced', memberOf(rotated.secret, 'previous_expires_at'), end)
      const signatures = async () => {
        const eventId = await tell(stage)
        await stage.work()
        const { headers, body = '' } = receiver.received.at(-1) ?? {}
        const signature = String(headers?.['service-signature'])
        const by = (text: string) =>
          verifyWebhook({
            header: signature,
            body: Buffer.from(body),
            secrets: [new Secret(text)],
            nowSeconds: Math.floor(Date.now() / 1000),
            toleranceSeconds: 600,
          }).ok
        return { eventId, signed: [by(secret), by(fresh)] }
      }
      const answerWith = async (text: string, order: string) => {
        const body = JSON.stringify({ outcome: 'rejected' })
        const event = receiver.received.at(-1)?.headers ?? {}
        return await stage.lane.app.request('POST', `/v1/merchant/orders/${order}/responses`, {
          key: null,
          raw: body,
          headers: {
            'content-type': 'application/json',
            'service-response-signature': signWebhook({
              secrets: [new Secret(text)],
              timestampSeconds: Math.floor(Date.now() / 1000),
              body,
            }),
            'service-destination-id': destination.id,
            'service-webhook-id': String(event['service-webhook-id']),
            'service-webhook-event': String(event['service-webhook-event']),
          },
        })
      }
      await stage.at(day - 1)
      const before = await signatures()
      stage.same('a millisecond before, both sign', before.signed, [true, true])
      stage.same('a millisecond before, no other rotation', saidBy(await rotate()), 'rotation_in_progress')
      // The event has no order: after the signature the answer is a 404.
      stage.same(
        'a millisecond before, the old one is accepted',
        (await answerWith(secret, before.eventId)).status,
        404,
      )
      await stage.at(day)
      const after = await signatures()
      stage.same('at its end, the new one alone signs', after.signed, [false, true])
      stage.same('at its end, the old one is refused', (await answerWith(secret, after.eventId)).status, 401)
      stage.same('at its end, the new one is believed', (await answerWith(fresh, after.eventId)).status, 404)
      stage.same('at its end, it can be rotated', saidBy(await rotate()), '200')
    }),

  subscription: async (stage) => {
    for (const [ms, wanted] of [
      [second, 1],
      [second + 1, 0],
    ] as const) {
      await stage.at(0)
      await tell(stage)
      await stage.at(ms)
      await withDestination(stage, async ({ receiver }) => {
        await stage.work()
        stage.same(`an event ${ms} ms before its destination`, receiver.received.length, wanted)
      })
    }
  },

  async signature(stage) {
    const secrets = [new Secret(`whsec_${randomUUID()}`)]
    const body = Buffer.from('{}')
    const header = signWebhook({ secrets, timestampSeconds: 1_800_000_000, body })
    for (const [off, wanted] of [
      [60, true],
      [-60, true],
      [61, false],
      [-61, false],
    ] as const) {
      const nowSeconds = 1_800_000_000 + off
      const { ok } = verifyWebhook({ header, body, secrets, nowSeconds, toleranceSeconds: 60 })
      stage.same(`signed ${off} s away`, ok, wanted)
    }
  },
}

async function withDestination(
  stage: Stage,
  run: (destination: Destination) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver()
  try {
    const body = {
      name: 'Backend',
      responds_to_quotes: false,
      event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
      webhook: { endpoint_url: receiver.url },
    }
    bodyOf(await stage.send('/v1/merchant', { name: 'Edge', currency: 'EUR' }), [200])
    const made = bodyOf(await stage.send('/v1/merchant/destinations', body), [201])
    await confirmByHand(stage.lane.app, made)
    const id = String(made.id)
    const secret = String(memberOf(made.secret, 'secret'))
    const path = `/v1/merchant/destinations/${id}`
    await run({ id, secret, receiver, path })
    bodyOf(await stage.send(`${path}/archive`, {}), [200])
  } finally {
    await receiver.stop()
  }
}

/** Makes an event for the stage's own merchant. Answers the order that it names. */
function tell(stage: Stage): Promise<string> {
  return tellMerchant(stage.lane.app, stage.account, [{}])
}

/** The first whole millisecond at which a delivery is due, since waits have finer parts than our clocks. */
async function dueAt(stage: Stage, { id }: Destination): Promise<number> {
  const rows = await stage.lane.sql<{ due: number }>(
    'select ceil(extract(epoch from due_at) * 1000)::float8 as due from deliveries where destination_id = $1',
    [id],
  )
  return rows[0]?.due ?? 0
}

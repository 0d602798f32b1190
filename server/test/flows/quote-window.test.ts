import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from '../../src/composition.ts'
import { provisionalWriters } from '../../src/platform/database/pool.ts'
import { measurePace, patientMs } from '../gate/pace.ts'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Deliverer, type Receiver, startDeliverer, startReceiver } from '../harness/deliveries.ts'
import { SharedHints, startOtherApi } from '../harness/other-api.ts'
import {
  type Asked,
  accepted,
  answerSigned,
  askQuote,
  openQuotingShop,
  type QuotingShop,
  readAsked,
} from '../harness/quotes.ts'

let app: TestApp
let deliverer: Deliverer
const hints = new SharedHints()
const receivers: Receiver[] = []
beforeAll(async () => {
  app = await startTestApp({ hints: hints.open, limits: { quoteWaits: 1000, requests: 1000 } })
  deliverer = startDeliverer(app)
  deliverer.worker.start()
})
afterAll(async () => {
  await deliverer.relay.runOnce()
  const broken = await brokenInvariants(app, invariants)
  for (const receiver of receivers) await receiver.stop()
  await deliverer.stop()
  await app.stop()
  await hints.close()
  expect(broken).toEqual([])
})

async function openShop(
  how?: Parameters<Receiver['answer']>[0],
): Promise<{ shop: QuotingShop; receiver: Receiver }> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  if (how) receiver.answer(how)
  return { shop: await openQuotingShop(app, receiver), receiver }
}

type Timed = { answer: Answer; seconds: number }

async function timed(asking: () => Promise<Answer>): Promise<Timed> {
  const startedMs = performance.now()
  const answer = await asking()
  return { answer, seconds: (performance.now() - startedMs) / 1000 }
}

const ask = ({ shop }: { shop: QuotingShop }, idempotencyKey?: string) =>
  timed(() => askQuote(app, { catalog_item_id: shop.itemId }, idempotencyKey ? { idempotencyKey } : {}))

/**
 * A receiver was asked once more after each of these seconds: never before, and not much later. From the asking on, since an attempt that
 * arrives late makes the pause behind it look short.
 */
function expectPauses({ receiver }: { receiver: Receiver }, askedAt: number, seconds: number[]) {
  const at = receiver.received.map((received) => received.at)
  expect(at).toHaveLength(seconds.length + 1)
  let planned = 0
  for (const [index, pause] of seconds.entries()) {
    planned += pause
    const [before = 0, moment = 0] = at.slice(index)
    expect((moment - askedAt) / 1000).toBeGreaterThan(planned - 0.5)
    expect((moment - before) / 1000).toBeLessThan(pause + patientMs(1_000) / 1000)
  }
}

function answers(status: number, headers: Record<string, string> = {}): Parameters<Receiver['answer']>[0] {
  return (response) => void response.writeHead(status, headers).end('no')
}

/** How long a bare server takes that answers after this time: what the machine adds is no fault of ours. */
async function askBare(afterMs: number): Promise<number> {
  const server = createHttpServer((_request, response) => setTimeout(() => response.end(), afterMs))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const startedMs = performance.now()
  await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  const seconds = (performance.now() - startedMs) / 1000
  server.close()
  return seconds
}

/** Where nobody listens. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`
}

/** Its answer is refused. */
async function mistakenShop() {
  const mistaken = await openShop()
  mistaken.receiver.answer((response, received) => {
    response.writeHead(200).end()
    const asked = readAsked(received)
    void answerSigned(app, mistaken.shop.destination, asked, accepted(asked, { currency: 'USD' }))
  })
  return mistaken
}

/** Its first answer is refused, its second is taken. */
async function correctedShop() {
  const corrected = await openShop()
  corrected.receiver.answer(async (response, received) => {
    response.writeHead(200).end()
    const asked = readAsked(received)
    const { destination } = corrected.shop
    expect((await answerSigned(app, destination, asked, { decision: 'accepted' })).status).toBe(422)
    await answerSigned(app, destination, asked, accepted(asked))
  })
  return corrected
}

/** It is down at first, and answers the third time it is asked. */
async function recoveringShop() {
  const recovering = await openShop()
  let tries = 0
  recovering.receiver.answer((response, received) => {
    tries += 1
    response.writeHead(tries < 3 ? 503 : 200).end()
    if (tries < 3) return
    const asked = readAsked(received)
    void answerSigned(app, recovering.shop.destination, asked, accepted(asked))
  })
  return recovering
}

test('a merchant has ten seconds, an answer in them ends the wait, and what cannot be answered ends it at once', async () => {
  const silent = await openShop()
  const hanging = await openShop(() => undefined)
  const failing = await openShop(answers(500))
  const moved = await openShop(answers(302, { location: 'https://elsewhere.example/' }))
  const unknown = await openShop(answers(404))
  const gone = await openShop(answers(410))
  const busy = await openShop(answers(429, { 'retry-after': '60' }))
  const unreachable = { shop: await openQuotingShop(app, { url: await closedUrl() }) }
  const [mistaken, corrected, recovering] = [
    await mistakenShop(),
    await correctedShop(),
    await recoveringShop(),
  ]
  const askedAt = performance.now()
  const [bareSeconds, s, joined, h, f, m, u, g, b, x, r, w, c] = await Promise.all([
    askBare(10_000),
    ask(silent, 'silent'),
    delay(4000).then(() => ask(silent, 'silent')),
    ask(hanging),
    ask(failing),
    ask(moved),
    ask(unknown),
    ask(gone),
    ask(busy),
    ask(unreachable),
    ask(recovering),
    ask(mistaken, 'mistaken'),
    ask(corrected),
  ])
  for (const waited of [s, h, x]) {
    expect([waited.answer.status, waited.answer.body.status]).toEqual([202, 'pending'])
    expect(waited.answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(Math.abs(waited.seconds - bareSeconds)).toBeLessThan(patientMs(500) / 1000)
  }
  // Refused answers end nobody's wait, but they are not silence when it ends.
  expect([w.answer.status, w.answer.body.detail.code]).toEqual([502, 'responder_failed'])
  expect(Math.abs(w.seconds - bareSeconds)).toBeLessThan(patientMs(500) / 1000)
  const location = w.answer.headers.get('location') ?? ''
  expect((await app.get(new URL(location).pathname)).body.status).toBe('pending')
  const joiner = await ask(mistaken, 'mistaken')
  expect([joiner.answer.status, joiner.answer.headers.get('location')]).toEqual([502, location])
  expect([c.answer.status, c.answer.body.status]).toEqual([201, 'quoted'])
  // Who came four seconds later waited for what was left.
  expect([joined.answer.status, joined.answer.body.id]).toEqual([202, s.answer.body.id])
  expect(Math.abs(joined.seconds - (bareSeconds - 4))).toBeLessThan(patientMs(600) / 1000)
  for (const refused of [m, u, g, b]) {
    expect([refused.answer.status, refused.answer.body.detail.code]).toEqual([502, 'responder_failed'])
    expect(refused.answer.headers.get('location')).toMatch(/\/v1\/quotes\/quo_/)
    expect(refused.seconds).toBeLessThan(patientMs(3_000) / 1000)
  }
  expect([f.answer.status, f.answer.body.detail.code]).toEqual([502, 'responder_failed'])
  expect(Math.abs(f.seconds - 6)).toBeLessThan(patientMs(1_500) / 1000)
  expectPauses(failing, askedAt, [1, 2, 3])
  expect([r.answer.status, r.answer.body.status]).toEqual([201, 'quoted'])
  expectPauses(recovering, askedAt, [1, 2])
  for (const once of [silent, hanging, moved, unknown, gone, busy])
    expect(once.receiver.received).toHaveLength(1)
  const disabled = await app.get(`/v1/merchant/destinations/${gone.shop.destination.id}`, gone.shop)
  expect(disabled.body.disabled_reason).toBe('gone')

  await answersLate(silent, 'silent')
})

/** Silence was no refusal: the answer is taken, and a buyer who asks again under the same key has it. */
async function answersLate(silent: Awaited<ReturnType<typeof openShop>>, key: string): Promise<void> {
  const [received] = silent.receiver.received
  if (!received) throw new Error('nobody was asked')
  const asked = readAsked(received)
  const late = await answerSigned(app, silent.shop.destination, asked, accepted(asked))
  expect(late.status).toBe(200)
  const again = await ask(silent, key)
  expect([again.answer.status, again.answer.body.status]).toEqual([201, 'quoted'])
  expect(silent.receiver.received).toHaveLength(1)
}

test('five hundred calls wait at once and hold no connection, and each gets its own answer', async () => {
  const asked: Asked[] = []
  const all = Promise.withResolvers<void>()
  const { shop } = await openShop((response, received) => {
    response.end('ok')
    if (asked.push(readAsked(received)) === 500) all.resolve()
  })
  const before = await busyConnections()
  const waiting = Array.from({ length: 500 }, () => ask({ shop }))
  await all.promise
  // Those who wait look again now and then: what holds a connection would hold it at every look.
  const looks: number[] = []
  for (let look = 0; look < 5; look++) {
    await delay(20)
    looks.push(
      Math.max(
        ...(await busyConnections())
          .filter(({ state }) => /transaction/.test(state))
          .map(({ count }) => count),
        0,
      ),
    )
  }
  const during = await busyConnections()
  expect(Math.min(...looks)).toBe(0)
  const total = (counts: { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0)
  expect(total(during)).toBeLessThanOrEqual(Math.max(total(before), 8 + 2 + provisionalWriters + 1))
  const prices = new Map(asked.map((one, index) => [one.quoteId, index]))
  await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      for (const [index, one] of asked.entries()) {
        if (index % 8 !== lane) continue
        const body = accepted(one, { quoted_amount_cents: index })
        expect((await answerSigned(app, shop.destination, one, body)).status).toBe(200)
      }
    }),
  )
  const told = await Promise.all(waiting)
  // A machine that needs ten seconds for all the answers tells the last of them that asked to read on.
  const pace = measurePace()
  for (const { answer, seconds } of told) {
    const isLate = answer.status === 202 && seconds > 9.5 && pace > 1.5
    const { body } = isLate ? await app.get(`/v1/quotes/${answer.body.id}`) : answer
    expect([isLate ? 201 : answer.status, body.offers?.[0]?.total_amount]).toEqual([201, prices.get(body.id)])
  }
})

async function busyConnections(): Promise<{ state: string; count: number }[]> {
  return app.parts.pools.read({
    name: '',
    text: `select state, count(*)::int as count from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' group by state`,
    values: [],
  })
}

test('an answer that another process takes ends the wait', async () => {
  const other = await startOtherApi(app, hints)
  try {
    const overheads: number[] = []
    for (let time = 0; time < 5; time++) {
      const asked = Promise.withResolvers<Asked>()
      const { shop } = await openShop((response, received) => {
        response.end('ok')
        asked.resolve(readAsked(received))
      })
      const waiting = ask({ shop }).then((done) => ({ ...done, atMs: performance.now() }))
      const { quoteId } = await asked.promise
      const response = await fetch(`${other.url}/v1/merchant/quotes/${quoteId}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ outcome: 'declined' }),
      })
      const takenMs = performance.now()
      expect(response.status).toBe(200)
      const { answer, atMs } = await waiting
      expect([answer.status, answer.body.status]).toEqual([201, 'declined'])
      overheads.push(atMs - takenMs)
    }
    // Other tests may have the processor for a while; a poll alone would take a hundred milliseconds and more on average.
    expect(Math.min(...overheads)).toBeLessThan(patientMs(50))
  } finally {
    await other.stop()
  }
})

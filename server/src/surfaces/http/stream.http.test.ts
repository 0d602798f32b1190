import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations, product } from '../../composition.ts'
import type { ServerSentEvent } from '../../contract/operation.ts'
import { nobodyOf } from '../../platform/calls/principal.ts'
import { v1Dialect } from '../v1/dialect.ts'
import { restSurface } from '../v1/rest.ts'
import { bareContext, bareServer } from './bare-server.testing.ts'

const draining = new AbortController()
const bugs: unknown[] = []
let source: () => AsyncIterable<ServerSentEvent>
/** Streams that were begun and have not been left. */
let reading = 0
const server = bareServer((error) => bugs.push(error))
restSurface({
  dialect: v1Dialect(product.problems),
  credentials: { authenticate: () => nobodyOf(product.scopes) },
  people: { callerOf: () => null, assertOwnPage: () => undefined },
  admission: { admit: (_exchange, _need, { admitted }) => admitted(null) },
  contentBytesMax: 1,
}).mount(
  server,
  bareContext({
    operations: operations.filter(({ streams }) => streams),
    dispatch: async (_principal, _operation, { signal }) => {
      expect(signal().aborted).toBe(false)
      return { kind: 'stream', stream: source() }
    },
    onBug: (error) => bugs.push(error),
    draining: draining.signal,
  }),
)

let url: string
beforeAll(async () => {
  url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v1/purchase_intents/pi_1/events`
})
afterAll(async () => {
  await server.close()
  expect(bugs).toEqual([])
})

const open = (signal?: AbortSignal) =>
  fetch(url, { headers: { accept: 'text/event-stream' }, ...(signal ? { signal } : {}) })

async function* endless(): AsyncGenerator<ServerSentEvent> {
  reading += 1
  try {
    for (;;) {
      yield { comment: 'still here' }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } finally {
    reading -= 1
  }
}

test('a thousand streams leave no listener on the signal of the drain, on either side’s end', async () => {
  source = async function* () {
    yield { data: 'last' }
  }
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 25 }, async () => (await open()).text()))
  source = endless
  for (let round = 0; round < 20; round++) {
    const gone = new AbortController()
    const bodies = await Promise.all(Array.from({ length: 25 }, () => open(gone.signal)))
    expect(getEventListeners(draining.signal, 'abort').length).toBeGreaterThan(0)
    gone.abort()
    await Promise.allSettled(bodies.map((body) => body.text()))
    await expect.poll(() => reading).toBe(0)
  }
  await expect.poll(() => getEventListeners(draining.signal, 'abort')).toEqual([])
})

test('a drain ends a stream with a hint to come back', async () => {
  source = endless
  const body = (await open()).text()
  await expect.poll(() => reading).toBe(1)
  draining.abort()
  expect(await body).toMatch(/: draining\nretry: 1000\n\n$/)
  expect(reading).toBe(0)
})

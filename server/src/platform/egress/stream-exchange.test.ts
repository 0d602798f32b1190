import { afterEach, expect, test, vi } from 'vitest'
import type { StreamRequest } from './egress.ts'
import { egressWith, faultOf, get, serve, stopAll } from './local-servers.testing.ts'
import { StreamExchange } from './stream-exchange.ts'

afterEach(async () => {
  vi.useRealTimers()
  await stopAll()
})

type StreamLimits = ConstructorParameters<typeof StreamExchange>[0]

function streamed(url: string, more: Partial<StreamRequest> = {}): StreamRequest {
  return { ...get(url), idleMs: 5_000, signal: new AbortController().signal, ...more }
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of body) text += Buffer.from(chunk).toString()
  return text
}

test('an answer is read while it comes', async () => {
  const second = Promise.withResolvers<void>()
  const { origin } = await serve(async (_request, response) => {
    response.writeHead(200, { 'x-kind': 'two' })
    response.write('one ')
    await second.promise
    response.end('two')
  })
  const { status, headers, body } = await egressWith().stream(streamed(`${origin}/`))
  expect([status, headers['x-kind']]).toEqual([200, 'two'])
  const reader = body.getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one ')
  second.resolve()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('two')
  expect((await reader.read()).done).toBe(true)
})

/** An exchange without a network, whose time and connection are the test's. */
function driven(more: Partial<StreamLimits> = {}) {
  vi.useFakeTimers()
  const limits = { timeoutMs: 10_000, idleMs: 1_000, maxResponseBytes: 1_000_000 }
  const exchange = new StreamExchange(
    { ...limits, signal: new AbortController().signal, ...more },
    () => undefined,
  )
  const connection = {
    aborted: false,
    paused: false,
    reason: null,
    abort: vi.fn(),
    pause: vi.fn(),
    resume: vi.fn(),
  }
  exchange.onRequestStart(connection)
  return {
    exchange,
    connection,
    begin: () => exchange.onResponseStart(connection, 200, {}),
    give: (length: number) => exchange.onResponseData(connection, Buffer.alloc(length, 'x')),
  }
}

const late = { code: 'timeout', retryable: false }

test('silence before the first byte is a timeout', async () => {
  const { exchange, connection } = driven()
  const fault = faultOf(exchange.response)
  vi.advanceTimersByTime(1_000)
  expect(await fault).toEqual({ ...late, stage: 'during' })
  expect(connection.abort).toHaveBeenCalledOnce()
})

test('so is silence between two bytes, and an answer that comes for too long', async () => {
  for (const [stepMs, steps] of [
    [1_000, 1],
    [900, 12],
  ] as const) {
    const { exchange, begin, give } = driven()
    begin()
    const fault = faultOf(exchange.response.then(({ body }) => textOf(body)))
    for (let step = 0; step < steps; step++) {
      give(1)
      await vi.advanceTimersByTimeAsync(stepMs)
    }
    expect(await fault, `${stepMs}`).toEqual({ ...late, stage: 'after', status: 200 })
  }
})

test('no more is taken than the reader takes, and the time in which nobody reads is no silence', async () => {
  const { exchange, connection, begin, give } = driven()
  begin()
  const { body } = await exchange.response
  give(40_000)
  expect(connection.pause).not.toHaveBeenCalled()
  give(40_000)
  give(10)
  expect(connection.pause).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(5_000)
  const reader = body.getReader()
  for (let read = 0; read < 80_010; ) read += (await reader.read()).value?.length ?? Number.NaN
  expect(connection.resume).toHaveBeenCalledOnce()
  const fault = faultOf(reader.read())
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await fault).toEqual({ ...late, stage: 'after', status: 200 })
})

test('it is cut off at its limit', async () => {
  const { origin } = await serve((_request, response) => response.end(Buffer.alloc(400_000, 'x')))
  const { body } = await egressWith().stream(streamed(`${origin}/`, { maxResponseBytes: 300_000 }))
  expect((await faultOf(textOf(body))).code).toBe('too_large')
})

test('a signal ends it before and while it comes, and its reader may leave', async () => {
  const closed = Promise.withResolvers<void>()
  const { origin } = await serve((_request, response) => {
    response.on('close', () => closed.resolve())
    response.write('a')
  })
  const egress = egressWith()
  expect((await faultOf(egress.stream(streamed(`${origin}/`, { signal: AbortSignal.abort() })))).stage).toBe(
    'before',
  )
  const stopping = new AbortController()
  const { body } = await egress.stream(streamed(`${origin}/`, { signal: stopping.signal }))
  setTimeout(() => stopping.abort(), 20)
  expect((await faultOf(textOf(body))).code).toBe('closed')
  await closed.promise
})

test('a connection that breaks fails what was not read', async () => {
  const { origin } = await serve((_request, response) => {
    response.write('a')
    setTimeout(() => response.destroy(), 20)
  })
  const { body } = await egressWith().stream(streamed(`${origin}/`))
  expect((await faultOf(textOf(body))).code).toBe('reset')
})

test('what is no peer is as far away as for a whole answer', async () => {
  const { origin } = await serve((_request, response) => response.end())
  const fault = await faultOf(egressWith().stream(streamed(`${origin}/`, { mode: 'live' })))
  expect(fault.code).toBe('blocked_url')
})

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { StreamRequest } from './egress.ts'
import { egressWith, faultOf, get, pour, serve, stopAll } from './local-servers.testing.ts'

afterEach(stopAll)

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

test('it ends when nothing comes any more, and when all of it takes too long', async () => {
  const { origin } = await serve(async (request, response) => {
    response.write('a')
    while (request.url === '/drips' && !response.destroyed) {
      await wait(5)
      response.write('.')
    }
  })
  const after = { stage: 'after', code: 'timeout', retryable: false, status: 200 }
  for (const [path, more] of [
    ['/silent', { idleMs: 50 }],
    ['/drips', { timeoutMs: 200, maxResponseBytes: 1_000_000 }],
  ] as const) {
    const { body } = await egressWith().stream(streamed(`${origin}${path}`, more))
    expect(await faultOf(textOf(body)), path).toEqual(after)
  }
})

test('silence before the first byte is a timeout as well', async () => {
  const { origin } = await serve(() => undefined)
  const fault = await faultOf(egressWith().stream(streamed(`${origin}/`, { idleMs: 50 })))
  expect(fault).toEqual({ stage: 'during', code: 'timeout', retryable: false })
})

test('it is cut off at its limit, and no more is taken than the reader takes', async () => {
  const { origin } = await serve((request, response) => {
    if (request.url === '/long') response.end(Buffer.alloc(400_000, 'x'))
    else pour(response)
  })
  const limited = await egressWith().stream(streamed(`${origin}/long`, { maxResponseBytes: 300_000 }))
  expect((await faultOf(textOf(limited.body))).code).toBe('too_large')
  // Nobody reads: what is read ahead stays below the limit, and the time in which nobody reads is not its silence.
  const unread = await egressWith().stream(
    streamed(`${origin}/`, { maxResponseBytes: 10_000_000, idleMs: 50 }),
  )
  await wait(150)
  const reader = unread.body.getReader()
  for (let read = 0; read < 2_000_000; ) read += (await reader.read()).value?.length ?? Number.NaN
  await reader.cancel()
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

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ChaosProxy, startChaosProxy } from './chaos-proxy.ts'

type Echo = { port: number; sockets: Socket[]; chunks: Buffer[] }

/** Answers every piece with itself, and remembers how the pieces came. */
async function startEcho(): Promise<Echo> {
  const echo: Echo = { port: 0, sockets: [], chunks: [] }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    echo.sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      echo.chunks.push(chunk)
      socket.write(chunk)
    })
    socket.on('end', () => socket.end('bye'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of echo.sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  echo.port = typeof address === 'object' && address ? address.port : 0
  return echo
}

async function open(proxy: ChaosProxy): Promise<Socket & { heard: () => string }> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
  })
  await once(socket, 'connect')
  return Object.assign(socket, { heard: () => heard })
}

async function start(): Promise<{ echo: Echo; proxy: ChaosProxy }> {
  const echo = await startEcho()
  const proxy = await startChaosProxy({ target: { host: '127.0.0.1', port: echo.port } })
  onTestFinished(() => proxy.close())
  return { echo, proxy }
}

test('in calm weather everything passes, including the end', async () => {
  const { proxy } = await start()
  const client = await open(proxy)
  const large = 'x'.repeat(3_000_000)
  client.end(large)
  await once(client, 'end')
  expect(client.heard()).toBe(`${large}bye`)
})

test('a delay holds every piece back that long and keeps their order', async () => {
  const { proxy } = await start()
  const client = await open(proxy)
  proxy.delay(100)
  const startedAt = performance.now()
  client.write('one ')
  client.write('two')
  await expect.poll(client.heard, { interval: 5 }).toBe('one two')
  // Once in each direction.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199)
})

test('dribbled bytes travel alone', async () => {
  const { echo, proxy } = await start()
  proxy.dribble()
  const client = await open(proxy)
  const sizes: number[] = []
  client.on('data', (chunk) => sizes.push(chunk.length))
  client.write('0123456789')
  await expect.poll(client.heard, { interval: 5 }).toBe('0123456789')
  expect(echo.chunks.length).toBeGreaterThan(1)
  expect(sizes.length).toBeGreaterThan(1)
})

test('a stall keeps the connection and holds one direction only', async () => {
  const { echo, proxy } = await start()
  const client = await open(proxy)
  proxy.stall('down')
  client.write('heard there')
  await expect.poll(() => Buffer.concat(echo.chunks).toString(), { interval: 5 }).toBe('heard there')
  expect([client.heard(), proxy.connections(), client.destroyed]).toEqual(['', 1, false])
  proxy.calm()
  await expect.poll(client.heard, { interval: 5 }).toBe('heard there')
})

test('bytes behind an upward stall do not reach the target before the stall is over', async () => {
  const { echo, proxy } = await start()
  const client = await open(proxy)
  proxy.stall('up')
  client.write('later')
  await expect.poll(() => echo.sockets.length, { interval: 5 }).toBe(1)
  echo.sockets[0]?.write('greeting')
  await expect.poll(client.heard, { interval: 5 }).toBe('greeting')
  expect(echo.chunks).toEqual([])
  proxy.calm()
  await expect.poll(client.heard, { interval: 5 }).toBe('greetinglater')
})

test('a reset is a reset on both sides, and the next connection passes', async () => {
  const { echo, proxy } = await start()
  const client = await open(proxy)
  client.write('here')
  await expect.poll(() => echo.sockets.length, { interval: 5 }).toBe(1)
  const [target] = echo.sockets
  if (!target) throw new Error('nobody connected')
  const ends = Promise.all([once(client, 'error'), once(target, 'error')])
  proxy.reset()
  const codes = (await ends).map(([error]) => error.code)
  expect(codes).toEqual(['ECONNRESET', 'ECONNRESET'])
  const next = await open(proxy)
  next.write('again')
  await expect.poll(next.heard, { interval: 5 }).toBe('again')
})

test('a cut ends every connection and refuses new ones until it is opened', async () => {
  const { proxy } = await start()
  const client = await open(proxy)
  const closed = once(client, 'end')
  proxy.cut()
  await closed
  const refused = connect({ port: proxy.port, host: '127.0.0.1' })
  const [error] = await once(refused, 'error')
  expect(error.code).toBe('ECONNRESET')
  proxy.open()
  const next = await open(proxy)
  next.write('back')
  await expect.poll(next.heard, { interval: 5 }).toBe('back')
})

test('a connection to a target that is gone ends', async () => {
  const { echo, proxy } = await start()
  const client = await open(proxy)
  client.write('here')
  await expect.poll(() => echo.sockets.length, { interval: 5 }).toBe(1)
  const failed = once(client, 'error')
  echo.sockets[0]?.resetAndDestroy()
  const [error] = await failed
  expect(error.code).toBe('ECONNRESET')
  await expect.poll(() => proxy.connections(), { interval: 5 }).toBe(0)
})

test('a reset ends the connection to a target that listens on a file, which knows no reset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-proxy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const ended = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('close', () => ended.resolve())
    socket.resume()
  })
  server.listen(join(folder, 'socket'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const proxy = await startChaosProxy({ target: { path: join(folder, 'socket') } })
  onTestFinished(() => proxy.close())
  const client = await open(proxy)
  const broken = once(client, 'error')
  client.write('x')
  await once(server, 'connection')
  proxy.reset()
  await Promise.all([broken, ended.promise])
})

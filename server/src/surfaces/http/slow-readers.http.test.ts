import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../test/harness/buyers.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { takeSeconds: 1 }, publicUrl: 'https://api.example' })
})
afterAll(() => app.stop())

async function connected(to: TestApp): Promise<Socket> {
  const { port } = new URL(to.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  await once(socket, 'connect')
  return socket
}

/** More than what lies between the two processes, unread. */
const muchScript = 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4)

/** Until somebody who takes nothing has been cut off, so that more than a second has passed. */
async function untilCutOff(): Promise<void> {
  let isCutOff = false
  app.api.http.server.once('connection', (ours: Socket) =>
    ours.once('close', () => {
      isCutOff = true
    }),
  )
  const unread = await connected(app)
  unread.pause()
  unread.write(muchScript)
  await expect.poll(() => isCutOff).toBe(true)
  unread.destroy()
}

test('a client that reads nothing of its answer loses the connection', async () => {
  await untilCutOff()
})

test('a client that reads its answer slowly gets all of it', async () => {
  const other = await startTestApp({ limits: { takeSeconds: 4 } })
  const socket = await connected(other)
  socket.write(`${muchScript}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  let taken = 0
  const begun = performance.now()
  socket.on('data', (data) => {
    taken += data.length
    socket.pause()
    setTimeout(() => socket.resume(), 20)
  })
  await once(socket, 'close')
  expect(taken).toBeGreaterThan(16_000_000)
  // Longer than one may take nothing at all.
  expect(performance.now() - begun).toBeGreaterThan(4000)
  await other.stop()
})

test('a client that waits for us does not count as one that reads nothing', async () => {
  const { body } = await createPurchase(app, await newBuyer(app))
  const socket = await connected(app)
  let text = ''
  socket.setEncoding('utf8').on('data', (data) => {
    text += data
  })
  const lines = [
    `GET /v1/purchase_intents/${body.id}/events HTTP/1.1`,
    'Host: x',
    'Accept: text/event-stream',
    `Authorization: Bearer ${app.account.keys.secret_test}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await expect.poll(() => text).toContain('event:')
  await untilCutOff()
  await untilCutOff()
  const cancelled = await app.post(`/v1/purchase_intents/${body.id}/cancel`)
  expect(cancelled.status).toBe(200)
  await expect.poll(() => text).toContain('purchase_intent.cancelled')
  socket.destroy()
})

test('reached by https, every answer says that there is no other way', async () => {
  for (const path of [
    '/v1/profiles',
    '/v1/nothing',
    '/docs',
    '/healthz',
    '/openapi.json',
    '/onboarding/nothing',
  ]) {
    const { headers } = await fetch(`${app.url}${path}`)
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
  }
})

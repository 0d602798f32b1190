import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../src/cli/up/free-port.ts'
import { Secret } from '../src/platform/secrets/secret.ts'
import { signWebhook, verifyWebhook } from '../src/platform/signatures/webhook-signature.ts'

const guide = join(import.meta.dirname, '../../docs/webhooks.md')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython)
  console.warn('docs/webhooks.md: there is no python3 here, so its receiver in Python is not run')

const receivers = [
  { file: 'receiver.ts', command: process.execPath, isThere: true },
  { file: 'receiver.py', command: 'python3', isThere: hasPython },
]
const [fresh, old] = ['whsec_fresh', 'whsec_old']
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

for (const { file, command, isThere } of receivers) {
  test.skipIf(!isThere)(`${file} takes what is signed and fresh, once, under either secret`, async () => {
    const { send } = await start(file, command)
    const event = {
      id: 'evt_1',
      type: 'purchase_intent.succeeded',
      data: { note: 'Café “Niño” 😊 \u2028 tab\t' },
    }
    expect(await send(event, { secrets: ['whsec_other'] })).toBe(401)
    expect(await send(event, { secrets: [old], ageSeconds: 61 })).toBe(401)
    expect(await send(event, { secrets: [old], destination: 'dest_other' })).toBe(401)
    expect(await send(event, { secrets: [old], header: 't=,v1=' })).toBe(401)
    expect(await send(event, { secrets: [old], header: 'nonsense' })).toBe(401)
    expect(await send(event, { secrets: [old, fresh] })).toBe(200)
    expect(await send(event, { secrets: [old] })).toBe(200)
    expect(await send({ ...event, id: 'evt_2' }, { secrets: [fresh] })).toBe(200)
  })

  test.skipIf(!isThere)(
    `${file} signs its answers, sends the same bytes until they are taken, and only where they belong`,
    async () => {
      const { send, origin, answered } = await start(file, command)
      const order = { id: 'evt_1', type: 'order.requested', data: { order: { id: 'ord_1' } } }
      const path = '/v1/merchant/orders/ord_1/responses'
      await send({ ...order, id: 'evt_0' }, { secrets: [fresh], answerAt: `${origin}.example${path}` })
      await send(order, { secrets: [fresh], answerAt: `${origin}${path}` })
      await expect.poll(() => answered.length).toBe(2)
      expect(answered.map(({ url, isSigned }) => [url, isSigned])).toEqual([
        [path, true],
        [path, true],
      ])
      expect(new Set(answered.map(({ body }) => body)).size).toBe(1)
      expect(JSON.parse(answered[0]?.body ?? '')).toEqual({
        outcome: 'confirmed',
        confirmation_reference: 'CONF-ord_1',
      })
      const quote = { id: 'quo_1', quantity: 2, currency: 'USD' }
      await send(
        { id: 'evt_2', type: 'quote.requested', data: { quote } },
        { secrets: [fresh], answerAt: `${origin}/v1/merchant/quotes/quo_1/responses` },
      )
      await expect.poll(() => answered.length).toBe(3)
      expect(JSON.parse(answered[2]?.body ?? '')).toEqual({
        event_id: 'evt_2',
        event_type: 'quote.requested',
        quote_id: 'quo_1',
        decision: 'accepted',
        quoted_amount_cents: 9800,
        currency: 'USD',
        available_quantity: 2,
        expires_at: expect.any(String),
      })
      // A duplicate is acknowledged and not answered again; this one comes after it and is.
      await send(order, { secrets: [fresh], answerAt: `${origin}${path}` })
      await send({ ...order, id: 'evt_3' }, { secrets: [fresh], answerAt: `${origin}${path}` })
      await expect.poll(() => answered.length).toBe(4)
      expect(answered.at(-1)?.eventId).toBe('evt_3')
    },
  )
}

type Sending = {
  secrets: string[]
  ageSeconds?: number
  destination?: string
  header?: string
  answerAt?: string
}

/** The receiver as the guide has it, and an API that takes its answers: the first one gets a 503. */
async function start(file: string, command: string) {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-receiver-'))
  ends.push(() => rm(folder, { recursive: true }))
  const written = await readFile(guide, 'utf8')
  const code = written.split(`cat > $FILES/${file} <<'END'\n`)[1]?.split('\nEND\n')[0]
  if (code === undefined) throw new Error(`docs/webhooks.md has no ${file}`)
  await writeFile(join(folder, file), code)
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ dest_1: [fresh, old] }))
  const api = await startApi()
  const port = await freePort()
  const receiver = spawn(command, [file], {
    cwd: folder,
    env: { ...process.env, API_ORIGIN: api.origin, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  ends.push(() => stop(receiver))
  const url = `http://127.0.0.1:${port}/webhooks`
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await delay(20)
  return {
    ...api,
    async send(event: { id: string; type: string; data: object }, sending: Sending): Promise<number> {
      const body = Buffer.from(JSON.stringify(event))
      const timestampSeconds = Math.floor(Date.now() / 1000) - (sending.ageSeconds ?? 0)
      const secrets = sending.secrets.map((secret) => new Secret(secret))
      const { status } = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'service-signature': sending.header ?? signWebhook({ secrets, timestampSeconds, body }),
          'service-webhook-id': event.id,
          'service-webhook-event': event.type,
          'service-destination-id': sending.destination ?? 'dest_1',
          ...(sending.answerAt ? { 'service-response-url': sending.answerAt } : {}),
        },
      })
      return status
    },
  }
}

async function startApi() {
  const answered: { url: string; body: string; eventId: string; isSigned: boolean }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks)
    const { headers } = request
    const verdict = verifyWebhook({
      header: String(headers['service-response-signature']),
      body,
      secrets: [new Secret(fresh)],
      nowSeconds: Math.floor(Date.now() / 1000),
      toleranceSeconds: 60,
    })
    answered.push({
      url: String(request.url),
      body: body.toString('utf8'),
      eventId: String(headers['service-webhook-id']),
      isSigned: verdict.ok && headers['service-destination-id'] === 'dest_1',
    })
    response.writeHead(answered.length === 1 ? 503 : 200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}

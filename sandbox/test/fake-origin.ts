import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { post, type Reply } from './run-sandbox.ts'

type Received = { url: string; body: string; headers: Record<string, unknown>; isSigned: boolean }

/** The other side of the merchant's webhooks: sends signed events and records the answers as they come in. */
export async function startFakeService(secret: string, onReceived: () => void = () => {}) {
  const received: Received[] = []
  const statuses: number[] = []
  let waiting: { count: number; resolve: () => void }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    onReceived()
    const body = Buffer.concat(chunks).toString()
    const header = String(request.headers['service-response-signature'])
    received.push({
      url: request.url ?? '',
      body,
      headers: request.headers,
      isSigned: header === signatureOf(header, body, secret),
    })
    const status = statuses.shift() ?? 200
    if (status === 0) response.destroy()
    else response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end('{}')
    for (const wait of waiting) if (received.length >= wait.count) wait.resolve()
    waiting = waiting.filter((wait) => received.length < wait.count)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    origin,
    received,
    /** The statuses of the next answers; 0 breaks the connection. */
    answerWith: (...next: number[]) => statuses.push(...next),
    /** Resolves when this many answers have arrived in all. */
    until: (count: number): Promise<void> =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Delivery = {
  type: string
  data: object
  target: string
  eventId?: string
  responseUrl?: string
  secret: string
  /** How long ago it was signed; negative is in the future. */
  ageSeconds?: number
  tamper?: boolean
}

/** `target` is the path of the thing to answer, as in `orders/ord_1`. */
export function deliver(url: string, origin: string, delivery: Delivery): Promise<Reply> {
  const id = delivery.eventId ?? `evt_${randomUUID()}`
  const envelope = {
    id,
    object: 'event',
    type: delivery.type,
    api_version: 'v1',
    mode: 'test',
    data: delivery.data,
  }
  const body = JSON.stringify(envelope)
  const timestamp = Math.floor(Date.now() / 1000) - (delivery.ageSeconds ?? 0)
  return post(url, delivery.tamper ? `${body.slice(0, -1)} }` : body, {
    'service-signature': signatureOf(`t=${timestamp}`, body, delivery.secret),
    'service-destination-id': 'dest_1',
    'service-webhook-id': id,
    'service-webhook-event': delivery.type,
    'service-response-url': delivery.responseUrl ?? `${origin}/v1/merchant/${delivery.target}/responses`,
  })
}

function signatureOf(header: string, body: string, secret: string): string {
  const timestamp = /t=(\d+)/.exec(header)?.[1] ?? ''
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

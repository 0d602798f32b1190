import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Challenge, Credential, Receipt } from 'mppx'
import type { PaymentRail } from '../../src/domain/buying/rails/port.ts'

const secretKey = 'the secret of a paid API, 32 bytes and more'

/** Takes the money by what a payer has sent, at the processor of this API. */
type Charge = (payment: {
  method: string
  payload: Record<string, unknown>
  amount: bigint
  currency: string
  key: string
}) => Promise<{ paid: string } | { declined: string }>

/** Charges credentials of a rail, as this merchant. */
export function chargingBy(rail: PaymentRail, merchantOf: () => string): Charge {
  const call = { mode: 'test', timeoutMs: 8_000 } as const
  return async ({ payload, amount, currency, key }) => {
    const terms = { amount, currency: currency.toUpperCase(), merchant: merchantOf(), reference: key }
    const held = await rail.chargeCredential(
      { key, credential: String(payload.token ?? payload.spt), ...terms },
      call,
    )
    if (held.kind !== 'done') return { declined: held.kind }
    await rail.capture(
      { key: `${key}:capture`, reference: held.value.reference, amount, currency: terms.currency },
      call,
    )
    return { paid: held.value.reference }
  }
}

/** What of it is not as it should be. `at` is the number of the challenge of this path, from 1. */
type Habits = {
  /** The answer to a request without a payment, instead of a challenge. */
  unpaid?: { status: number; headers?: Record<string, string>; body?: string | Buffer }
  challenge?: (at: number) => Partial<Terms>
  /** What happens to a payment, the number of which from 1 is given. */
  paying?: (
    at: number,
  ) => 'lost_before' | 'lost_after' | 'lost_in_body' | 'fails_after' | 'rejects' | 'as_usual'
  /** Whether it answers a payment that it has taken before like the first time. */
  replays?: boolean
  result?: { body: Buffer; type?: string; receipt?: string | null }
}

type Terms = {
  amount: bigint
  currency: string
  recipient: string
  realm: string
  method: string
  methodDetails: object
  seconds: number
  expires: string | null
  digest: string
  header: string
  raw: string
}

type PaidApi = {
  /** A path of its own with these habits. */
  path(habits?: Habits): string
  origin: string
  host: string
  /** What was delivered and charged for, by path. */
  sold(path: string): string[]
  /** Every request as it came, by path: the credential it had, and its idempotency key. */
  requests(path: string): { paid: string | null; key: string | null; method: string; body: string }[]
  stop(): Promise<void>
}

/** A service elsewhere that sells for answers to 402, with the habits of real ones. It shares no code with the payer. */
export async function startPaidApi({ charge }: { charge: Charge }): Promise<PaidApi> {
  const shelves = new Map<string, Shelf>()
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const shelf = shelves.get(new URL(request.url ?? '/', 'http://x').pathname)
    if (!shelf) return void response.writeHead(404).end()
    const credential = request.headers['payment-authorization'] ?? request.headers.authorization
    const paid = typeof credential === 'string' && /^payment /i.test(credential) ? credential : null
    const key = request.headers['idempotency-key']
    shelf.requests.push({
      paid,
      key: typeof key === 'string' ? key : null,
      method: request.method ?? '',
      body: body.toString(),
    })
    if (paid === null) return askForPayment(response, shelf, { host, body })
    await takePayment(response, shelf, { paid, body, host, charge })
  }

  return {
    origin: `http://${host}`,
    host,
    path(habits = {}) {
      const path = `/${shelves.size + 1}`
      shelves.set(path, { habits, challenges: 0, payments: 0, answers: new Map(), sold: [], requests: [] })
      return path
    },
    sold: (path) => shelves.get(path)?.sold ?? [],
    requests: (path) => shelves.get(path)?.requests ?? [],
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Shelf = {
  habits: Habits
  challenges: number
  payments: number
  /** By the challenge that is paid: one payment for one answer, however many arrive at once. Null: the payment was declined. */
  answers: Map<string, Promise<Answer | null>>
  sold: string[]
  requests: ReturnType<PaidApi['requests']>
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

function askForPayment(
  response: ServerResponse,
  shelf: Shelf,
  { host, body, problem = 'payment-required' }: { host: string; body: Buffer; problem?: string },
): void {
  const { habits } = shelf
  if (habits.unpaid && problem === 'payment-required') {
    response.writeHead(habits.unpaid.status, habits.unpaid.headers).end(habits.unpaid.body ?? '')
    return
  }
  shelf.challenges += 1
  const more = habits.challenge?.(shelf.challenges) ?? {}
  const type = `https://paymentauth.org/problems/${problem}`
  response.writeHead(402, {
    'www-authenticate': more.raw ?? challengeOf(more, host, body),
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify({ type, title: problem, status: 402, detail: `It says ${problem}.` }))
}

function challengeOf(more: Partial<Terms>, host: string, body: Buffer): string {
  const { amount = 1250n, currency = 'usd', recipient = 'kiosk', method = 'vault', seconds = 300 } = more
  const methodDetails = more.methodDetails ?? { testMode: true }
  const at = new Date(Date.now() + seconds * 1000).toISOString()
  const expires = more.expires === undefined ? at : more.expires
  return Challenge.serialize(
    Challenge.from({
      secretKey,
      realm: more.realm ?? host,
      method,
      intent: 'charge',
      request: { amount: String(amount), currency, recipient, methodDetails },
      meta: { body: createHash('sha256').update(body).digest('hex'), nonce: String(Math.random()) },
      description: 'One answer — fresh',
      ...(expires === null ? {} : { expires }),
      ...(more.digest ? { digest: more.digest } : {}),
      ...(more.header ? { header: more.header } : {}),
    } as Parameters<typeof Challenge.from>[0]),
  )
}

async function takePayment(
  response: ServerResponse,
  shelf: Shelf,
  { paid, body, host, charge }: { paid: string; body: Buffer; host: string; charge: Charge },
): Promise<void> {
  const { habits } = shelf
  const refuse = (problem: string) => askForPayment(response, shelf, { host, body, problem })
  const { challenge, payload } = Credential.deserialize<Record<string, unknown>>(paid)
  const bound = Buffer.from(challenge.opaque ?? '', 'base64url').toString()
  const isForThis = bound.includes(createHash('sha256').update(body).digest('hex'))
  if (!Challenge.verify(challenge, { secretKey }) || !isForThis) return refuse('invalid-challenge')
  const before = shelf.answers.get(challenge.id)
  if (before && habits.replays === false) return refuse('invalid-challenge')
  if (before) {
    const answer = await before
    return answer ? write(response, answer) : refuse('verification-failed')
  }
  if (new Date(challenge.expires ?? 0) <= new Date()) return refuse('payment-expired')
  shelf.payments += 1
  const what = habits.paying?.(shelf.payments) ?? 'as_usual'
  if (what === 'lost_before') return void response.destroy()
  if (what === 'rejects')
    return void response
      .writeHead(422, { 'content-type': 'application/problem+json' })
      .end('{"detail":"We do not sell to you."}')
  const answering = answerFor(shelf, { challenge, payload, charge })
  shelf.answers.set(challenge.id, answering)
  const answer = await answering
  if (answer === null) return refuse('verification-failed')
  if (what === 'lost_after') return void response.destroy()
  if (what === 'fails_after') return void response.writeHead(500).end('{"detail":"Oh no."}')
  if (what === 'lost_in_body') {
    response.writeHead(200, { 'content-length': answer.body.length })
    response.write(answer.body.subarray(0, 1))
    return void setImmediate(() => response.destroy())
  }
  write(response, answer)
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

async function answerFor(
  shelf: Shelf,
  {
    challenge,
    payload,
    charge,
  }: Pick<Parameters<Charge>[0], 'payload'> & {
    challenge: Challenge.Challenge
    charge: Charge
  },
): Promise<Answer | null> {
  const { amount, currency } = challenge.request as { amount: string; currency: string }
  const { method, id } = challenge
  const taken = await charge({ method, payload, amount: BigInt(amount), currency, key: id })
  if ('declined' in taken) return null
  shelf.sold.push(taken.paid)
  return answerOf(shelf, taken.paid, challenge)
}

function answerOf({ habits }: Shelf, reference: string, { id, method }: Challenge.Challenge): Answer {
  const { body = Buffer.from('{"answer":42}'), type = 'application/json', receipt } = habits.result ?? {}
  const written = Receipt.serialize({
    status: 'success',
    method,
    reference,
    timestamp: new Date().toISOString(),
    externalId: `order-${id.slice(0, 8)}`,
  })
  const proof = receipt === undefined ? written : receipt
  const headers = { 'content-type': type, ...(proof === null ? {} : { 'payment-receipt': proof }) }
  return { status: 200, headers, body }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

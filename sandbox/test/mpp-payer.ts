import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:https'
import type { Strangers } from './open-strangers.ts'
import { get, type Json, post, readLog } from './run-sandbox.ts'

type Heard = { status: number; headers: Record<string, string>; text: string }

/** One value of `WWW-Authenticate`, and what its request says. */
type Asked = Record<string, string> & { terms: Json }

/** Pays for requests by the scheme `Payment`, with tokens of the processor. */
export function openMppPayer(strangers: Strangers) {
  const { addresses, authority } = strangers.facts
  const agent = new Agent({ keepAlive: false, ca: authority.certificate })
  const host = 'mpp.shop.test'

  function ask(path: string, { body, authorization }: { body?: string; authorization?: string } = {}) {
    const [address, port] = (addresses[host] ?? '').split(':')
    const headers = {
      host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    }
    return new Promise<Heard>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const options = { agent, host: address, port, servername: host, path, method, headers }
      const call = request(options, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(named), text })
      })
      call.on('error', reject)
      call.end(body)
    })
  }

  return {
    ask,
    async challenge(path: string, body?: string, method = 'processor'): Promise<Asked> {
      const { status, headers } = await ask(path, body === undefined ? {} : { body })
      if (status !== 402) throw new Error(`${path} answered ${status}`)
      const found = challengesIn(headers['www-authenticate'] ?? '').find((one) => one.method === method)
      if (found === undefined) throw new Error(`${path} is not paid by ${method}`)
      return found
    },
    async issueToken({ amount, currency }: Json, merchant = host): Promise<string> {
      const issued = {
        card: 'visa_auto_approved',
        currency: String(currency).toUpperCase(),
        reference: 'cart',
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        limit: Number(amount),
        merchant,
      }
      const url = `${strangers.processorUrl}/v1/credentials`
      return String((await post(url, issued, { 'idempotency-key': randomUUID() })).body.id)
    },
    pay: (path: string, asked: Asked, payload: object, body?: string) =>
      ask(path, { authorization: credentialOf(asked, payload), ...(body === undefined ? {} : { body }) }),
    async tokenState(token: string): Promise<string> {
      const { body } = await get(`${strangers.processorUrl}/v1/credentials/${token}`)
      return `${body.status} ${body.captured_amount}`
    },
    /** What the shop testifies of requests. */
    async calls(): Promise<string[]> {
      const entries = await readLog(`${strangers.url}/mpp`)
      return entries.filter(({ kind }) => kind === 'call').map(({ items, result }) => `${items} ${result}`)
    },
  }
}

export function credentialOf({ terms: _, ...challenge }: Asked, payload: object): string {
  return `Payment ${Buffer.from(JSON.stringify({ challenge, payload })).toString('base64url')}`
}

function challengesIn(header: string): Asked[] {
  return header.split(/,?\s*Payment /).flatMap((text) => {
    const members = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const challenge: Record<string, string> = Object.fromEntries(members)
    if (challenge.request === undefined) return []
    const terms: Json = JSON.parse(Buffer.from(challenge.request, 'base64url').toString())
    return [{ ...challenge, terms } as Asked]
  })
}

export function receiptIn({ headers }: Heard): Json {
  return JSON.parse(Buffer.from(headers['payment-receipt'] ?? '', 'base64url').toString())
}

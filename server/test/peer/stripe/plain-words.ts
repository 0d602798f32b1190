import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a small server does not know of a request, and an intent holds or moves the same without. */
const leftOut = ['description', 'allowed_payment_method_types', 'off_session', 'return_url']

/**
 * Stands between the rail and a server of others that speaks as Stripe for the plain path alone. It leaves out idempotency keys and what no
 * payment needs; the card of a confirmation is set before it. Of answers it fills in how much was captured, and the type of a decline, where
 * these lack.
 */
export async function startPlainWords(there: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    pass(there, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(there: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
  const { pathname, search } = new URL(request.url ?? '/', there)
  const headers = { authorization: String(request.headers.authorization) }
  const send = async (path: string, body?: URLSearchParams) => {
    const answer = await fetch(there + path, body ? { method: 'POST', headers, body } : { headers })
    // biome-ignore lint/suspicious/noExplicitAny: objects as Stripe documents them
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const [, intent] = /^\/v1\/payment_intents\/([^/]+)/.exec(pathname) ?? []
  const card = form.get('payment_method')
  if (pathname.endsWith('/confirm') && card !== null) {
    await send(`/v1/payment_intents/${intent}`, new URLSearchParams({ payment_method: card }))
    form.delete('payment_method')
  }
  for (const name of [...form.keys()])
    if (leftOut.some((one) => name === one || name.startsWith(`${one}[`))) form.delete(name)
  const { status, body } = await send(pathname + search, request.method === 'POST' ? form : undefined)
  if (body.status === 'succeeded' && body.object === 'payment_intent' && body.amount_received === undefined)
    body.amount_received = await takenBy(send, body)
  if (status === 402) body.error.type = 'card_error'
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Send = (
  path: string,
) => Promise<{ body: { latest_charge: { amount: number; refunds: { data: Refund[] } } } }>
type Refund = { amount: number; metadata: Record<string, string> }

/** What was held and not captured is a refund there, which no key of ours has made. */
async function takenBy(send: Send, { id }: { id: string }): Promise<number> {
  const { latest_charge: charge } = (await send(`/v1/payment_intents/${id}?expand[]=latest_charge`)).body
  const released = charge.refunds.data.filter(({ metadata }) => Object.keys(metadata).length === 0)
  return released.reduce((left, { amount }) => left - amount, charge.amount)
}

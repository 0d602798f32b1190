import { Agent } from 'undici'
import { Secret } from '../../../server/src/platform/secrets/secret.ts'
import { signWebhook } from '../../../server/src/platform/signatures/webhook-signature.ts'

type BareDelivery = {
  url: string
  destinationId: string
  secret: string
  eventId: string
  body: string
}

const timeoutMs = 15_000

// Kept from run to run, as our worker keeps its own.
const agent = new Agent({
  pipelining: 1,
  headersTimeout: timeoutMs,
  bodyTimeout: timeoutMs,
  // Not every system knows that names below `localhost` are this machine.
  connect: { lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]) },
})

/**
 * A sender without records: the same client, signature, headers and bytes, a fixed number of requests under way,
 * and the answers are ignored. Answers how many seconds it took.
 */
export async function deliverBarely(work: readonly BareDelivery[], concurrency: number): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let delivery = work[next++]; delivery; delivery = work[next++]) await send(delivery)
    }),
  )
  return (performance.now() - startedAt) / 1000
}

async function send({ url, destinationId, secret, eventId, body }: BareDelivery): Promise<void> {
  const { origin, pathname } = new URL(url)
  const { body: answered } = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-signature': signWebhook({
        secrets: [new Secret(secret)],
        timestampSeconds: Math.floor(Date.now() / 1000),
        body,
      }),
      'service-webhook-id': eventId,
      'service-webhook-event': 'order.requested',
      'service-destination-id': destinationId,
    },
    body,
  })
  await answered.text()
}

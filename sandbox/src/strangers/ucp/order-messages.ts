import { randomUUID, sign } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { postJson } from '../../http-client.ts'
import { entryOf, type Order } from '../shop/memory.ts'
import { anotherFace, profileUrl } from './face.ts'
import { orderDocument } from './order-document.ts'
import { capabilitiesAt } from './releases.ts'
import { cartOfSession, type Session } from './session.ts'
import { signatureHeaders } from './signature.ts'
import { storyOf } from './stories.ts'
import type { UcpShop } from './ucp-shop.ts'

type Event = 'created' | 'ship' | 'deliver' | 'refund' | 'cancel'

const timeoutMs = 5_000
const attemptsMax = 4
/** How much older a message says that it is when it comes again. */
const staleSeconds = 100

/** Sends the whole order to its platform, until it is taken or was refused often enough. What became of it is in the log. */
export async function tellPlatform(
  shop: UcpShop,
  session: Session,
  order: Order,
  event: Event,
): Promise<void> {
  const { webhookUrl } = session
  if (webhookUrl === null) return
  const { tells } = storyOf(cartOfSession(shop.desk, session).lines)
  const message = messageOf(shop, session, order)
  const post = (sent: Sent) => sendUntilTaken(shop, { url: webhookUrl, event, order }, sent)
  await post(message)
  if (tells === 'twice') await post(message)
  const [before] = session.happened.slice(-1)
  if (tells === 'again' && before !== undefined) {
    const earlier = { ...session, happened: session.happened.slice(0, -1) }
    await post(messageOf(shop, earlier, order, staleSeconds))
  }
}

async function sendUntilTaken(
  { desk }: UcpShop,
  { url, event, order }: { url: string; event: Event; order: Order },
  message: Sent,
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const status = await send(url, message)
    const entry = entryOf('webhook', `${event} ${status}`, { order })
    desk.memory.commit({ kind: 'entry', entry: { ...entry, agent: url } })
    if (status >= 200 && status < 300) return
    if (attempt < attemptsMax) await wait(100 * 3 ** attempt)
  }
}

type Sent = { body: string; headers: Record<string, string> }

async function send(url: string, { body, headers }: Sent): Promise<number> {
  try {
    return (await postJson({ url, body, headers, timeoutMs })).status
  } catch {
    return 0
  }
}

function messageOf(shop: UcpShop, session: Session, order: Order, agoSeconds = 0): Sent {
  const { release, webhookUrl } = session
  const agreed = { release, capabilities: capabilitiesAt(release) }
  const document = orderDocument(shop, session, order, agreed)
  const id = randomUUID()
  const { signs, tells } = storyOf(cartOfSession(shop.desk, session).lines)
  const key = signs === 'wrongly' ? shop.keys.wrong : shop.keys.own
  if (release < '2026-04-08') {
    // These releases have the event in the body, and a signature of the body alone.
    const body = JSON.stringify({ ...document, event_id: id, created_time: new Date().toISOString() })
    return { body, headers: signs === 'never' ? {} : { 'request-signature': detachedJwt(body, key) } }
  }
  const body = JSON.stringify(document)
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${profileUrl(tells === 'as-another' ? anotherFace : session)}"`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1000) - agoSeconds),
  }
  if (signs === 'never') return { body, headers }
  const signed = signatureHeaders(
    {
      kind: 'request',
      method: 'POST',
      url: new URL(webhookUrl ?? ''),
      headers,
      body: Buffer.from(body),
    },
    key,
    ['webhook-id', 'webhook-timestamp'],
  )
  return { body, headers: { ...headers, ...signed } }
}

/** RFC 7797: the payload is signed as it is, and is not repeated. */
function detachedJwt(body: string, { kid, privateKey }: UcpShop['keys']['own']): string {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid, b64: false, crit: ['b64'] })).toString(
    'base64url',
  )
  const signature = sign('sha256', Buffer.from(`${header}.${body}`), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${header}..${signature.toString('base64url')}`
}

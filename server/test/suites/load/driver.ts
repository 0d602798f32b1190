import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { memberOf } from '../client.ts'
import { type Deed, openSyncedJournal, type SyncedJournal } from './synced-journal.ts'
import { type LoadOrder, type Wish, wishOf } from './wish.ts'

/**
 * Wants purchases at a steady pace and insists on each until it is told. A program of its own: its first line of input is the order, a
 * second line (or the end of its input) stops it; on its output it says how far it is. Everything that it was told is in its journal.
 */

type Answer = { status: number; id: string | null; code: string | null; text: string }

type Asking = {
  deed: Deed
  wish: Wish
  name: string
  target: string | null
  send: (base: string) => Promise<Answer>
}

type Driver = {
  order: LoadOrder
  journal: SyncedJournal
  counts: { wished: number; open: number; skipped: number; acknowledged: number; unanswered: number }
}

/** More at once would measure the driver. */
const openMax = 400

async function main(): Promise<void> {
  const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const order: LoadOrder = JSON.parse((await input.next()).value ?? '')
  let isStopping = false
  const stopped = input.next().then(() => {
    isStopping = true
  })
  const journal = await openSyncedJournal(order.journal)
  const counts = { wished: 0, open: 0, skipped: 0, acknowledged: 0, unanswered: 0 }
  const driver: Driver = { order, journal, counts }
  const report = () => console.log(JSON.stringify(counts))
  const reporting = setInterval(report, 100)
  const running = new Set<Promise<void>>()
  const startedMs = performance.now()
  for (let number = 0; !isStopping; number++) {
    const waitMs = startedMs + (number * 1000) / order.perSecond - performance.now()
    if (waitMs > 0) await Promise.race([delay(waitMs), stopped])
    if (isStopping) break
    if (counts.open >= openMax) {
      counts.skipped += 1
      continue
    }
    counts.wished += 1
    counts.open += 1
    const run = pursue(driver, wishOf(order, number)).finally(() => {
      counts.open -= 1
      running.delete(run)
    })
    running.add(run)
  }
  await Promise.all(running)
  clearInterval(reporting)
  await journal.close()
  console.log(JSON.stringify({ ...counts, over: true }))
  process.exit(0)
}

async function pursue(driver: Driver, wish: Wish): Promise<void> {
  const { person } = driver.order.keys
  const profile = wish.hasProfile ? await newProfile(driver, wish) : null
  const create = createOf(driver, wish, profile)
  const asking = {
    deed: 'create' as const,
    wish,
    name: `create-${wish.reference}`,
    target: null,
    send: create,
  }
  const [first] = await Promise.all([
    insist(driver, asking),
    ...(wish.hasTwin ? [insist(driver, asking, { isTwin: true })] : []),
  ])
  const id = first?.id
  if (!id) return
  const act = (deed: 'approve' | 'cancel', body: object) => {
    const name = `${deed}-${wish.reference}`
    return insist(driver, {
      deed,
      wish,
      name,
      target: id,
      send: rest(driver, { path: `/v1/purchase_intents/${id}/${deed}`, key: person, name, body }),
    })
  }
  const isAttended = !wish.isUnattended || profile !== null
  if (isAttended) await act('approve', { approve: true })
  if (wish.cancelAfterMs === null) return
  await delay(wish.cancelAfterMs)
  await act('cancel', { reason: 'Changed their mind' })
}

/** Asks again under the same key until there is a word. Silence, overload and failures of the service say nothing about what was done. */
async function insist(
  { order, journal, counts }: Driver,
  { deed, wish, name, target, send }: Asking,
  { isTwin = false } = {},
): Promise<Answer | null> {
  const about = { name, deed, wish: wish.number }
  const at = () => new Date().toISOString()
  if (!isTwin) await journal.append({ kind: 'asked', at: at(), ...about, target })
  const deadline = performance.now() + order.patienceMs
  let why = ''
  for (let tries = 1; ; tries++) {
    const base = order.bases[(wish.number + tries + (isTwin ? 1 : 0)) % order.bases.length] ?? ''
    const answer = await send(base).catch((error: unknown) => String(error))
    if (typeof answer === 'string') why = answer
    else if (isWord(answer.status)) {
      const { status, id, code } = answer
      await journal.append({ kind: 'answered', at: at(), ...about, status, id, code, tries })
      counts.acknowledged += 1
      return status < 300 ? answer : null
    } else why = `${answer.status} ${answer.text.slice(0, 300)}`
    if (performance.now() > deadline) {
      await journal.append({ kind: 'unanswered', at: at(), ...about, tries, why })
      counts.unanswered += 1
      return null
    }
    await delay(Math.min(1000, 50 * tries))
  }
}

function isWord(status: number): boolean {
  return status > 0 && status < 500 && status !== 429
}

async function newProfile(driver: Driver, wish: Wish): Promise<string | null> {
  const { person: key } = driver.order.keys
  const name = `profile-${wish.reference}`
  const body = { first_name: 'Ada', last_name: wish.reference, email: 'ada@example.com', country: 'US' }
  const send = rest(driver, { path: '/v1/profiles', key, name, body })
  const made = await insist(driver, { deed: 'profile', wish, name, target: null, send })
  return made?.id ?? null
}

/** A profile of a wish's own has no card, so its purchase is wanted on the usual one and names the profile in its metadata. */
function createOf(driver: Driver, wish: Wish, profile: string | null): (base: string) => Promise<Answer> {
  const { order } = driver
  const isAttended = !wish.isUnattended || profile !== null
  const body = {
    profile_id: isAttended ? order.profiles.attended : order.profiles.unattended,
    items: wish.items,
    reference_id: wish.reference,
    metadata: profile === null ? {} : { profile },
  }
  const name = `create-${wish.reference}`
  const key = order.keys.agent
  return wish.transport === 'mcp'
    ? tool(driver, 'v1_create_purchase_intent', { ...body, idempotency_key: name }, key)
    : rest(driver, { path: '/v1/purchase_intents', key, name, body })
}

type RestRequest = { path: string; key: string; name: string; body: object }

function rest(driver: Driver, { path, key, name, body }: RestRequest) {
  return async (base: string): Promise<Answer> => {
    const response = await post(driver, base + path, body, {
      authorization: `Bearer ${key}`,
      'idempotency-key': name,
    })
    return answerOf(response.status, response.body)
  }
}

function tool(driver: Driver, name: string, args: object, key: string) {
  return async (base: string): Promise<Answer> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const { status, body } = await post(driver, `${base}/mcp/v1`, call, {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    })
    const result = memberOf(body, 'result')
    const content = memberOf(result, 'structuredContent')
    return content === undefined
      ? { ...answerOf(status, body), status: status < 300 ? 500 : status }
      : answerOf(Number(memberOf(memberOf(result, '_meta'), 'http_status')), content)
  }
}

async function post(
  { order }: Driver,
  url: string,
  body: object,
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(order.requestMs),
  })
  const text = await response.text()
  // Half an answer is no answer: parsing throws, and it is asked for again.
  return { status: response.status, body: JSON.parse(text) }
}

function answerOf(status: number, body: unknown): Answer {
  const id = memberOf(body, 'id')
  const code = memberOf(memberOf(body, 'detail'), 'code')
  return {
    status,
    id: typeof id === 'string' ? id : null,
    code: typeof code === 'string' ? code : null,
    text: JSON.stringify(body),
  }
}

await main()

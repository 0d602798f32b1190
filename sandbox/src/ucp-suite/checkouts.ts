import { setTimeout as wait } from 'node:timers/promises'
import { type Fields, text } from '../fields.ts'
import { type Answer, json } from '../json-server.ts'
import { checkoutAnswer, type Shown } from './checkout-answer.ts'
import { asksDelivery, paymentOf, repeatOf, requestOf } from './checkout-request.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { type AskAsMerchant, confirmOrders } from './merchant.ts'
import type { Platforms } from './platform.ts'
import { part } from './reading.ts'
import { messagesOf, refusedCompletion, refusedGoods, refusedPayment } from './refusals.ts'
import type { SuiteNames } from './seed-shop.ts'
import { idIn, type SuiteCall } from './suite-call.ts'
import { webhookOf } from './webhook-of.ts'

/** What is known here of a checkout, besides what the service knows. */
export type Session = Shown & {
  /** Where its platform wants to be told of the order, and of which events it was. */
  webhookUrl?: string
  readonly told: Set<string>
}

type Given = {
  platforms: Platforms
  merchant: AskAsMerchant
  names: SuiteNames
  addresses: KnownAddresses
  /** Where the shop is. */
  at: () => string
}

type Step = (call: SuiteCall) => Promise<Answer>
export type Checkouts = Record<'create' | 'read' | 'update' | 'complete' | 'cancel', Step> & {
  /** Undefined: it was not made here. */
  sessionOf(id: string): Session | undefined
}

/** How long a completion waits for the money and for the order. A client of the suite waits for five seconds. */
const completeWaitMs = 4_500
const lookEveryMs = 50

const path = '/checkout-sessions'

type Desk = Given & { readonly sessions: Map<string, Session> }

export function openCheckouts(given: Given): Checkouts {
  const desk: Desk = { ...given, sessions: new Map() }
  return {
    sessionOf: (id) => desk.sessions.get(id),
    create: (call) => create(desk, call),
    read: async (call) => json(200, shown(desk, await read(desk, call))),
    update: (call) => update(desk, call),
    complete: (call) => complete(desk, call),
    cancel: async (call) => json(200, shown(desk, await ask(desk, call, `/${idIn(call)}/cancel`))),
  }
}

async function create(desk: Desk, call: SuiteCall): Promise<Answer> {
  const body = call.body()
  const made = await ask(desk, call, '', requestOf(body, desk))
  const refusal = refusedGoods(messagesOf(made))
  if (refusal) throw refusal
  return json(201, shown(desk, made, body))
}

async function update(desk: Desk, call: SuiteCall): Promise<Answer> {
  const body = call.body()
  const before = await read(desk, call)
  const after = await ask(desk, call, `/${before.id}`, requestOf(body, { ...desk, before }))
  const refusal = refusedGoods(messagesOf(after))
  if (!refusal) return json(200, shown(desk, after, body))
  await undo(desk, call, { before, after })
  throw refusal
}

/** Goods that cannot be had leave a checkout as it was. The service sells what is left of it. */
async function undo(
  { platforms }: Desk,
  call: SuiteCall,
  { before, after }: { before: Fields; after: Fields },
): Promise<void> {
  const sections = ['line_items', 'buyer', 'fulfillment', 'discounts'] as const
  if (sections.every((name) => JSON.stringify(before[name]) === JSON.stringify(after[name]))) return
  const key = call.header('idempotency-key')
  await platforms.ask(call.caller, 'PUT', `${path}/${before.id}`, {
    body: repeatOf(before),
    key: key === undefined ? key : `${key} undone`,
  })
}

async function complete(desk: Desk, call: SuiteCall): Promise<Answer> {
  const begun = await ask(desk, call, `/${idIn(call)}/complete`, paymentOf(call.body()))
  // Before the order is confirmed: until then, nobody is told of it.
  const webhookUrl = await webhookOf(call.caller)
  if (webhookUrl !== undefined) sessionAt(desk, idIn(call)).webhookUrl = webhookUrl
  const ended = await settled(desk, call, begun)
  const messages = messagesOf(ended)
  const declined = messages.find(({ code }) => code === 'payment_failed')
  if (declined) throw refusedPayment(declined.content)
  if (ended.status === 'incomplete' || ended.status === 'ready_for_complete')
    throw refusedGoods(messages) ?? refusedCompletion(messages)
  return json(200, shown(desk, ended))
}

/** The checkout once its money was taken or refused. The merchant takes the order meanwhile. */
async function settled(desk: Desk, call: SuiteCall, begun: Fields): Promise<Fields> {
  const until = performance.now() + completeWaitMs
  let now = begun
  while (now.status === 'complete_in_progress' && performance.now() < until) {
    await confirmOrders(desk.merchant)
    await wait(lookEveryMs)
    now = await read(desk, call)
  }
  return now
}

function read({ platforms }: Desk, call: SuiteCall): Promise<Fields> {
  return platforms.ask(call.caller, 'GET', `${path}/${idIn(call)}`)
}

/** The same step at the service, under the key that the suite has given it. */
function ask({ platforms }: Desk, call: SuiteCall, at: string, body?: Fields): Promise<Fields> {
  return platforms.ask(call.caller, call.method, `${path}${at}`, {
    ...(body ? { body } : {}),
    key: call.header('idempotency-key'),
  })
}

/** The checkout as it is shown after a request that said `body`. */
function shown(desk: Desk, document: Fields, body: Fields = {}): Fields {
  const session = sessionAt(desk, text(document, 'id'))
  const buyer = part(body, 'buyer')
  if (buyer) session.consent = part(buyer, 'consent')
  session.asksDelivery ||= asksDelivery(body)
  return checkoutAnswer(document, { shown: session, names: desk.names, at: desk.at() })
}

function sessionAt({ sessions }: Desk, id: string): Session {
  const session = sessions.get(id) ?? { asksDelivery: false, consent: undefined, told: new Set() }
  sessions.set(id, session)
  return session
}

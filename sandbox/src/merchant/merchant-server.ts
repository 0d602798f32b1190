import { setTimeout as wait } from 'node:timers/promises'
import { amount, BadRequest, type Fields, integer, isObject, text } from '../fields.ts'
import {
  type Answer,
  type Call,
  destroy,
  json,
  list,
  problem,
  type Route,
  type RunningServer,
  serveJson,
} from '../json-server.ts'
import { askedUrl, type Behaviour, behaviourOf } from './behaviour.ts'
import { decideOrder, decideQuote, planAnswers } from './decide-answer.ts'
import {
  type Destination,
  destinationKey,
  type Entry,
  type Memory,
  type OwedAnswer,
  openMemory,
  type Settings,
} from './memory.ts'
import { type AnswerSender, startAnswerSender } from './send-answers.ts'
import { isSignatureValid } from './signature.ts'

type Merchant = { memory: Memory; sender: AnswerSender }

export const merchantDefaults: Settings = {
  lateAfterMs: 30_000,
  slowAckMs: 5_000,
  defaultUnitAmount: 2_500,
  defaultCurrency: 'USD',
}

/** The merchant `''` answers at /webhooks, any other at /m/{slug}/webhooks; each has its own destinations. */
export async function startMerchant(options: {
  stateDir: string
  port: number
  settings: Settings
  controlToken: string
}): Promise<RunningServer> {
  const memory = await openMemory(options.stateDir, options.settings)
  const merchant: Merchant = { memory, sender: startAnswerSender(memory) }
  const server = await serveJson({ ...options, routes: routesOf(merchant), settled: memory.durable })
  return {
    url: server.url,
    close: async () => {
      await server.close()
      await merchant.sender.stop()
      await memory.close()
    },
  }
}

function routesOf(merchant: Merchant): Route[] {
  const perMerchant = (prefix: string): Route[] => [
    { method: 'POST', path: `${prefix}/webhooks`, handle: (call) => receiveWebhook(merchant, call) },
    {
      method: 'POST',
      path: `${prefix}/control/destinations`,
      isControl: true,
      handle: (call) => addDestination(merchant, call),
    },
  ]
  return [
    ...perMerchant(''),
    ...perMerchant('/m/:slug'),
    {
      method: 'POST',
      path: '/control/settings',
      isControl: true,
      handle: (call) => changeSettings(merchant, call),
    },
    { method: 'GET', path: '/log', handle: () => list(merchant.memory.entries) },
    { method: 'GET', path: '/m/:slug/log', handle: (call) => list(entriesOf(merchant, slugOf(call))) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'merchant' }) },
  ]
}

/**
 * Verify, remember, acknowledge; the decision itself is sent afterwards. A 2xx here says only that we have the event on disk.
 */
async function receiveWebhook(merchant: Merchant, call: Call): Promise<Answer> {
  const { memory } = merchant
  const now = new Date()
  const destination = memory.destinations.get(
    destinationKey(slugOf(call), call.header('service-destination-id') ?? ''),
  )
  const header = call.header('service-signature')
  if (
    destination === undefined ||
    !isSignatureValid({ header, body: call.raw, secret: destination.secret, now })
  ) {
    memory.commit({ kind: 'entry', entry: deliveryEntry(call, 401, false) })
    return problem(
      401,
      'invalid_signature',
      'The request is not signed with a secret of this destination, or its timestamp is more than 60 seconds off',
    )
  }
  const event = parseEvent(call)
  if (event === undefined) {
    memory.commit({ kind: 'entry', entry: deliveryEntry(call, 400, true) })
    return problem(400, 'invalid_event', 'The envelope does not match its headers')
  }
  const seenAs = `${destination.merchant}/${event.id}`
  const behaviour = behaviourOf(event.target)
  if (behaviour === 'destination_down') {
    memory.commit({ kind: 'entry', entry: deliveryEntry(call, 0, true, event) })
    return destroy
  }
  if (behaviour === 'error_then_ok' && !memory.failedEvents.has(seenAs)) {
    memory.commit({ kind: 'failed_once', eventId: seenAs, entry: deliveryEntry(call, 500, true, event) })
    return problem(500, 'internal_error', 'The backend is failing on purpose')
  }
  const entry = deliveryEntry(call, 200, true, event)
  if (memory.acceptedEvents.has(seenAs)) {
    memory.commit({ kind: 'entry', entry: { ...entry, note: 'duplicate' } })
    return json(200, { received: true })
  }
  const path = answerPath(call, destination, event)
  const asked = `${destination.merchant}/${askedUrl(event.target)}`
  const owed = path === undefined ? [] : decide({ memory, destination, event, behaviour, asked, path, now })
  const note =
    path === undefined && call.header('service-response-url') !== undefined
      ? { note: 'response_url_refused' }
      : {}
  memory.commit({
    ...{ kind: 'accepted', eventId: seenAs, owed, entry: { ...entry, ...note } },
    ...(event.type === 'order.requested' ? { asked } : {}),
  })
  merchant.sender.send(owed)
  if (behaviour === 'slow') await wait(memory.settings.slowAckMs)
  return json(200, { received: true })
}

type Event = { id: string; type: string; target: Fields; targetId: string | undefined }

/** The headers are signed only through the body: they must agree with it. */
function parseEvent(call: Call): Event | undefined {
  const { id, type, data } = call.body()
  if (typeof id !== 'string' || typeof type !== 'string') return undefined
  if (id !== call.header('service-webhook-id') || type !== call.header('service-webhook-event'))
    return undefined
  const name = type.split('.')[0] ?? ''
  const target = isObject(data) && isObject(data[name]) ? data[name] : {}
  return { id, type, target, targetId: typeof target.id === 'string' ? target.id : undefined }
}

/**
 * The response URL names where our signature will be sent: it must be at the configured origin, at the very path of this order
 * or quote. Undefined when there is nothing to answer.
 */
function answerPath(call: Call, destination: Destination, event: Event): string | undefined {
  const given = call.header('service-response-url')
  const kind =
    event.type === 'order.requested' ? 'orders' : event.type === 'quote.requested' ? 'quotes' : undefined
  if (given === undefined || kind === undefined || event.targetId === undefined) return undefined
  const path = `/v1/merchant/${kind}/${encodeURIComponent(event.targetId)}/responses`
  if (!URL.canParse(given)) return undefined
  const url = new URL(given)
  return url.origin === destination.apiOrigin && url.href === url.origin + path ? path : undefined
}

function decide(options: {
  memory: Memory
  destination: Destination
  event: Event
  behaviour: Behaviour
  asked: string
  path: string
  now: Date
}): OwedAnswer[] {
  const { memory, destination, event, behaviour, asked, path, now } = options
  const { settings } = memory
  const targetId = event.targetId ?? ''
  const decision =
    event.type === 'order.requested'
      ? decideOrder(targetId, behaviour, memory.asked.get(asked) ?? 0)
      : decideQuote({ eventId: event.id, quoteId: targetId, quote: event.target, settings, now }, behaviour)
  const base = {
    merchant: destination.merchant,
    destinationId: destination.id,
    eventId: event.id,
    eventType: event.type,
    targetId,
    path,
  }
  return planAnswers(base, decision, { behaviour, settings, now })
}

function deliveryEntry(call: Call, status: number, verified: boolean, event?: Event): Entry {
  const target =
    event?.targetId === undefined
      ? {}
      : event.type.startsWith('order.')
        ? { order_id: event.targetId }
        : event.type.startsWith('quote.')
          ? { quote_id: event.targetId }
          : {}
  return {
    at: new Date().toISOString(),
    kind: 'delivery',
    merchant: slugOf(call),
    event_id: event?.id ?? call.header('service-webhook-id') ?? null,
    event_type: event?.type ?? call.header('service-webhook-event') ?? null,
    ...target,
    status,
    verified,
  }
}

function addDestination(merchant: Merchant, call: Call): Answer {
  const body = call.body()
  const origin = text(body, 'api_origin')
  if (!URL.canParse(origin)) throw new BadRequest('api_origin must be a URL')
  const destination: Destination = {
    merchant: slugOf(call),
    id: text(body, 'destination_id'),
    secret: text(body, 'secret'),
    apiOrigin: new URL(origin).origin,
  }
  merchant.memory.commit({ kind: 'destination', destination })
  return json(201, {
    destination_id: destination.id,
    merchant: destination.merchant,
    api_origin: destination.apiOrigin,
  })
}

function changeSettings(merchant: Merchant, call: Call): Answer {
  merchant.memory.commit({ kind: 'settings', settings: parseSettings(call.body()) })
  return json(200, describeSettings(merchant.memory.settings))
}

const DAY_MS = 24 * 60 * 60_000

export function parseSettings(body: Fields): Partial<Settings> {
  const settings: Partial<Settings> = {}
  for (const name of Object.keys(body)) {
    if (name === 'late_after_ms') settings.lateAfterMs = integer(body, name, { min: 0, max: DAY_MS })
    else if (name === 'slow_ack_ms') settings.slowAckMs = integer(body, name, { min: 0, max: DAY_MS })
    else if (name === 'default_unit_amount') settings.defaultUnitAmount = amount(body, name)
    else if (name === 'default_currency') settings.defaultCurrency = text(body, name)
    else throw new BadRequest(`There is no setting ${name}`)
  }
  return settings
}

function describeSettings(settings: Settings): Fields {
  return {
    late_after_ms: settings.lateAfterMs,
    slow_ack_ms: settings.slowAckMs,
    default_unit_amount: settings.defaultUnitAmount,
    default_currency: settings.defaultCurrency,
  }
}

function entriesOf(merchant: Merchant, slug: string): Entry[] {
  return merchant.memory.entries.filter((entry) => entry.merchant === slug)
}

function slugOf(call: Call): string {
  return call.params.slug ?? ''
}

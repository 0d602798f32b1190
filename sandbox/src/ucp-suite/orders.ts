import { createHash, randomUUID } from 'node:crypto'
import { BadRequest, type Fields, integer, optionalText, text } from '../fields.ts'
import { type Answer, json } from '../json-server.ts'
import type { Checkouts, Session } from './checkouts.ts'
import { exchange } from './exchange.ts'
import type { AskAsMerchant } from './merchant.ts'
import { eventsOf, orderAnswer } from './order-answer.ts'
import { type Platforms, spokenRelease } from './platform.ts'
import { part, parts } from './reading.ts'
import { refused } from './refusals.ts'
import type { SuiteNames } from './seed-shop.ts'
import { idIn, type SuiteCall } from './suite-call.ts'

type Given = {
  platforms: Platforms
  merchant: AskAsMerchant
  names: SuiteNames
  checkouts: Pick<Checkouts, 'sessionOf'>
  /** What opens the simulation of shipping; undefined: nothing does. */
  secret: string | undefined
}

type Step = (call: SuiteCall) => Promise<Answer>
type Orders = Record<'read' | 'report' | 'simulateShipping', Step> & {
  /** Takes what the service tells of an order to the platform of the suite. */
  hear(order: Fields): Promise<Answer>
}

/** What the merchant does to an order: in the suite's release a platform reports it, in that of the service nobody else does. */
type Deed = { readonly path: 'fulfillments' | 'refunds'; readonly id: string; readonly body: Fields }

export function openOrders({ platforms, merchant, names, checkouts, secret }: Given): Orders {
  const read = (call: SuiteCall) => platforms.ask(call.caller, 'GET', `/orders/${idIn(call)}`)
  const shown = async (call: SuiteCall) => json(200, orderAnswer(await read(call), names))

  async function act(call: SuiteCall, { path, id, body }: Deed): Promise<void> {
    const key = `${call.header('idempotency-key') ?? randomUUID()} ${path} ${id}`
    await merchant('POST', `/v1/merchant/orders/${idIn(call)}/${path}`, {
      body,
      key: createHash('sha256').update(key).digest('hex'),
    })
  }

  return {
    read: shown,
    async report(call) {
      // All of it is read before any of it is done.
      const deeds = deedsIn(call.body(), await read(call))
      for (const deed of deeds) await act(call, deed)
      return await shown(call)
    },
    async simulateShipping(call) {
      if (secret === undefined || call.header('simulation-secret') !== secret)
        throw refused(403, 'The header Simulation-Secret does not open this.')
      await read(call)
      await act(call, { path: 'fulfillments', id: '', body: { status: 'shipped' } })
      return await shown(call)
    },
    async hear(order) {
      const checkout = text(order, 'checkout_id')
      const session = checkouts.sessionOf(checkout)
      if (session)
        await tell(session, { checkout, order: orderAnswer(order, names), events: eventsOf(order) })
      return json(200, { ucp: { version: spokenRelease } })
    },
  }
}

type Told = { checkout: string; order: Fields; events: readonly string[] }

/**
 * A message for each event, by its name, and each once: the suite takes the first one that arrives for its own, whatever order it is
 * about, and has stopped listening when a test is over.
 */
async function tell({ webhookUrl, told }: Session, { checkout, order, events }: Told): Promise<void> {
  if (webhookUrl === undefined) return
  for (const event of events.filter((one) => !told.has(one))) {
    told.add(event)
    const body = { event_type: event, checkout_id: checkout, order }
    await exchange(webhookUrl, { method: 'POST', body, timeoutMs: 2_000 }).catch(() => undefined)
  }
}

/** What is new in an order as a platform sends it back. */
function deedsIn(sent: Fields, order: Fields): Deed[] {
  const fulfillment = part(sent, 'fulfillment') ?? {}
  const known = [
    ...(parts(part(order, 'fulfillment') ?? {}, 'events') ?? []),
    ...(parts(order, 'adjustments') ?? []),
  ]
  const isNew = (one: Fields) => !known.some(({ id }) => id === text(one, 'id'))
  return [
    ...(parts(fulfillment, 'events') ?? []).filter(isNew).map((one) => shipmentOf(one, order)),
    ...(parts(sent, 'adjustments') ?? []).filter(isNew).map((one) => refundOf(one, order)),
  ]
}

function shipmentOf(event: Fields, order: Fields): Deed {
  const url = optionalText(event, 'tracking_url')
  const body = {
    status: text(event, 'type'),
    line_items: linesOf(event, order),
    tracking_number: optionalText(event, 'tracking_number'),
    // The service keeps https addresses alone.
    tracking_url: url?.startsWith('https://') ? url : undefined,
  }
  return { path: 'fulfillments', id: text(event, 'id'), body }
}

const adjustmentStates = ['pending', 'completed', 'failed']

function refundOf(one: Fields, order: Fields): Deed {
  if (text(one, 'type') !== 'refund') throw new BadRequest('The type of an adjustment must be refund')
  if (!adjustmentStates.includes(text(one, 'status')))
    throw new BadRequest(`The status of an adjustment must be one of ${adjustmentStates.join(', ')}`)
  const body = {
    amount: one.amount,
    line_items: linesOf(one, order),
    reason: optionalText(one, 'description'),
  }
  return { path: 'refunds', id: text(one, 'id'), body }
}

/** Lines by their place in the order; none: everything that is left. */
function linesOf(from: Fields, order: Fields): { index: number; quantity: number }[] | undefined {
  const named = parts(from, 'line_items') ?? []
  if (named.length === 0) return undefined
  const ids = (parts(order, 'line_items') ?? []).map(({ id }) => id)
  const lines = named.map((line) => ({
    index: ids.indexOf(text(line, 'id')),
    quantity: integer(line, 'quantity', { min: 1, max: 10_000 }),
  }))
  if (lines.some(({ index }, at) => index < 0 || lines.findIndex((one) => one.index === index) < at))
    throw new BadRequest('line_items must name each line of the order once')
  return lines
}

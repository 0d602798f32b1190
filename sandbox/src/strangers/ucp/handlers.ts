import type { Means } from '../shop/card-processor.ts'
import type { Desk } from '../shop/desk.ts'
import { sellerProfile } from '../shop/stripe-seller.ts'
import { type Face, mainHost } from './face.ts'
import { firstRelease, type Release } from './releases.ts'

/** The host of the network whose tokens pay here. The name of the handler is its reverse. */
export const networkHost = 'pay.test'
const handlerName = 'test.pay.processor_token'
const handlerId = 'processor_token'
const handlerVersion = '2026-11-01'
export const schemaPath = '/ucp/processor_token.schema.json'

const foreignHandler = {
  id: 'elsewhere_pay',
  version: '2026-02-02',
  available_instruments: [{ type: 'wallet' }],
}

/** The handler of Stripe: a shared payment token that is issued for this seller. */
const sharedHandlerId = 'stripe_payments'
const sharedHandler = {
  id: sharedHandlerId,
  version: '2026-04-22',
  spec: 'https://docs.stripe.com/agentic-commerce/protocols/ucp/stripe-payments-handler',
  available_instruments: [{ type: 'card' }],
  config: { network_id: sellerProfile },
}

/** Whether it has an account at Stripe. */
export function takesShared({ desk }: { desk: Pick<Desk, 'stripeUrl'> }): boolean {
  return desk.stripeUrl !== undefined
}

type Handlers = Readonly<Record<string, readonly { id: string; version: string }[]>>

/**
 * How the shop can be paid, in the registry of later releases. `isPaidElsewhere`: with nothing that anybody has. `takesShared`: by shared
 * payment tokens, too.
 */
export function handlersOf(
  face: Face,
  { isPaidElsewhere = false, takesShared }: { isPaidElsewhere?: boolean | undefined; takesShared: boolean },
): Handlers {
  if (!face.isPayable || isPaidElsewhere) return { 'com.example.elsewhere.pay': [foreignHandler] }
  const handler = {
    id: handlerId,
    version: handlerVersion,
    spec: `https://${networkHost}/`,
    schema: `https://${networkHost}${schemaPath}`,
    available_instruments: [{ type: 'card' }],
    config: { merchant: face.host },
  }
  return {
    [handlerName]: [handler],
    ...(takesShared ? { 'com.stripe.payments': [sharedHandler] } : {}),
  }
}

/** The same as the first release lists it, which nobody uses with shared tokens. */
export function handlerList(face: Face, isPaidElsewhere = false): object[] {
  return Object.entries(handlersOf(face, { isPaidElsewhere, takesShared: false })).flatMap(
    ([name, entries]) =>
      entries.map(({ id, version }) => ({
        id,
        name,
        version,
        spec: `https://${networkHost}/`,
        config_schema: `https://${networkHost}${schemaPath}`,
        instrument_schemas: [`https://${networkHost}${schemaPath}`],
        config: { merchant: face.host },
      })),
  )
}

/** What the network says of its tokens. */
export function handlerSchema(): object {
  const entity = (part: string) => ({
    allOf: [{ $ref: `https://ucp.dev/2026-08-25/schemas/payment_handler.json#/$defs/${part}` }],
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://${networkHost}${schemaPath}`,
    name: handlerName,
    version: handlerVersion,
    title: 'Token of the processor',
    description: `Pays with a credential that the processor has issued for one shop, such as ${mainHost}. It is used once.`,
    $defs: {
      [handlerName]: {
        payment_instrument: {
          type: 'object',
          required: ['id', 'handler_id', 'type', 'credential'],
          properties: {
            id: { type: 'string' },
            handler_id: { const: handlerId },
            type: { const: 'card' },
            credential: {
              type: 'object',
              required: ['type', 'token'],
              properties: { type: { const: 'token' }, token: { type: 'string', minLength: 1 } },
            },
          },
        },
        platform_schema: entity('platform_schema'),
        business_schema: entity('business_schema'),
        response_schema: entity('response_schema'),
      },
    },
  }
}

/** What one instrument of a request is paid with; or why it is not. */
export function readInstrument(
  body: Readonly<Record<string, unknown>>,
  release: Release,
): { kind: 'means'; means: Means } | { kind: 'refused'; why: string } {
  const chosen = release === firstRelease ? body.payment_data : selectedOf(body.payment)
  const instrument = recordOf(chosen)
  const credential = recordOf(instrument.credential)
  const { type, token } = credential
  if (instrument.handler_id === sharedHandlerId)
    return type === 'shared_payment_token' && typeof token === 'string' && /^spt_\w{1,200}$/.test(token)
      ? { kind: 'means', means: { sharedToken: token } }
      : { kind: 'refused', why: 'The credential is {"type": "shared_payment_token", "token": "spt_…"}.' }
  if (instrument.handler_id !== handlerId)
    return { kind: 'refused', why: 'Choose one instrument of a payment handler of this checkout.' }
  if (type !== 'token' || typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token))
    return { kind: 'refused', why: 'The credential is {"type": "token", "token": "…"}.' }
  return { kind: 'means', means: { token } }
}

function selectedOf(payment: unknown): unknown {
  const { instruments } = recordOf(payment)
  if (!Array.isArray(instruments)) return undefined
  const selected = instruments.filter((one) => recordOf(one).selected === true)
  const candidates = selected.length > 0 ? selected : instruments
  return candidates.length === 1 ? candidates[0] : undefined
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}

import type { Settings } from '../../contract/context.ts'
import type { DeclaredHandler } from '../../protocols/ucp/write-profile.ts'
import { sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { PaymentHandlers, Ucp } from './ucp-parts.ts'

const version = '2026-11-24'

type Handler = {
  /** The id of the handler, and the type of its credential. */
  readonly id: 'test_card' | 'vault_token'
  readonly title: string
  readonly description: string
  readonly token: Readonly<Record<string, unknown>>
}

const testCard: Handler = {
  id: 'test_card',
  title: 'Test card',
  description:
    'Pays in test mode with the identifier of a test card, such as visa_auto_approved or visa_issuer_declined. No money moves.',
  token: { type: 'string', pattern: '^[a-z_]{1,64}$', examples: ['visa_auto_approved'] },
}

const vaultToken: Handler = {
  id: 'vault_token',
  title: 'Vault token',
  description:
    'Pays by a purchase that was approved at this service: a payment token of one merchant, one checkout and one amount, which is used once.',
  token: { type: 'string', minLength: 1, maxLength: 4096 },
}

/**
 * The handler of Stripe, for shared payment tokens. Its name is Stripe's, so its schema could stand only on a host of Stripe's, which has
 * published none.
 */
function stripePayments(networkId: string | undefined): Record<string, DeclaredHandler[]> {
  if (networkId === undefined) return {}
  const handler: DeclaredHandler = {
    id: 'stripe_payments',
    version: '2026-04-22',
    spec: 'https://docs.stripe.com/agentic-commerce/protocols/ucp/stripe-payments-handler',
    available_instruments: [{ type: 'card' }],
    // The profile of the seller, for which a token is issued.
    config: { network_id: networkId },
  }
  return { 'com.stripe.payments': [handler] }
}

type Paid = Pick<Settings, 'sharedTokenNetworks'>

/** In test mode platforms pay with test cards as well. What no rail charges is not offered. */
export function paymentHandlers(
  publicUrl: string,
  { sharedTokenNetworks: networks = {} }: Paid,
): PaymentHandlers {
  const declared = (handlers: readonly Handler[]) =>
    Object.fromEntries(
      handlers.map(({ id }): [string, DeclaredHandler[]] => [
        nameOf(publicUrl, id),
        [
          {
            id,
            version,
            spec: `${publicUrl}/docs`,
            schema: `${publicUrl}${schemaPath(id)}`,
            available_instruments: [{ type: 'card' }],
          },
        ],
      ]),
    )
  const ofMode = {
    test: { ...declared([testCard, vaultToken]), ...stripePayments(networks.test) },
    // The rail of live mode keeps cards itself, and takes none of the vault.
    live: stripePayments(networks.live),
  }
  return (_release, mode) => ofMode[mode]
}

function nameOf(publicUrl: string, id: Handler['id']): string {
  return `${authorityOf(publicUrl)}.${id}`
}

/** A name belongs to the host that it is the reverse of, which serves its schema. */
function authorityOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const labels = hostname.split('.')
  // A host on this machine has no such name, and nobody else reads its profile.
  const isName = labels.length > 1 && labels.every((label) => /^[a-z][a-z0-9-]*$/.test(label))
  return isName ? labels.reverse().join('.') : 'test.localhost'
}

function schemaPath(id: Handler['id']): string {
  return `/ucp/payment_handlers/${id}.schema.json`
}

/** The schemas of what a platform sends. */
export function mountPaymentHandlers({ http, context, dialect }: Ucp): void {
  for (const handler of [testCard, vaultToken]) {
    const path = schemaPath(handler.id)
    const schema = schemaOf(context.publicUrl, handler)
    http.route({
      methods: ['GET', 'HEAD'],
      path,
      dialect,
      async serve(exchange) {
        sendDocument(http, exchange, schema)
        context.onRequest(plainLineOf(exchange, { route: path, status: 200, code: null }))
      },
    })
  }
}

function schemaOf(publicUrl: string, { id, title, description, token }: Handler) {
  const name = nameOf(publicUrl, id)
  const entity = (part: string) => ({
    allOf: [{ $ref: `https://ucp.dev/2026-08-25/schemas/payment_handler.json#/$defs/${part}` }],
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${publicUrl}${schemaPath(id)}`,
    name,
    version,
    title,
    description,
    $defs: {
      [name]: {
        payment_instrument: {
          type: 'object',
          required: ['id', 'handler_id', 'type', 'credential'],
          properties: {
            id: { type: 'string' },
            handler_id: { const: id },
            type: { const: 'card' },
            credential: {
              type: 'object',
              required: ['type', 'token'],
              properties: { type: { const: id }, token },
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

/** Handlers as an answer names them: where they are described stands in the profile. */
export function inAnswers(handlers: ReturnType<PaymentHandlers>): Record<string, object[]> {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, entries]) => [
      name,
      entries.map(({ id, version: ofHandler, available_instruments, config }) => ({
        id,
        version: ofHandler,
        available_instruments,
        ...(config ? { config } : {}),
      })),
    ]),
  )
}

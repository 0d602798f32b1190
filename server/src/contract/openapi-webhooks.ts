import Type, { type TSchema } from 'typebox'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type Audience, audiences, type EventCatalog, type EventData, type EventFacts } from './event.ts'
import type { Show } from './openapi-components.ts'
import { At, Closed, IdOf, ModeSchema, Named } from './schemas.ts'

/** The webhooks of destinations: each type of event that can be sent, with the body of the request. */
export function webhookObjects(events: EventCatalog, show: Show): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...events.types].flatMap(([type, facts]) => {
      const bodies = bodiesOf(type, facts)
      return bodies.length > 0 ? [[type, { post: requestObject(type, facts, bodies.map(show.answer)) }]] : []
    }),
  )
}

/** The group of operations that they belong to. */
export const webhooksTag = 'Webhooks'
export const aboutWebhooks = 'What is sent to destinations, one request for each event.'

const receivers: Readonly<Record<Audience, string>> = {
  merchant: 'merchant destinations that subscribe to it',
  buyer: 'event destinations that subscribe to it',
}

function requestObject(type: string, facts: EventFacts, bodies: JsonSchema[]): JsonSchema {
  const told = audiences.filter((audience) => facts[audience] !== undefined).map((each) => receivers[each])
  if (facts.oneDestination) told.push('the destination that it is for, whatever that subscribes to')
  return {
    operationId: `receive_${type.replaceAll('.', '_')}`,
    tags: [webhooksTag],
    summary: facts.summary,
    description: `Sent to ${told.join(' and to ')}.`,
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: name !== 'Service-Response-URL',
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } } },
    },
    responses: {
      '2XX': {
        description: 'The event was received. Any other answer, or none in time, and it is sent again.',
      },
      '410': { description: 'Nobody wants events here any more: the destination is disabled.' },
    },
  }
}

const headers = {
  'Service-Signature':
    "`t=<seconds>,v1=<hex>`: an HMAC-SHA256 of the timestamp, a dot and the body's bytes under the destination's secret.",
  'Service-Webhook-Id': 'The id of the event: each attempt has the same.',
  'Service-Webhook-Event': 'The type of the event.',
  'Service-Destination-Id': 'The destination that it is sent to.',
  'Service-Response-URL': 'Where this destination may answer the event; absent where it may not.',
} as const

/** One body for each form of `data`; both audiences may have the same. */
function bodiesOf(type: string, facts: EventFacts): TSchema[] {
  const forms = [facts.buyer, facts.merchant, facts.oneDestination].filter((data) => data !== undefined)
  const different = forms.filter(
    (data, index) => forms.findIndex((other) => JSON.stringify(other) === JSON.stringify(data)) === index,
  )
  return different.map((data) => {
    const isMerchants = different.length > 1 && data === facts.merchant
    return Named(`${isMerchants ? 'Merchant' : ''}${pascal(type)}Event`, bodySchema(type, facts, data))
  })
}

function bodySchema(type: string, facts: EventFacts, data: EventData): TSchema {
  return Closed(
    {
      id: IdOf('evt', 'The id of the event: each attempt has the same.'),
      object: Type.Literal('event', { description: 'The type of this object.' }),
      type: Type.Literal(type, { description: 'What happened.' }),
      api_version: Type.Literal('v1', { description: 'The version that the body is of.' }),
      mode: ModeSchema,
      created_at: At('When it happened.'),
      data: Closed(data, { description: 'What it happened to, right after.' }),
    },
    { description: facts.summary },
  )
}

function pascal(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

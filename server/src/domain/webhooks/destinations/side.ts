import Type from 'typebox'
import type { Audience, EventCatalog } from '../../../contract/event.ts'
import { Closed, IdParam, Metadata, Named, OneOf, Text } from '../../../contract/schemas.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { Ruled } from '../../../schema/rules.ts'
import { deliverySchema } from './delivery.ts'
import { destinationSchema } from './destination.ts'
import { endpointRules } from './endpoint-url.ts'
import { selectorsOf } from './event-types.ts'

/** The paths and names of one audience's destinations: everything else is the same. */
export type Side = ReturnType<typeof sideOf>

export type SideNames = {
  audience: Audience
  noun: 'merchant_destination' | 'event_destination'
  /** For sentences: with its article, and in the plural. */
  one: string
  many: string
  path: `/v1/${string}`
  tag: string
  /** The path parameter of a destination. */
  param: 'destination_id' | 'event_destination_id'
  scopes: { read: Scope; write: Scope }
  components: { destination: string; delivery: string; recovery: string }
  /** The description of its list of event types. */
  types: string
}

const responds_to_quotes = Type.Boolean({
  description:
    'The designated quote responder, at most one per merchant and mode. Implies `quote.requested`.',
})

const endpoint_url = Ruled(
  Type.String({
    format: 'endpoint-url',
    maxLength: 2048,
    description:
      'An https URL of a public host. In test mode also of a loopback address, and then plain http too, where the server allows it.',
  }),
  endpointRules,
)

const merchants: SideNames = {
  audience: 'merchant',
  noun: 'merchant_destination',
  one: 'a merchant destination',
  many: 'merchant destinations',
  path: '/v1/merchant/destinations',
  tag: 'Merchant destinations',
  param: 'destination_id',
  scopes: { read: 'merchant:read', write: 'merchant:write' },
  components: {
    destination: 'MerchantDestination',
    delivery: 'MerchantDelivery',
    recovery: 'MerchantDestinationRecovery',
  },
  types:
    'A destination that subscribes to order.requested, order.confirmed and order.rejected may answer orders.',
}

const buyers: SideNames = {
  audience: 'buyer',
  noun: 'event_destination',
  one: 'an event destination',
  many: 'event destinations',
  path: '/v1/event_destinations',
  tag: 'Event destinations',
  param: 'event_destination_id',
  scopes: { read: 'event_destinations:read', write: 'event_destinations:write' },
  components: {
    destination: 'EventDestination',
    delivery: 'EventDelivery',
    recovery: 'EventDestinationRecovery',
  },
  types: 'A family such as `order.*` stands for every type that it has now.',
}

export const sides: Readonly<Record<Audience, SideNames>> = { merchant: merchants, buyer: buyers }

/** A side as its operations need it, with the types of events that exist. */
export function sideOf(audience: Audience, events: EventCatalog) {
  const names = sides[audience]
  const { components, types: description } = names
  const shown = Named(
    `${components.destination}EventType`,
    OneOf([...events.subscribable[audience]], { description: 'A type of event.' }),
  )
  const written =
    audience === 'merchant'
      ? shown
      : Named(
          `${components.destination}EventSelector`,
          OneOf([...selectorsOf(audience, events)], {
            description: 'A type of event, or a family such as `order.*`.',
          }),
        )
  return {
    ...names,
    /** The types of events, from which a choice is read. */
    events,
    destination: destinationSchema(components.destination, Type.Array(shown, { maxItems: 100, description })),
    delivery: deliverySchema(components.delivery),
    params: { [names.param]: IdParam('The destination.', 'dest') },
    fields: {
      name: Text(255, { description: 'A name for people.' }),
      ...(audience === 'merchant' ? { responds_to_quotes } : {}),
      event_types: Type.Array(written, { maxItems: 100, description }),
      webhook: Closed({ endpoint_url }, { description: 'Where to send events.' }),
      metadata: Metadata,
    },
    /** The id of the destination that a validated path names. */
    idIn: (path: Readonly<Record<string, string>>): string => path[names.param] ?? '',
  }
}

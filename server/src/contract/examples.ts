import { type IdPrefix, idPrefixes } from '../core/id.ts'
import { isObject } from '../schema/schema-node.ts'

/**
 * A request that a reader can copy, with what it is for. Ids of the path are not named: the document shows one of each parameter's kind.
 * A test holds each against the schema, and sends it.
 */
export type RequestExample<Query = object, Body = unknown> = {
  /** Its place among the others of the operation: an imperative, without a full stop. */
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Where the body is a file: which of the media types it is of. */
  readonly content?: string
}

/** By name: lower case, with underscores. The first is the one to read first. */
export type RequestExamples<Query = object, Body = unknown> = Readonly<
  Record<string, RequestExample<Query, Body>>
>

const tail = '01jb2w9m4ye6xs3kq8t7v5c0zd'

/** An id as it looks. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_${tail}`
}

/** What the member that holds an id is called, where that does not begin with the id's own prefix. */
const prefixes: Readonly<Record<string, IdPrefix>> = {
  profile_id: 'prof',
  address_id: 'addr',
  payment_method_id: 'pm',
  profile_payment_method_id: 'pm',
  purchase_intent_id: 'pi',
  cart_id: 'cart',
  policy_id: 'pol',
  api_key_id: 'agent',
  quote_id: 'quo',
  offer_id: 'offer',
  order_id: 'ord',
  return_id: 'ret',
  fulfillment_id: 'ful',
  event_id: 'evt',
  destination_id: 'dest',
  event_destination_id: 'dest',
  check_id: 'chk',
  location_id: 'loc',
  market_id: 'mkt',
  rate_card_id: 'rc',
  promotion_id: 'promo',
  link_id: 'onb',
  item_id: 'cat',
  catalog_item_id: 'cat',
  catalog_variant_id: 'var',
  variant_id: 'var',
  import_id: 'imp',
  credential_ticket_id: 'ticket',
}

/** The prefix of ids that stand under this name, alone or in a list; undefined where the name does not say. */
export function idPrefixOf(name: string): IdPrefix | undefined {
  const single = name.replace(/_ids$/, '_id')
  return prefixes[single] ?? idPrefixes.find((prefix) => single === `${prefix}_id`)
}

/** Whether an operation shows all that a request needs: a body, where it takes one. Ids and headers are shown by the document itself. */
export function lacksExample(operation: {
  readonly body?: unknown
  readonly examples: RequestExamples
}): boolean {
  return isObject(operation.body) && !Object.values(operation.examples).some(({ body }) => body !== undefined)
}

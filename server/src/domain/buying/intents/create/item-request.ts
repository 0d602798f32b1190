import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Sealer } from '../../../../contract/context.ts'
import { checkAll, invalid } from '../../../../contract/problem.ts'
import { Closed, Nullable, OneOf, Text } from '../../../../contract/schemas.ts'
import { given, not, Ruled, whenThen } from '../../../../schema/rules.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const bodyBytesMax = 65_536

/** The rules for requests that a schema cannot express. */
export const requestRules = {
  alone: 'an item with a request has a quantity of 1, no variant and no quote_id',
  inputs: 'a quote has its inputs: leave them out here',
  body: 'a body needs a content_type and a method other than GET; without a body send no content_type',
  bytes: 'the body has more than 65,536 bytes',
}

/** What is sent to the URL of an item. The rules stand at the item. */
export const ItemRequest = Ruled(
  Closed({
    method: Type.Optional(OneOf(methods, { default: 'GET', description: 'The method.' })),
    content_type: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: '^[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,80}(?: ?; ?[\\x21-\\x7e]{1,100})?$',
        description: 'The media type of the body.',
        examples: ['application/json'],
      }),
    ),
    body: Type.Optional(Text(bodyBytesMax, { description: 'The body; only its merchant sees it again.' })),
  }),
  { body: requestRules.body, bytes: requestRules.bytes },
  [
    whenThen(given('body'), given('content_type')),
    whenThen(given('content_type'), given('body')),
    whenThen(given('body'), { required: ['method'], properties: { method: { enum: methods.slice(1) } } }),
  ],
)
export type ItemRequest = Static<typeof ItemRequest>

/** What holds for an item that has one. */
export const aloneWithRequest = [
  whenThen(given('request', 'object'), { properties: { quantity: { const: 1 } } }),
  whenThen(given('request', 'object'), not(given('variant', 'object'))),
  whenThen(given('request', 'object'), not(given('quote_id'))),
]

type WithRequest = {
  readonly quantity: number
  readonly variant?: object
  readonly quote_id?: string
  readonly request?: ItemRequest
  readonly inputs?: object
}

/** Throws the 422 for items whose requests or inputs contradict themselves. */
export function checkRequests(items: readonly WithRequest[]): void {
  checkAll(...items.map((item, index) => () => checkRequest(item, ['body', 'items', index])))
}

function checkRequest(
  { quantity, variant, quote_id, request, inputs }: WithRequest,
  at: (string | number)[],
): void {
  if (quote_id !== undefined && inputs !== undefined) throw invalid([...at, 'inputs'], requestRules.inputs)
  if (request === undefined) return
  const { method = 'GET', content_type, body } = request
  if (quantity !== 1 || variant !== undefined || quote_id !== undefined)
    throw invalid([...at, 'request'], requestRules.alone)
  if ((body === undefined) !== (content_type === undefined) || (body !== undefined && method === 'GET'))
    throw invalid([...at, 'request', 'body'], requestRules.body)
  if (body !== undefined && Buffer.byteLength(body) > bodyBytesMax)
    throw invalid([...at, 'request', 'body'], requestRules.bytes)
}

/** A request as an item shows it. What is in its body is said to its merchant alone. */
export const ShownRequest = Closed({
  method: OneOf(methods, { description: 'The method.' }),
  content_type: Nullable(Type.String({ description: 'The media type of the body; null if it has none.' })),
  body_bytes: Type.Integer({ minimum: 0, description: 'How many bytes the body has; 0 if there is none.' }),
  body_sha256: Nullable(
    Type.String({ description: 'The SHA-256 of the body, in hexadecimal digits; null if it has none.' }),
  ),
})
type ShownRequest = Static<typeof ShownRequest>

/** A request as it is stored with its item. A body may hold anything that a person has said, so it is sealed. */
export type StoredRequest = ShownRequest & { readonly sealed: string | null }

const sealedAs = 'body of a request'

export function storedRequest(sealer: Sealer, itemId: string, request: ItemRequest): StoredRequest {
  const { method = 'GET', content_type = null, body } = request
  return {
    method,
    content_type,
    body_bytes: body === undefined ? 0 : Buffer.byteLength(body),
    body_sha256: body === undefined ? null : createHash('sha256').update(body).digest('hex'),
    sealed: body === undefined ? null : sealer.seal(body, sealedAs, itemId).toString('base64'),
  }
}

export function shownRequest({ method, content_type, body_bytes, body_sha256 }: StoredRequest): ShownRequest {
  return { method, content_type, body_bytes, body_sha256 }
}

/** The request with its body, for the way of buying that sends it. */
export function openRequest(
  sealer: Sealer,
  itemId: string,
  { method, content_type, sealed }: StoredRequest,
): { method: StoredRequest['method']; contentType: string | null; body: string | null } {
  const body = sealed === null ? null : sealer.open(Buffer.from(sealed, 'base64'), sealedAs, itemId)
  return { method, contentType: content_type, body }
}

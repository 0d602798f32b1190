import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  At,
  Changes,
  Closed,
  Described,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { targetRefusals } from '../../../platform/egress/target.ts'
import { Ruled } from '../../../schema/rules.ts'

/** How many an account may have published in a mode: its manifest has to stay small. */
export const publishedMax = 100

const offersMax = 5
const categoriesMax = 5
export const schemaBytesMax = 16 * 1024
export const schemaDepthMax = 16

export const MppApiStatus = OneOf(['published', 'archived'], {
  description: '`published`: payers find it. `archived`: they no longer do.',
})

/** The rules for a custom API beyond its schema. */
export const mppApiRules = {
  malformed: `url ${targetRefusals.malformed}`,
  scheme: `url ${targetRefusals.scheme}`,
  userinfo: `url ${targetRefusals.userinfo}`,
  host: `url ${targetRefusals.host}`,
  address: `url ${targetRefusals.address}`,
  domain: "url must be on the merchant's domain",
  size: `request_schema may have at most ${schemaBytesMax} bytes as JSON`,
  depth: `request_schema may be at most ${schemaDepthMax} levels deep`,
  currency: 'an amount needs a currency',
}

const Offer = Closed({
  intent: OneOf(['charge', 'session'], {
    description: '`charge`: each call is paid. `session`: calls are paid from a deposit.',
  }),
  method: Type.String({
    pattern: '^[a-z][a-z0-9:_-]{0,63}$',
    noCardNumber: true,
    description: 'The payment method as the protocol names it, such as tempo or stripe.',
  }),
  amount: Type.Optional(
    Nullable(
      // Not looked at for card numbers: 4200000000000000 is a price, in the smallest units of a token.
      Type.String({
        pattern: '^[0-9]{1,40}$',
        description: 'The price as text, in base units of the currency; null if it depends on the request.',
      }),
    ),
  ),
  currency: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9:._/-]{0,99}$',
        noCardNumber: true,
        description: 'The currency as the method writes it, such as usd or the address of a token.',
      }),
    ),
  ),
})

/** The fields of a custom API that a caller writes. */
export const MppApiFields = {
  name: Text(255, { description: 'What payers call it.' }),
  description: Text(1000, { description: 'What it does, for people and agents.' }),
  method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'The method of the request.' }),
  url: Ruled(
    Type.String({
      format: 'endpoint-url',
      description: "Its https address, on the merchant's domain or below it. It is not called from here.",
    }),
    {
      malformed: mppApiRules.malformed,
      scheme: mppApiRules.scheme,
      userinfo: mppApiRules.userinfo,
      host: mppApiRules.host,
      address: mppApiRules.address,
      domain: mppApiRules.domain,
    },
  ),
  request_schema: Nullable(
    Ruled(
      Type.Object(
        {},
        {
          additionalProperties: true,
          noCardNumber: true,
          description: 'The JSON Schema of its request body; null if it takes none.',
        },
      ),
      { size: mppApiRules.size, depth: mppApiRules.depth },
    ),
  ),
  offers: Ruled(
    Type.Array(Offer, {
      minItems: 1,
      maxItems: offersMax,
      description: 'The ways in which a call can be paid. What the API itself asks for counts.',
    }),
    { currency: mppApiRules.currency },
  ),
  categories: Type.Array(
    Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9 _-]{0,98}[a-z0-9])?$',
      noCardNumber: true,
    }),
    {
      maxItems: categoriesMax,
      uniqueItems: true,
      description: 'Words in lower case by which the registry finds it, such as data, media or travel.',
    },
  ),
  metadata: Metadata,
}

export const MppApiUpdate = Changes(MppApiFields)
export type MppApiUpdate = Static<typeof MppApiUpdate>

export const MppApiParams = { mpp_api_id: IdParam('The custom API.', 'mapi') }

export const MppApi = Named(
  'MppApi',
  Closed(
    {
      ...objectHead('mapi', 'mpp_api'),
      status: MppApiStatus,
      name: Type.String({ description: 'What payers call it.' }),
      description: Type.String({ description: 'What it does, for people and agents.' }),
      method: MppApiFields.method,
      url: Type.String({ description: 'Its address.' }),
      request_schema: Nullable(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'The JSON Schema of its request body; null if it takes none.',
          },
        ),
      ),
      offers: Type.Array(
        Closed({
          intent: Described(Offer.properties.intent, 'How it is paid.'),
          method: Type.String({ description: 'The payment method.' }),
          amount: Nullable(
            Type.String({
              description: 'The price, in base units of the currency; null if it depends on the request.',
            }),
          ),
          currency: Nullable(
            Type.String({ description: 'The currency as the method writes it; null if it names none.' }),
          ),
        }),
        { description: 'The ways in which a call can be paid.' },
      ),
      categories: Type.Array(Type.String(), { description: 'Words by which the registry finds it.' }),
      metadata: Metadata,
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    {
      description:
        "A paid API that a merchant runs at its own domain. It is shown to payers while it is published and within the merchant's domain.",
    },
  ),
)
export type MppApi = Static<typeof MppApi>

export type MppApiRow = {
  id: Id<'mapi'>
  name: string
  description: string
  method: MppApi['method']
  url: string
  /** In lower case; null: it is on this machine, which test mode allows and no domain covers. */
  host: string | null
  request_schema: MppApi['request_schema']
  offers: MppApi['offers']
  categories: string[]
  status: MppApi['status']
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export function renderMppApi(row: MppApiRow, mode: Mode): MppApi {
  return {
    id: row.id,
    object: 'mpp_api',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    name: row.name,
    description: row.description,
    method: row.method,
    url: row.url,
    request_schema: row.request_schema,
    offers: row.offers,
    categories: row.categories,
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

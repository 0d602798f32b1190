import Type, { type Static } from 'typebox'
import {
  Amount,
  Closed,
  CountryCode,
  CurrencyCode,
  Described,
  IdParam,
  Named,
  OneOf,
  Text,
} from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'
import { AgenticCatalogItemType } from '../../selling/catalog/public.ts'
import { cursorLengthMax } from './cursor.ts'

export const limitDefault = 10
const limitMax = 50

/** The rules of a search beyond its schema. */
export const searchRules = {
  one_name: 'name the merchant by exactly one of id, slug and domain',
  nothing: 'give a query, a merchant or a filter',
  currency: 'prices can be compared only in one currency: give context.currency',
  cursor: 'this cursor belongs to another search, has expired, or is none of ours: begin without it',
}

export const MerchantRef = Named(
  'CatalogMerchantRef',
  Ruled(
    Closed(
      {
        id: Type.Optional(IdParam('The merchant, or its registry entry.', 'acct')),
        slug: Type.Optional(Text(63, { description: 'Its slug.' })),
        domain: Type.Optional(Type.String({ format: 'domain', description: 'Its verified domain.' })),
      },
      { description: 'One merchant, by exactly one of its names.' },
    ),
    { one_name: searchRules.one_name },
  ),
)
export type MerchantRef = Static<typeof MerchantRef>

const Context = Closed(
  {
    country: Type.Optional(Described(CountryCode, 'Where the buyer is.')),
    region: Type.Optional(Text(100, { description: 'The region of the buyer.' })),
    postal_code: Type.Optional(Text(20, { description: 'The postal code of the buyer.' })),
    currency: Type.Optional(
      Described(CurrencyCode, 'The currency of prices. A filter or an order by price needs it.'),
    ),
    language: Type.Optional(Text(35, { description: 'The language of the buyer, BCP 47.' })),
  },
  {
    description:
      'What is known of the buyer. It is a hint: nothing is decided by it but the currency of prices.',
  },
)

const Filters = Closed(
  {
    categories: Type.Optional(
      Type.Array(Text(255), {
        minItems: 1,
        maxItems: 20,
        description: 'Only items in one of these categories.',
      }),
    ),
    item_types: Type.Optional(
      Type.Array(AgenticCatalogItemType, {
        minItems: 1,
        maxItems: 6,
        description: 'Only items of these kinds.',
      }),
    ),
    price: Type.Optional(
      Closed(
        {
          min: Type.Optional(Amount('The lowest price, in minor units.')),
          max: Type.Optional(Amount('The highest price, in minor units.')),
        },
        { description: 'Only items that have a variant at such a price, in `context.currency`.' },
      ),
    ),
    available: Type.Optional(
      Type.Boolean({ description: 'Only items that can be bought now; false: only others.' }),
    ),
    merchants: Type.Optional(
      Type.Array(MerchantRef, { minItems: 1, maxItems: 20, description: 'Only items of these merchants.' }),
    ),
  },
  { description: 'All of them must hold.' },
)

export const CatalogSearch = Named(
  'CatalogSearch',
  Ruled(
    Closed(
      {
        query: Type.Optional(Text(255, { description: 'Words to find. Spelling mistakes are forgiven.' })),
        merchant: Type.Optional(MerchantRef),
        context: Type.Optional(Context),
        filters: Type.Optional(Filters),
        sort: Type.Optional(
          OneOf(['relevance', 'price_asc', 'price_desc'], {
            description: 'Default: `relevance`; without a query the newest first.',
          }),
        ),
        pagination: Type.Optional(
          Closed(
            {
              cursor: Type.Optional(
                Type.String({
                  minLength: 1,
                  maxLength: cursorLengthMax,
                  description: '`pagination.cursor` of the page before. It is good for an hour.',
                }),
              ),
              limit: Type.Optional(
                Type.Integer({
                  minimum: 1,
                  maximum: limitMax,
                  description: `How many products to return. Default: ${limitDefault}.`,
                }),
              ),
            },
            { description: 'Which page.' },
          ),
        ),
      },
      { description: 'What to look for.' },
    ),
    { nothing: searchRules.nothing, currency: searchRules.currency, cursor: searchRules.cursor },
  ),
)
export type CatalogSearch = Static<typeof CatalogSearch>

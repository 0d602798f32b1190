import Type, { type Static } from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Named, OneOf, Text } from '../../../contract/schemas.ts'
import { takeRates } from '../../../platform/limits/rates.ts'
import { type Attribution, readAttribution } from './attribution-id.ts'
import { insertImpressions } from './attributions.sql.ts'
import { variantKey } from './variant-key.ts'

const linesMax = 6

const ImpressionLine = Named(
  'CatalogImpressionLine',
  Closed(
    {
      attribution_id: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The `attribution_id` of the search that returned the product.',
      }),
      item_id: Text(255, { description: 'The id of the product, as the search returned it.' }),
      variant_id: Type.Optional(
        Text(255, { description: 'The id of the variant that was shown, if only one was.' }),
      ),
      presentation_id: Type.Optional(
        Text(255, { description: 'Your name for where it was shown. Another one does not count again.' }),
      ),
    },
    { description: 'Something that a person has seen.' },
  ),
)

const CatalogImpressionsResult = Named(
  'CatalogImpressionsResult',
  Closed(
    {
      confirmed: Type.Integer({ minimum: 0, description: 'How many lines were counted.' }),
      duplicates: Type.Integer({ minimum: 0, description: 'How many lines had been counted before.' }),
      rejected: Type.Array(
        Closed({
          index: Type.Integer({ minimum: 0, description: 'The place of the line, from 0.' }),
          code: OneOf(['attribution_invalid', 'attribution_expired', 'not_shown'], {
            description:
              '`attribution_invalid`: it is no attribution id of ours. `attribution_expired`: it is too old. `not_shown`: the search did ' +
              'not return this product, or the product has no such variant.',
          }),
        }),
        { description: 'Lines that count for nothing.' },
      ),
    },
    { description: 'What was counted.' },
  ),
)

type Line = { index: number; attribution: Attribution; itemId: string; variantId: string }

export const confirmCatalogImpressions = defineOperation({
  id: 'v1_confirm_catalog_impressions',
  method: 'POST',
  path: '/v1/catalog/impressions',
  auth: 'none',
  scope: null,
  surfaces: ['v1'],
  forBound: 'served',
  tag: 'Catalog',
  summary: 'Confirm what a person has seen',
  description:
    'Counts products of a search that were shown to a person. Each product, or exact variant, counts once for each search, however ' +
    'often it is sent. Send it after what was shown is stored.',
  body: Named(
    'CatalogImpressions',
    Closed(
      {
        lines: Type.Array(ImpressionLine, {
          minItems: 1,
          maxItems: linesMax,
          description: 'What was seen.',
        }),
      },
      { description: 'What was seen.' },
    ),
  ),
  examples: {
    product: {
      summary: 'A product of a search',
      body: { lines: [{ attribution_id: 'attr_AQG3…', item_id: 'cat_01m86dbck9ew5acc01adqsy0fe' }] },
    },
  },
  responses: { 200: CatalogImpressionsResult },
  problems: ['rate_limited'],
  async handle(ctx, { body }) {
    const read = body.lines.map((line) => readAttribution(line.attribution_id, ctx.sealer))
    const lines = body.lines.flatMap((line, index): Line[] => {
      const attribution = read[index]
      if (!attribution || attribution.expiresAt <= ctx.now) return []
      return [{ index, attribution, itemId: line.item_id, variantId: line.variant_id ?? '' }]
    })
    const named = [...new Set(lines.map(({ attribution }) => attribution.id.toString('base64url')))].sort()
    await takeRates(ctx, [
      { limit: 'impressions', subject: ctx.address },
      ...named.map((subject) => ({ limit: 'attributionImpressions' as const, subject })),
    ])
    const outcomes =
      lines.length === 0 ? [] : await ctx.tx.rows(insertImpressions({ ...arraysOf(lines), now: ctx.now }))
    const of = (outcome: string) => outcomes.filter((line) => line.outcome === outcome)
    return reply(200, {
      confirmed: of('confirmed').length,
      duplicates: of('duplicate').length,
      rejected: read.flatMap((attribution, index): Rejected[] => {
        if (!attribution) return [{ index, code: 'attribution_invalid' }]
        const outcome = outcomes.find(({ place }) => place === index)?.outcome ?? 'unknown'
        if (outcome === 'unknown') return [{ index, code: 'attribution_expired' }]
        return outcome === 'not_shown' ? [{ index, code: 'not_shown' }] : []
      }),
    })
  },
})

type Rejected = Static<typeof CatalogImpressionsResult>['rejected'][number]

function arraysOf(lines: readonly Line[]) {
  return {
    places: lines.map(({ index }) => index),
    modes: lines.map(({ attribution }) => attribution.mode),
    attribution_ids: lines.map(({ attribution }) => attribution.id),
    item_ids: lines.map(({ itemId }) => itemId),
    variant_ids: lines.map(({ variantId }) => variantId),
    variant_keys: lines.map(({ itemId, variantId }) => variantKey(itemId, variantId)),
  }
}

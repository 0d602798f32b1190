import Type, { type Static } from 'typebox'
import { checkAll, invalid } from '../../../contract/problem.ts'
import { Amount, Closed, Described, Named, OneOf, Text } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'

export const tierBases = ['weight', 'order_value', 'distance', 'item_count', 'label'] as const
export type TierBasis = (typeof tierBases)[number]

const tiersMax = 200

const Tier = Named(
  'RateTier',
  Closed(
    {
      up_to: Type.Optional(
        Type.Union(
          [
            Type.Number({ minimum: 0, maximum: 1_000_000_000_000 }),
            Type.Null({ description: 'No end; only for the last tier.' }),
          ],
          {
            description:
              'The most that the tier covers, itself included: grams, amounts in minor units, kilometers or items. Leave it out for no end.',
          },
        ),
      ),
      label: Type.Optional(
        Text(64, { description: 'With basis `label`: the fulfillment label it is for. Otherwise a name.' }),
      ),
      amount: Amount('What fulfillment costs in all in this tier, in minor units (1999 is $19.99).'),
    },
    { description: 'A step of a tiered fee.' },
  ),
)
export type Tier = Static<typeof Tier>

const rules = {
  twice: 'another tier has this label',
  noUpTo: 'leave out up_to: tiers by label have none',
  labels: 'only the last tier may leave out its label: it covers all other labels',
  endless: 'only the last tier may have no up_to',
  whole: 'up_to must be a whole number, except for distances',
  ascending: 'up_to must be above the up_to of the tier before',
}

const Free = Named(
  'FreeRate',
  Closed({ kind: Type.Literal('free', { description: 'It costs nothing.' }) }, { description: 'No fee.' }),
)
const Flat = Named(
  'FlatRate',
  Closed(
    {
      kind: Type.Literal('flat', { description: 'It always costs the same.' }),
      amount: Amount('What fulfillment costs in all, in minor units (1999 is $19.99).'),
    },
    { description: 'A fee that is always the same.' },
  ),
)
const Tiered = Named(
  'TieredRate',
  Closed(
    {
      kind: Type.Literal('tiered', { description: 'It depends on the order.' }),
      basis: OneOf(tierBases, {
        description:
          'What the tiers compare: of all items together the weight, the value before tax or the count; the distance; or labels, of which the most expensive counts.',
      }),
      tiers: Ruled(
        Type.Array(Tier, {
          minItems: 1,
          maxItems: tiersMax,
          description: 'The tiers, in ascending order.',
        }),
        rules,
      ),
    },
    { description: 'A fee that depends on the order.' },
  ),
)
const PlainRate = Named(
  'PlainRate',
  Type.Union([Free, Flat, Tiered], {
    description: 'No fee, a fee that is always the same, or a fee that depends on the order.',
  }),
)
export type PlainRate = Static<typeof PlainRate>

export const Rate = Named(
  'Rate',
  Type.Union(
    [
      Free,
      Flat,
      Tiered,
      Named(
        'FreeAboveRate',
        Closed(
          {
            kind: Type.Literal('free_above', { description: 'It costs nothing from some order value on.' }),
            threshold_amount: Amount(
              'From this order value on, before tax and fulfillment, it is free, in minor units (1999 is $19.99).',
            ),
            otherwise: Described(PlainRate, 'What it costs below that.'),
          },
          { description: 'No fee from some order value on.' },
        ),
      ),
    ],
    {
      description:
        'No fee, a fee that is always the same, a fee that depends on the order, or no fee from some order value on.',
    },
  ),
)
export type Rate = Static<typeof Rate>

/** Throws the 422 for tiers that contradict each other. */
export function checkRate(rate: Rate): void {
  if (rate.kind === 'tiered') checkTiers(rate, ['body', 'rate', 'tiers'])
  if (rate.kind === 'free_above' && rate.otherwise.kind === 'tiered')
    checkTiers(rate.otherwise, ['body', 'rate', 'otherwise', 'tiers'])
}

function checkTiers({ basis, tiers }: Static<typeof Tiered>, loc: (string | number)[]): void {
  const labels = tiers.map(({ label }) => label?.toLowerCase())
  checkAll(
    ...tiers.map((tier, index) => () => {
      const label = labels[index]
      if (label !== undefined && labels.indexOf(label) < index)
        throw invalid([...loc, index, 'label'], rules.twice)
      const isLast = index === tiers.length - 1
      if (basis === 'label') checkLabelTier(tier, isLast, [...loc, index])
      else checkStep({ tier, before: tiers[index - 1], isLast, basis }, [...loc, index, 'up_to'])
    }),
  )
}

function checkLabelTier(tier: Tier, isLast: boolean, loc: (string | number)[]): void {
  if ((tier.up_to ?? null) !== null) throw invalid([...loc, 'up_to'], rules.noUpTo)
  if (tier.label === undefined && !isLast) throw invalid([...loc, 'label'], rules.labels)
}

type Step = { tier: Tier; before: Tier | undefined; isLast: boolean; basis: TierBasis }

function checkStep({ tier, before, isLast, basis }: Step, loc: (string | number)[]): void {
  const upTo = tier.up_to ?? null
  if (upTo === null) {
    if (!isLast) throw invalid(loc, rules.endless)
    return
  }
  if (basis !== 'distance' && !Number.isInteger(upTo)) throw invalid(loc, rules.whole)
  if (before !== undefined && upTo <= (before.up_to ?? 0)) throw invalid(loc, rules.ascending)
}

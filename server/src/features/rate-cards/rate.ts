import Type, { type Static } from 'typebox'
import { checkAll, invalid } from '../../contract/problem.ts'
import { Ruled } from '../../contract/rules.ts'
import { Amount, Closed, Named, OneOf, Text } from '../../contract/schemas.ts'

export const tierBases = ['weight', 'order_value', 'distance', 'item_count', 'label'] as const
export type TierBasis = (typeof tierBases)[number]

const tiersMax = 200

const Tier = Named(
  'RateTier',
  Closed({
    up_to: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 0, maximum: 1_000_000_000_000 }),
          Type.Null({ description: 'Without end; the last tier only.' }),
        ],
        {
          description:
            'The most that the tier takes, itself included: grams, minor units, kilometres or items. Without end when left out.',
        },
      ),
    ),
    label: Type.Optional(
      Text(64, { description: 'With basis `label`, the fulfilment label that it is for; else a name.' }),
    ),
    amount: Amount(),
  }),
)
export type Tier = Static<typeof Tier>

const rules = {
  twice: 'another tier has this label',
  noUpTo: 'tiers by label have no up_to',
  labels: 'only the last tier may do without a label: it takes all others',
  endless: 'only the last tier may be without end',
  whole: 'up_to must be a whole number, but for distances',
  ascending: 'up_to must be above that of the tier before',
}

const Free = Named('FreeRate', Closed({ kind: Type.Literal('free') }))
const Flat = Named('FlatRate', Closed({ kind: Type.Literal('flat'), amount: Amount() }))
const Tiered = Named(
  'TieredRate',
  Closed({
    kind: Type.Literal('tiered'),
    basis: OneOf(tierBases, {
      description:
        'Weight and item count are those of all items together, the order value is the merchandise before tax. Of several labels in one order the dearest counts.',
    }),
    tiers: Ruled(
      Type.Array(Tier, { minItems: 1, maxItems: tiersMax, description: 'In ascending order.' }),
      rules,
    ),
  }),
)
const PlainRate = Named('PlainRate', Type.Union([Free, Flat, Tiered]))
export type PlainRate = Static<typeof PlainRate>

export const Rate = Named(
  'Rate',
  Type.Union([
    Free,
    Flat,
    Tiered,
    Named(
      'FreeAboveRate',
      Closed({
        kind: Type.Literal('free_above'),
        threshold_amount: Amount('The order value from which on it is free.'),
        otherwise: PlainRate,
      }),
    ),
  ]),
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

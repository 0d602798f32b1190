import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  Amount,
  At,
  Closed,
  CurrencyCode,
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
import { toWire } from '../../../core/money.ts'
import { Ruled } from '../../../schema/rules.ts'
import { promotionStatuses, type PromotionStatus as Status, statusAt } from './machine.ts'

export const armKinds = ['percent', 'amount', 'fixed_price', 'free_fulfillment'] as const
export const identityRules = ['any', 'profile', 'email', 'first_purchase'] as const

/** What a buyer can type and a platform can send. */
const codePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'

/** How many minutes an offer is held at most: thirty days. */
const ttlMinutesMax = 43_200

export const PromotionStatus = Named(
  'PromotionStatus',
  OneOf(promotionStatuses, { description: 'How far a promotion is. Only an active one is offered.' }),
)

const armFields = {
  kind: OneOf(armKinds, {
    description: '`percent` or `amount` off, a `fixed_price` for each unit, or `free_fulfillment`.',
  }),
  value: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      description:
        'Basis points for `percent` (1000 is 10 %), minor units for `amount` and `fixed_price`; none for `free_fulfillment`.',
    }),
  ),
  ttl_minutes: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: ttlMinutesMax,
      description: 'How long an offer is held for a cart until its order is placed.',
    }),
  ),
  weight: Type.Integer({
    minimum: 0,
    maximum: 1000,
    description: 'How often it is given, in proportion to the weights of the other arms.',
  }),
}

const ArmId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Unique within the promotion.' })

export const ArmWrite = Closed({
  id: Type.Optional(ArmId),
  kind: armFields.kind,
  value: Type.Optional(armFields.value),
  ttl_minutes: Type.Optional(armFields.ttl_minutes),
  weight: Type.Optional(armFields.weight),
})
export type ArmWrite = Static<typeof ArmWrite>

export const Arm = Named(
  'PromotionArm',
  Closed({ id: ArmId, ...armFields }, { description: 'One discount of a promotion.' }),
)
export type Arm = Static<typeof Arm>

const Count = (description: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

const capFields = {
  total_uses: Count('How often it may be used in all; null for no limit.'),
  uses_per_identity: Count('How often whom `identity` tells apart may use it; null for no limit.'),
  budget_amount: Nullable(
    Amount(
      'The most that all its discounts may cost together, in minor units (1999 is $19.99); null is no limit.',
    ),
  ),
}
const targetFields = {
  catalog_item_ids: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'The items it applies to. With neither items nor categories it applies to everything.',
  }),
  categories: Type.Array(Text(255), {
    maxItems: 100,
    description: 'It applies to items of these categories too.',
  }),
  min_subtotal_amount: Nullable(
    Amount(
      'What the whole cart must cost at least, before tax and fulfillment, in minor units (1999 is $19.99).',
    ),
  ),
}

const Caps = Closed(capFields)
type Caps = Static<typeof Caps>
const Targets = Closed(targetFields)
type Targets = Static<typeof Targets>
const Identity = Closed({
  rule: OneOf(identityRules, {
    description:
      'Who counts as one: `any` and `profile` the profile, `email` the e-mail address, also across accounts. ' +
      '`first_purchase`: an e-mail address without an earlier order of the merchant.',
  }),
})

/** The rules for a promotion beyond its schema. */
export const promotionRules = { twice: 'another arm has this id' }

/** The fields of a promotion that a caller writes. */
export const PromotionFields = {
  name: Text(255, { description: 'A name for people.' }),
  market_id: Nullable(IdParam('The market it is offered in; null means all markets.', 'mkt')),
  currency: Nullable(Described(CurrencyCode, 'ISO 4217 code of its amounts, such as USD.')),
  starts_at: Nullable(At('When it starts; null means when it is published.')),
  ends_at: Nullable(At('When it ends; null means never.')),
  arms: Ruled(
    Type.Array(ArmWrite, {
      maxItems: 20,
      description: 'What is offered: each buyer gets one of these.',
    }),
    promotionRules,
  ),
  caps: Type.Partial(Closed(capFields), {
    additionalProperties: false,
    description: 'How much it may be used in all.',
  }),
  identity: Described(Identity, 'Who it is offered to.'),
  targets: Type.Partial(Closed(targetFields), {
    additionalProperties: false,
    description: 'What it applies to.',
  }),
  code: Nullable(
    Type.String({
      pattern: codePattern,
      description:
        'Only a cart that names this code gets it, in any case of letters; null means that it applies by itself.',
    }),
  ),
  metadata: Metadata,
}

export const PromotionParams = { promotion_id: IdParam('The promotion.', 'promo') }

export const Promotion = Named(
  'Promotion',
  Closed(
    {
      ...objectHead('promo', 'promotion'),
      name: Type.String({ description: 'A name for people.' }),
      status: Described(PromotionStatus, 'Only an `active` promotion is offered.'),
      market_id: Nullable(
        Type.String({ description: 'The market it is offered in; null means all markets.' }),
      ),
      currency: Nullable(Type.String({ description: 'ISO 4217 code of its amounts; null if it has none.' })),
      starts_at: Nullable(At('When it starts; null means when it is published.')),
      ends_at: Nullable(At('When it ends; null means never.')),
      arms: Type.Array(Arm, { description: 'What is offered: each buyer gets one of these.' }),
      caps: Described(Caps, 'How much it may be used in all.'),
      identity: Described(Identity, 'Who it is offered to.'),
      targets: Described(Targets, 'What it applies to.'),
      usage: Closed(
        {
          uses: Type.Integer({ minimum: 0, description: 'How often it was used.' }),
          discount_amount: Type.Integer({
            minimum: 0,
            description: 'What its discounts cost together, in minor units (1999 is $19.99).',
          }),
        },
        { description: 'How much of its caps is used, by orders and by offers that are held.' },
      ),
      code: Nullable(
        Type.String({ description: 'The code that a cart has to name; null if it needs none.' }),
      ),
      metadata: Metadata,
      published_at: Nullable(At('When it was published; null if it was not.')),
      ended_at: Nullable(At('When it ended; null if it has not.')),
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'A discount that the merchant offers.' },
  ),
)
export type Promotion = Static<typeof Promotion>

export type PromotionRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'promo'>
  name: string
  status: Status
  market_id: string | null
  currency: string | null
  starts_at: Date | null
  ends_at: Date | null
  arms: Arm[]
  caps: Caps
  identity_rule: (typeof identityRules)[number]
  targets: Targets
  code: string | null
  metadata: Record<string, string>
  due_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
  published_at: Date | null
  ended_at: Date | null
  archived_at: Date | null
  /** From its counter. */
  uses: number
  discount_amount: bigint
}

/** A promotion without its counter, which is read only under its lock. */
export type RunningPromotion = Omit<PromotionRow, 'uses' | 'discount_amount'>

export function renderPromotion(row: PromotionRow, now: Date): Promotion {
  return {
    id: row.id,
    object: 'promotion',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    name: row.name,
    status: statusAt(row, now),
    market_id: row.market_id,
    currency: row.currency,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    arms: row.arms,
    caps: row.caps,
    identity: { rule: row.identity_rule },
    targets: row.targets,
    usage: { uses: row.uses, discount_amount: toWire(row.discount_amount) },
    code: row.code,
    metadata: row.metadata,
    published_at: row.published_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

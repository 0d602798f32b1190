import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Ruled } from '../../contract/rules.ts'
import {
  Amount,
  Closed,
  CurrencyCode,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import { promotionStatuses, type PromotionStatus as Status, statusAt } from './machine.ts'

export const armKinds = ['percent', 'amount', 'fixed_price', 'free_fulfillment'] as const
export const identityRules = ['any', 'profile', 'email', 'first_purchase'] as const

/** The longest that an offer is held: thirty days. */
const ttlMinutesMax = 43_200

export const PromotionStatus = Named('PromotionStatus', OneOf(promotionStatuses))

const armFields = {
  kind: OneOf(armKinds, {
    description:
      '`percent` off what it applies to, `amount` off it, `fixed_price` for each unit of it, or the fulfillment fee.',
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
    description: 'Its share of the identities, beside the weights of the other arms.',
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

export const Arm = Named('PromotionArm', Closed({ id: ArmId, ...armFields }))
export type Arm = Static<typeof Arm>

const Count = (description: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

const capFields = {
  total_uses: Count('How often it may be used in all; null for no limit.'),
  uses_per_identity: Count('How often whom `identity` tells apart may use it; null for no limit.'),
  budget_amount: Nullable(Amount('What all its discounts may come to, in minor units; null for no limit.')),
}
const targetFields = {
  catalog_item_ids: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'Items that it applies to. With neither items nor categories it applies to everything.',
  }),
  categories: Type.Array(Text(255), {
    maxItems: 100,
    description: 'Items of these categories, too.',
  }),
  min_subtotal_amount: Nullable(Amount('What the whole cart must come to before fulfillment and tax.')),
}

export const Caps = Closed(capFields)
export type Caps = Static<typeof Caps>
export const Targets = Closed(targetFields)
export type Targets = Static<typeof Targets>
export const Identity = Closed({
  rule: OneOf(identityRules, {
    description:
      'Who counts as one: `any` and `profile` the profile, `email` the e-mail address, also across accounts. ' +
      '`first_purchase`: an e-mail address without an earlier order of the merchant.',
  }),
})

/** What a promotion must keep to beyond its schema. */
export const promotionRules = { twice: 'another arm has this id' }

/** The fields of a promotion that a caller writes. */
export const PromotionFields = {
  name: Text(255),
  market_id: Nullable(IdParam('The market it is offered in; null for all.')),
  currency: Nullable(CurrencyCode),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  arms: Ruled(
    Type.Array(ArmWrite, {
      maxItems: 20,
      description: 'What is offered: each identity is given one of these.',
    }),
    promotionRules,
  ),
  caps: Type.Partial(Closed(capFields), { additionalProperties: false }),
  identity: Identity,
  targets: Type.Partial(Closed(targetFields), { additionalProperties: false }),
  metadata: Metadata,
}

export const PromotionParams = { promotion_id: IdParam('The promotion.') }

export const Promotion = Named(
  'Promotion',
  Closed({
    ...objectHead('promo', 'promotion'),
    name: Type.String(),
    status: PromotionStatus,
    market_id: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    starts_at: Nullable(Timestamp),
    ends_at: Nullable(Timestamp),
    arms: Type.Array(Arm),
    caps: Caps,
    identity: Identity,
    targets: Targets,
    usage: Closed(
      { uses: Type.Integer({ minimum: 0 }), discount_amount: Type.Integer({ minimum: 0 }) },
      { description: 'What of the caps is taken: by orders, and by offers that are held.' },
    ),
    metadata: Metadata,
    published_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
    archived_at: Nullable(Timestamp),
  }),
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
  metadata: Record<string, string>
  due_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
  published_at: Date | null
  ended_at: Date | null
  archived_at: Date | null
  /** Of its counter. */
  uses: number
  discount_amount: bigint
}

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
    metadata: row.metadata,
    published_at: row.published_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

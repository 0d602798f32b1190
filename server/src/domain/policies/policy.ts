import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import {
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
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import { Ruled } from '../../schema/rules.ts'
import { Interval, type PolicyTerms, TermFields, TermsRead, termRules } from './policy-terms.ts'
import { type CounterWindows, endOf, momentOf, rollTo } from './windows.ts'

/** Who approves a standing budget. */
const approvers = ['cardholder', 'person'] as const

/** How many ids one list of a scope takes. */
const scopeIdsMax = 1000

const PolicyScope = Closed(
  {
    profile_ids: Type.Optional(
      Type.Array(IdParam('A profile.', 'prof'), {
        maxItems: scopeIdsMax,
        uniqueItems: true,
        description: 'Purchases for these profiles.',
      }),
    ),
    api_key_ids: Type.Optional(
      Type.Array(IdParam('An agent, or one of its keys, which means the agent.', 'agent'), {
        maxItems: scopeIdsMax,
        uniqueItems: true,
        description: 'Purchases by these agents.',
      }),
    ),
    payment_method_ids: Type.Optional(
      Type.Array(IdParam('A payment method.', 'pm'), {
        maxItems: scopeIdsMax,
        uniqueItems: true,
        description: 'Purchases paid by one of these.',
      }),
    ),
    default: Type.Optional(
      Type.Boolean({
        description: 'All purchases of the account. True if nothing else is named.',
      }),
    ),
  },
  {
    description:
      'Whose purchases the policy applies to: all of them (`default`, which it is when nothing else is named), or those for these ' +
      'profiles, by these agents, with whichever of their keys, and paid by one of these payment methods. With none of them it applies ' +
      'only where an intent names it.',
  },
)

/** The fields of a policy that a caller writes; all but the name are optional. */
export const PolicyFields = {
  name: Text(255, { description: 'A name for people.' }),
  description: Type.Optional(Nullable(Text(1000, { description: 'What the policy is for.' }))),
  currency: Type.Optional(
    Nullable(
      Described(
        CurrencyCode,
        'ISO 4217 code of its amounts, such as USD; required with any amount. Purchases in another currency are denied.',
      ),
    ),
  ),
  scope: Type.Optional(
    Described(
      PolicyScope,
      'Which purchases it applies to. With `default` false and nothing named, only those that name it in `policy_id`.',
    ),
  ),
  ...TermFields,
  timezone: Type.Optional(
    Nullable(
      Type.String({
        format: 'timezone',
        description:
          'IANA time zone in which its days, weeks, months and years begin. Default: that of the account. A change waits for the end of each running period.',
      }),
    ),
  ),
  valid_from: Type.Optional(Nullable(At('When it begins to apply. Default: at once.'))),
  valid_until: Type.Optional(Nullable(At('When it ceases to apply. Default: never.'))),
  metadata: Type.Optional(Metadata),
}

/** The rules for a policy beyond its schema, wherever it is written. */
export const policyRules = { currency: termRules.currency, period: termRules.period }

export const PolicyCreate = Named(
  'PolicyCreate',
  Ruled(Closed(PolicyFields, { description: 'A policy to create.' }), policyRules),
)
export type PolicyCreate = Static<typeof PolicyCreate>

/** What a caller writes, for a new policy or a change. */
export type PolicyWritten = Partial<PolicyCreate>

const Usage = Closed({
  interval: Described(Interval, 'The period.'),
  window_start: At('When the current period began.'),
  window_ends_at: Nullable(At('When it ends, and the next one begins; null for `all_time`.')),
  timezone: Type.String({ description: 'The time zone in which the next period begins.' }),
  limit: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'The most that may be spent in the period in all, in minor units (1999 is $19.99); null is no limit.',
    }),
  ),
  reserved: Type.Integer({
    minimum: 0,
    description: 'Held for purchases in progress in all, in minor units (1999 is $19.99).',
  }),
  spent: Type.Integer({ minimum: 0, description: 'Charged in all, in minor units (1999 is $19.99).' }),
  count: Type.Integer({ minimum: 0, description: 'How many purchases count in the period.' }),
  remaining: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'What is left in all, in minor units (1999 is $19.99); null is no limit.',
    }),
  ),
})

export const Policy = Named(
  'Policy',
  Closed(
    {
      ...objectHead('pol', 'policy'),
      name: Type.String({ description: 'A name for people.' }),
      description: Nullable(Type.String({ description: 'What the policy is for.' })),
      currency: Nullable(Type.String({ description: 'ISO 4217 code of its amounts; null if it has none.' })),
      scope: Closed(
        {
          profile_ids: Type.Array(Type.String(), { description: 'Purchases for these profiles.' }),
          api_key_ids: Type.Array(Type.String(), {
            description: 'Purchases by these agents, whichever of their keys was named.',
          }),
          payment_method_ids: Type.Array(Type.String(), {
            description: 'Purchases paid by one of these.',
          }),
          default: Type.Boolean({ description: 'All purchases of the account.' }),
        },
        { description: 'Which purchases it applies to.' },
      ),
      ...TermsRead,
      timezone: Nullable(
        Type.String({
          description: 'IANA time zone in which its periods begin; null means that of the account.',
        }),
      ),
      valid_from: Nullable(At('When it begins to apply; null means at once.')),
      valid_until: Nullable(At('When it ceases to apply; null means never.')),
      version: Type.Integer({ minimum: 1, description: 'The version; each update makes a new one.' }),
      usage: Type.Array(Usage, { description: 'What is used of its limits in the current periods.' }),
      metadata: Metadata,
      approved_by: Nullable(
        OneOf(approvers, {
          description: 'Who approved it as a standing budget; null: a key wrote it, and nobody was asked.',
        }),
      ),
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'A reusable set of spending limits and rules.' },
  ),
)
export type Policy = Static<typeof Policy>

export type PolicyRow = {
  id: Id<'pol'>
  name: string
  description: string | null
  currency: string | null
  scope_default: boolean
  scope_profile_ids: string[]
  scope_agent_ids: string[]
  scope_payment_method_ids: string[]
  terms: PolicyTerms
  /** Its own time zone; null: that of the account. */
  timezone: string | null
  /** The time zone that its windows are of. */
  zone: string
  valid_from: Date | null
  valid_until: Date | null
  metadata: Record<string, string>
  /** Who approved it, where it is a standing budget. */
  approved_by: (typeof approvers)[number] | null
  version: number
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
  /** From the policy's windows. */
  windows: CounterWindows
}

/** A policy as one purchase sees it. */
export type ApplicablePolicy = PolicyRow & {
  /** Whether its own scope matches. A policy that is only named can restrict, and never allows. */
  attached: boolean
  /** Whether the intent names it. It is returned even when archived, so that the caller can say so; decisions leave archived ones out. */
  named: boolean
  /** What the purchase adds to the count of its windows, if not 1. */
  counts?: number
}

/** `now` decides which windows are shown: windows that have ended count for nothing. */
export function renderPolicy(row: PolicyRow, tenant: Tenant, now: Date): Policy {
  return {
    id: row.id,
    object: 'policy',
    mode: tenant.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    name: row.name,
    description: row.description,
    currency: row.currency,
    scope: {
      profile_ids: row.scope_profile_ids,
      api_key_ids: row.scope_agent_ids,
      payment_method_ids: row.scope_payment_method_ids,
      default: row.scope_default,
    },
    ...row.terms,
    timezone: row.timezone,
    valid_from: row.valid_from?.toISOString() ?? null,
    valid_until: row.valid_until?.toISOString() ?? null,
    version: row.version,
    usage: usageOf(row, now),
    metadata: row.metadata,
    approved_by: row.approved_by,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

function usageOf(row: PolicyRow, now: Date): Policy['usage'] {
  const windows = rollTo(row.windows, now, row.zone)
  return row.terms.limits.intervals.map(({ interval, max_amount: limit }) => {
    const { reserved, spent, count } = windows[interval]
    const end = endOf(windows[interval], interval, row.zone)
    const left = limit === null ? null : toWire(BigInt(limit) - reserved - spent)
    return {
      interval,
      window_start:
        interval === 'all_time' ? row.created_at.toISOString() : momentOf(windows[interval].start),
      window_ends_at: interval === 'all_time' ? null : new Date(end).toISOString(),
      timezone: row.zone,
      limit,
      reserved: toWire(reserved),
      spent: toWire(spent),
      count,
      remaining: left === null ? null : Math.max(0, left),
    }
  })
}

import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import { Ruled } from '../../contract/rules.ts'
import {
  Closed,
  CurrencyCode,
  IdParam,
  Metadata,
  Named,
  Nullable,
  objectHead,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import { Interval, type PolicyTerms, TermFields, TermsRead, termRules } from './policy-terms.ts'
import { type CounterWindows, rollTo } from './windows.ts'

/** The most ids that one list of a scope takes. */
const scopeIdsMax = 1000

export const PolicyScope = Closed(
  {
    profile_ids: Type.Optional(
      Type.Array(IdParam('A profile.'), { maxItems: scopeIdsMax, uniqueItems: true }),
    ),
    api_key_ids: Type.Optional(
      Type.Array(IdParam('An agent, or one of its keys, which means the agent.'), {
        maxItems: scopeIdsMax,
        uniqueItems: true,
      }),
    ),
    default: Type.Optional(Type.Boolean()),
  },
  {
    description:
      'Whose purchases the policy applies to: all of them (`default`, which it is when nothing else is named), or those for these ' +
      'profiles and by these agents, with whichever of their keys. With neither it applies only where an intent names it.',
  },
)

/** The fields of a policy that a caller writes; all but the name are optional. */
export const PolicyFields = {
  name: Text(255),
  description: Type.Optional(Nullable(Text(1000))),
  currency: Type.Optional(Nullable(CurrencyCode)),
  scope: Type.Optional(PolicyScope),
  ...TermFields,
  valid_from: Type.Optional(Nullable(Timestamp)),
  valid_until: Type.Optional(Nullable(Timestamp)),
  metadata: Type.Optional(Metadata),
}

/** What a policy must keep to beyond its schema, wherever it is written. */
export const policyRules = { currency: termRules.currency, period: termRules.period }

export const PolicyCreate = Named('PolicyCreate', Ruled(Closed(PolicyFields), policyRules))
export type PolicyCreate = Static<typeof PolicyCreate>

/** What a caller writes, of a new policy or of a change. */
export type PolicyWritten = Partial<PolicyCreate>

const Usage = Closed({
  interval: Interval,
  window_start: Timestamp,
  limit: Nullable(Type.Integer({ minimum: 0 })),
  reserved: Type.Integer({ minimum: 0 }),
  spent: Type.Integer({ minimum: 0 }),
  count: Type.Integer({ minimum: 0 }),
  remaining: Nullable(Type.Integer({ minimum: 0 })),
})

export const Policy = Named(
  'Policy',
  Closed({
    ...objectHead('pol', 'policy'),
    name: Type.String(),
    description: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    scope: Closed({
      profile_ids: Type.Array(Type.String()),
      api_key_ids: Type.Array(Type.String(), { description: 'Agents, whichever of their keys was named.' }),
      default: Type.Boolean(),
    }),
    ...TermsRead,
    valid_from: Nullable(Timestamp),
    valid_until: Nullable(Timestamp),
    version: Type.Integer({ minimum: 1 }),
    usage: Type.Array(Usage),
    metadata: Metadata,
    archived_at: Nullable(Timestamp),
  }),
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
  terms: PolicyTerms
  valid_from: Date | null
  valid_until: Date | null
  metadata: Record<string, string>
  version: number
  seq: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
  /** From the policy's counter. */
  windows: CounterWindows
}

/** A policy as one purchase sees it. */
export type ApplicablePolicyRow = PolicyRow & {
  /** Its own scope matches. A policy that is only named can restrict, and never allows. */
  attached: boolean
  /** The intent names it. It is returned even when archived, so that the caller can say so; decisions leave archived ones out. */
  named: boolean
  /** What the purchase would count in its windows, if not 1. */
  counts?: number
}

/** `now` decides which windows are shown: those that have ended count for nothing. */
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
      default: row.scope_default,
    },
    ...row.terms,
    valid_from: row.valid_from?.toISOString() ?? null,
    valid_until: row.valid_until?.toISOString() ?? null,
    version: row.version,
    usage: usageOf(row, now),
    metadata: row.metadata,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

function usageOf(row: PolicyRow, now: Date): Policy['usage'] {
  const windows = rollTo(row.windows, now)
  return row.terms.limits.intervals.map(({ interval, max_amount: limit }) => {
    const { start, reserved, spent, count } = windows[interval]
    const left = limit === null ? null : toWire(BigInt(limit) - reserved - spent)
    return {
      interval,
      window_start: interval === 'all_time' ? row.created_at.toISOString() : `${start}T00:00:00.000Z`,
      limit,
      reserved: toWire(reserved),
      spent: toWire(spent),
      count,
      remaining: left === null ? null : Math.max(0, left),
    }
  })
}

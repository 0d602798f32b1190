import type { ActingContext, CallContext, Tenant } from '../../contract/context.ts'
import type { EventType } from '../../contract/event.ts'
import { objectsPerAccountMax } from '../../contract/page.ts'
import { invalid, Problem } from '../../contract/problem.ts'
import { writesOf } from '../../platform/aggregate/changes.ts'
import { normalizeCurrency } from '../../schema/formats.ts'
import { normalizeTimezone } from '../../schema/time-zones.ts'
import { lockAccount, lockNamedAgents } from '../accounts/api-keys/public.ts'
import { selectAccountSettings } from './account-settings.sql.ts'
import { accountSettings } from './account-settings.ts'
import {
  countPolicies,
  insertPolicy,
  insertPolicyVersion,
  lockPolicy,
  type PolicyVersionWrite,
  selectKnownIds,
  updatePolicyRow,
} from './policies.sql.ts'
import { type Policy, type PolicyRow, type PolicyWritten, renderPolicy } from './policy.ts'
import { checkTerms, termsOf } from './policy-terms.ts'
import { endWindows } from './windows.sql.ts'
import { type CounterWindows, endedIn, rollTo, toStored } from './windows.ts'

export const sameCurrency = 'the currency of a policy never changes; create another policy'

type PolicyEventType = Extract<EventType, `policy.${string}`>

const { add, write } = writesOf<PolicyRow, PolicyEventType>({
  insert: insertPolicy,
  update: updatePolicyRow,
  render: (row, { tenant, now }) => renderPolicy(row, tenant, now),
})

/** A first version from the terms that a caller wrote; throws the 422 for terms that contradict themselves. */
export function newPolicy(
  ctx: Pick<CallContext, 'newId' | 'now'>,
  written: PolicyWritten & { name: string },
): PolicyRow {
  const blank: PolicyRow = {
    id: ctx.newId('pol'),
    name: written.name,
    description: null,
    currency: null,
    scope_default: true,
    scope_profile_ids: [],
    scope_agent_ids: [],
    scope_payment_method_ids: [],
    terms: termsOf({}, null),
    timezone: null,
    zone: 'UTC',
    valid_from: null,
    valid_until: null,
    metadata: {},
    approved_by: null,
    version: 1,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
    windows: {},
  }
  return withWritten(blank, written)
}

/** The row with the caller's fields over it: a field that is written replaces the whole one, null removes it. */
export function withWritten(row: PolicyRow, written: PolicyWritten): PolicyRow {
  const changed: PolicyRow = {
    ...row,
    ...(written.name === undefined ? {} : { name: written.name }),
    ...(written.description === undefined ? {} : { description: written.description }),
    ...(written.currency === undefined ? {} : { currency: currencyOf(written.currency) }),
    ...(written.scope === undefined ? {} : scopeOf(written.scope)),
    ...(written.timezone === undefined ? {} : { timezone: zoneOf(written.timezone) }),
    ...(written.valid_from === undefined ? {} : { valid_from: dateOf(written.valid_from) }),
    ...(written.valid_until === undefined ? {} : { valid_until: dateOf(written.valid_until) }),
    ...(written.metadata === undefined ? {} : { metadata: written.metadata }),
    terms: termsOf(written, row.terms),
  }
  checkTerms(changed)
  // Counters add up amounts of this currency; another one would need counters of its own.
  if (row.currency !== null && changed.currency !== row.currency) {
    throw invalid(['body', 'currency'], sameCurrency)
  }
  return changed
}

/** The row with the time zone that its windows are of, where that is the account's. */
export async function withZone(
  { tenant, tx }: { tenant: Tenant; tx: Pick<CallContext['reads'], 'maybe'> },
  row: PolicyRow,
): Promise<PolicyRow> {
  if (row.timezone !== null) return { ...row, zone: row.timezone }
  const settings = await tx.maybe(selectAccountSettings({ account_id: tenant.accountId }))
  return { ...row, zone: accountSettings(settings).timezone }
}

const ofAll = { profile_id: null, agent_id: null }

/** Throws the refusal when the account has as many policies as it may have; other calls wait until this policy exists. */
export async function requireRoom(ctx: CallContext): Promise<void> {
  const { accountId, mode } = ctx.tenant
  await lockAccount(ctx)
  const counted = await ctx.tx.maybe(
    countPolicies({
      account_id: accountId,
      mode,
      include_archived: false,
      cap: objectsPerAccountMax,
      ...ofAll,
    }),
  )
  if ((counted?.counted ?? 0) >= objectsPerAccountMax) throw new Problem('object_limit_reached')
}

/** The row with the agents that its scope means; throws the 404 when the scope names an id that the tenant does not have. */
export async function withAgents(ctx: CallContext, row: PolicyRow): Promise<PolicyRow> {
  const scoped = [row.scope_profile_ids, row.scope_agent_ids, row.scope_payment_method_ids]
  if (scoped.every((ids) => ids.length === 0)) return row
  const named = {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    profile_ids: row.scope_profile_ids,
    key_ids: row.scope_agent_ids,
    payment_method_ids: row.scope_payment_method_ids,
  }
  const [, known] = await Promise.all([
    lockNamedAgents(ctx, row.scope_agent_ids),
    ctx.tx.maybe(selectKnownIds(named)),
  ])
  requireKnown(row.scope_profile_ids, known?.profile_ids ?? [], 'scope.profile_ids')
  requireKnown(row.scope_payment_method_ids, known?.payment_method_ids ?? [], 'scope.payment_method_ids')
  requireKnown(row.scope_agent_ids, Object.keys(known?.agents ?? {}), 'scope.api_key_ids')
  return { ...row, scope_agent_ids: agentsOf(row.scope_agent_ids, known?.agents ?? {}) }
}

/** Each agent once, in the order in which it or a key of it was named. */
export function agentsOf(named: readonly string[], agents: Readonly<Record<string, string>>): string[] {
  // guard key-means-its-agent-in-a-policy: a policy that names a key holds for all keys of its agent
  return [...new Set(named.map((id) => agentMeant(agents, id) ?? id))]
}

/** The agent that an id means. Ids come from callers, so names that every object inherits, such as `__proto__`, must find nothing. */
export function agentMeant<Agent extends string>(
  agents: Readonly<Record<string, Agent>>,
  id: string,
): Agent | undefined {
  return Object.hasOwn(agents, id) ? agents[id] : undefined
}

/**
 * Changes one policy: locks it, lets `change` decide (it may throw a refusal, and returns null for no change), writes
 * the row, its version when that changed, and the event.
 */
export async function changePolicy(
  ctx: CallContext,
  policyId: string,
  type: PolicyEventType,
  change: (row: PolicyRow) => PolicyRow | null | Promise<PolicyRow | null>,
): Promise<Policy> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: policyId }
  const row = await ctx.tx.maybe(lockPolicy(key))
  if (!row) throw new Problem('not_found', { param: 'policy_id' })
  const next = await change(row)
  return next ? writeChange(ctx, row, { next, type }) : renderPolicy(row, ctx.tenant, ctx.now)
}

/** Queues a policy that is made, with its first version, and the event. */
export function addPolicy(ctx: ActingContext, row: PolicyRow): Policy {
  const policy = add(ctx, row, 'policy.created')
  ctx.tx.write(insertPolicyVersion(versionOf(row, ctx.tenant)))
  return policy
}

/** Writes the changes of a locked policy: the row, its version when that changed, and the event. */
export function writeChange(
  ctx: ActingContext,
  row: PolicyRow,
  { next, type }: { next: PolicyRow; type: PolicyEventType },
): Policy {
  const windows = next.zone === row.zone ? next.windows : withEnds(ctx, row)
  const { row: changed, object } = write(ctx, row, { ...next, windows }, type)
  if (changed.version !== row.version) ctx.tx.write(insertPolicyVersion(versionOf(changed, ctx.tenant)))
  return object
}

/** The windows of a policy that gets another time zone run on until they have ended in the zone before. */
function withEnds({ now, tenant, tx }: ActingContext, { id, zone, windows }: PolicyRow): CounterWindows {
  const ended = endedIn(rollTo(windows, now, zone), zone)
  const each = Object.entries(ended)
  tx.write(
    endWindows({
      account_id: tenant.accountId,
      mode: tenant.mode,
      id,
      intervals: each.map(([interval]) => interval),
      starts: each.map(([, { start }]) => start),
      ends: each.map(([, { end }]) => (end ? new Date(end) : null)),
    }),
  )
  return toStored(ended)
}

/** A version as its statements take it. */
export function versionOf(row: PolicyRow, { accountId, mode }: Tenant): PolicyVersionWrite {
  return { ...row, account_id: accountId, mode, terms: JSON.stringify(row.terms) }
}

function requireKnown(named: readonly string[], known: readonly string[], param: string): void {
  const have = new Set(known)
  if (!named.every((id) => have.has(id))) throw new Problem('not_found', { param })
}

function scopeOf(scope: NonNullable<PolicyWritten['scope']>) {
  const profileIds = scope.profile_ids ?? []
  const keyIds = scope.api_key_ids ?? []
  const methodIds = scope.payment_method_ids ?? []
  return {
    scope_profile_ids: profileIds,
    scope_agent_ids: keyIds,
    scope_payment_method_ids: methodIds,
    // guard all-only-when-nothing-is-named: a policy for one card does not hold for every purchase of the account
    scope_default: scope.default ?? [profileIds, keyIds, methodIds].every((ids) => ids.length === 0),
  }
}

function currencyOf(currency: string | null): string | null {
  return currency === null ? null : normalizeCurrency(currency)
}

function zoneOf(written: string | null): string | null {
  return written === null ? null : (normalizeTimezone(written) ?? written)
}

function dateOf(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(timestamp)
}

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { ActingContext } from '../../src/contract/context.ts'
import { scopeCatalog } from '../../src/contract/scopes.ts'
import { statement } from '../../src/contract/statement.ts'
import { createIdSource, type Id } from '../../src/core/id.ts'
import type { Result } from '../../src/core/result.ts'
import { decidePurchase, type PolicyVerdict } from '../../src/domain/policies/decide-purchase.ts'
import { checkWindows } from '../../src/domain/policies/invariants.sql.ts'
import {
  insertPolicy,
  insertPolicyVersion,
  lockPolicy,
  selectApplicablePolicies,
  selectPolicy,
} from '../../src/domain/policies/policies.sql.ts'
import {
  type Policy,
  type PolicyRow,
  type PolicyWritten,
  renderPolicy,
} from '../../src/domain/policies/policy.ts'
import type { Purchase } from '../../src/domain/policies/purchase.ts'
import {
  admitAsDecided,
  admitPurchase,
  type HoldRefusal,
  type HoldRequest,
} from '../../src/domain/policies/reservations.ts'
import type { CounterWindows } from '../../src/domain/policies/windows.ts'
import { newPolicy, versionOf, withWritten, writeChange } from '../../src/domain/policies/write-policy.ts'
import { createReads } from '../../src/platform/calls/reads.ts'
import { openUnit } from '../../src/platform/calls/unit.ts'
import { openPools, type Pools } from '../../src/platform/database/pool.ts'
import { nothingAtOnce } from '../../src/platform/events/at-once.ts'
import type { Hints } from '../../src/platform/hints/hints.ts'
import { patience } from '../gate/pace.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { defaultLimits } from './default-limits.ts'

let database: TestDatabase
export let pools: Pools
export let accountId: Id<'acct'>
const noHints: Hints = { publish: () => undefined, on: () => () => undefined }
const newId = createIdSource(randomBytes)
const profileId = 'prof_any'
const noon = new Date('2026-07-15T12:00:00.000Z')

/** A database for the file, and an account of its own for each of its tests. */
export function usePolicyDatabase(): void {
  beforeAll(async () => {
    database = await createTestDatabase()
    pools = openPools({
      url: database.url,
      writers: 16,
      readers: 2,
      applicationName: 'test',
      onError: () => undefined,
    })
  })
  afterAll(async () => {
    await pools.close()
    await database.drop()
  })
  beforeEach(async () => {
    accountId = newId('acct', noon.getTime())
    await pools.single(insertAccount({ id: accountId }))
  })
}

const insertAccount = statement<never, { id: string }>(
  '',
  `insert into accounts (id, name, created_at) values ($id, 'Test', now())`,
)

/** One transaction, committed unless `work` answers a refusal or throws. */
export async function inUnit<T>(work: (ctx: ActingContext) => Promise<T>, now = noon): Promise<T> {
  const tenant = { accountId, mode: 'test' } as const
  const origin = {
    tenant,
    actor: { type: 'system', id: 'test' } as const,
    requestId: newId('req', now.getTime()),
    now,
    newId: <P extends Parameters<typeof newId>[0]>(prefix: P) => newId(prefix, now.getTime()),
  }
  const unit = openUnit({ pools, hints: noHints, atOnce: nothingAtOnce }, origin)
  const unused = () => {
    throw new Error('policies seal nothing')
  }
  const ctx: ActingContext = {
    ...origin,
    random: randomBytes,
    reads: createReads(pools),
    apart: (_owner, work) => work(createReads(pools)),
    tx: unit.tx,
    sealer: { seal: unused, open: unused, hashToken: unused },
    settings: {
      publicUrl: 'http://127.0.0.1',
      allowLoopback: true,
      livePayments: false,
      sharesTestDomains: false,
      limits: defaultLimits,
    },
    scopeCatalog: scopeCatalog([]),
  }
  try {
    const result = await work(ctx)
    await unit.finish()
    return result
  } catch (error) {
    await unit.rollback()
    throw error
  }
}

export async function givenPolicy(written: PolicyWritten): Promise<PolicyRow> {
  return inUnit(async (ctx) => {
    const made = newPolicy(ctx, { name: 'Policy', currency: 'EUR', ...written })
    const row = { ...made, zone: made.timezone ?? 'UTC' }
    ctx.tx.write(insertPolicy({ ...row, account_id: accountId, mode: 'test' }))
    ctx.tx.write(insertPolicyVersion(versionOf(row, ctx.tenant)))
    return row
  })
}

/** Queues the next version of a locked policy. */
export function writeVersion(ctx: ActingContext, row: PolicyRow, written: PolicyWritten): void {
  const changed = withWritten(row, written)
  const next = { ...changed, zone: changed.timezone ?? 'UTC', version: row.version + 1 }
  writeChange(ctx, row, { next, type: 'policy.updated' })
}

/** The windows that were last used, as they are stored. */
export async function storedWindows(policy: PolicyRow): Promise<CounterWindows> {
  const [row] = await pools.read(
    selectPolicy({ account_id: accountId, mode: 'test', id: policy.id, profile_id: null }),
  )
  if (!row) throw new Error('no policy')
  return row.windows
}

export async function lock(ctx: ActingContext, { id }: PolicyRow): Promise<PolicyRow> {
  const row = await ctx.tx.maybe(lockPolicy({ account_id: accountId, mode: 'test', id }))
  if (!row) throw new Error('no policy')
  return row
}

export async function usage(policy: PolicyRow, now = noon): Promise<Policy['usage']> {
  const [row] = await pools.read(
    selectPolicy({ account_id: accountId, mode: 'test', id: policy.id, profile_id: null }),
  )
  if (!row) throw new Error('no policy')
  return renderPolicy(row, { accountId, mode: 'test' }, now).usage
}

export function request(intentId: string, amounts: Partial<Purchase> = {}): HoldRequest {
  return {
    intentId,
    profileId,
    agentId: null,
    policyId: null,
    paymentMethodId: null,
    tolerancePercent: 5,
    purchase: {
      currency: 'EUR',
      expected: 100n,
      cap: 100n,
      feeAllowance: 0n,
      merchants: [{ domain: 'shop.example', mcc: '5411', country: 'DE' }],
      shippingCountry: 'DE',
      ...amounts,
    },
  }
}

/** `admitPurchase` with the policies read beforehand, as the caller does. */
export async function admit(ctx: ActingContext, hold: HoldRequest, stepUp = false): Promise<PolicyVerdict> {
  return admitPurchase(ctx, { ...hold, policies: await policiesOf(ctx, hold), stepUp })
}

/** `admitAsDecided` by a verdict that was found a moment before, as in a call. `meanwhile` runs between the two. */
export async function admitUnchanged(
  hold: HoldRequest,
  {
    now = noon,
    keyId = null,
    meanwhile,
  }: { now?: Date; keyId?: string | null; meanwhile?: () => Promise<unknown> } = {},
): Promise<PolicyVerdict | null> {
  return inUnit(async (ctx) => {
    const policies = await policiesOf(ctx, hold)
    const { purchase, tolerancePercent } = hold
    const verdict = decidePurchase({
      policies,
      purchase,
      occasion: 'create',
      tolerancePercent,
      stepUp: false,
      now,
    })
    await meanwhile?.()
    return admitAsDecided(ctx, { ...hold, keyId, policies, verdict })
  }, now)
}

function policiesOf(ctx: ActingContext, hold: HoldRequest) {
  return ctx.reads.rows(
    selectApplicablePolicies({
      account_id: accountId,
      mode: 'test',
      profile_id: hold.profileId,
      agent_id: hold.agentId,
      policy_id: hold.policyId,
      payment_method_id: hold.paymentMethodId,
    }),
  )
}

export async function expectM7(): Promise<void> {
  const [row] = await pools.read(checkWindows({}))
  expect(row?.violations ?? []).toEqual([])
}

export function capOf(result: Result<PolicyVerdict, HoldRefusal>): bigint | string {
  return result.ok ? result.value.cap : result.refusal.code
}

export const dayLimit = (max_amount: number) => ({ intervals: [{ interval: 'day' as const, max_amount }] })

const countWaiting = statement<{ waiting: number }, Record<never, never>>(
  '',
  `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

/** Throws when nothing waits after a while: then there is no lock to wait for. */
export async function somebodyWaits(): Promise<void> {
  const wait = patience(5_000)
  for (;;) {
    const [row] = await pools.read(countWaiting({}))
    if (row && row.waiting > 0) return
    if (wait.isOver()) throw new Error('nobody waits for a lock')
  }
}

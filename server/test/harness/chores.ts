import type { Sealer } from '../../src/contract/context.ts'
import { scopeCatalog } from '../../src/contract/scopes.ts'
import { statement } from '../../src/contract/statement.ts'
import { claimStatement, leaseStatements } from '../../src/platform/work/lease.sql.ts'
import { type Claimed, expectHeld } from '../../src/platform/work/lease.ts'
import type { StepContext, WorkKind } from '../../src/platform/work/work.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { draftOf } from './any-draft.ts'
import { defaultLimits } from './default-limits.ts'
import type { Spine } from './spine.ts'

/** A table of work that only tests know. Each row counts how often it was done. */
export async function createChores(spine: Spine): Promise<void> {
  await spine.sql(`create table chores (account_id text, mode mode, id text, due_at timestamptz, lease_until timestamptz,
    lease_token bigint not null default 0, step_failures int not null default 0, step_failing_since timestamptz, step_error text,
    is_due boolean default true, done int not null default 0, primary key (account_id, mode, id))`)
}

export type Chore = Claimed & { done: number }

export const claimChores = claimStatement<Chore>('chores', ['done'])

const finishChore = statement<Chore, { id: string; lease_token: bigint }>(
  'finish_chore',
  `update chores set done = done + 1, due_at = null, lease_until = null where id = $id and lease_token = $lease_token
   returning account_id, mode, id, lease_token, step_failures, done`,
)

export async function finish(ctx: StepContext, row: Claimed): Promise<void> {
  await ctx.transaction(async ({ tx }) => {
    const { done } = expectHeld(await tx.rows(finishChore({ id: row.id, lease_token: row.lease_token })))
    tx.emit(draftOf({ type: 'chore.done', aggregateId: row.id, sequence: done, object: { id: row.id } }))
  })
}

export function chores(step: WorkKind<Chore>['step'], more: Partial<WorkKind<Chore>> = {}): WorkKind<Chore> {
  return {
    kind: 'chores',
    leaseSeconds: 30,
    concurrency: 10,
    claim: claimChores,
    ...leaseStatements('chores'),
    step,
    ...more,
  }
}

const sealer: Sealer = {
  seal: (plaintext) => Buffer.from(plaintext),
  open: (sealed) => sealed.toString(),
  hashToken: (token) => Buffer.from(token),
}

export function workerOf(spine: Spine, ...kinds: readonly WorkKind<Chore>[]) {
  const settings = {
    publicUrl: 'http://127.0.0.1',
    allowLoopback: true,
    livePayments: false,
    sharesTestDomains: false,
    limits: defaultLimits,
  }
  return createWorker(
    spine.withMetrics({
      kinds,
      pools: spine.pools,
      sealer: () => sealer,
      settings,
      scopeCatalog: scopeCatalog([]),
    }),
  )
}

export async function addChores(spine: Spine, count: number): Promise<void> {
  const { accountId } = spine.newTenant()
  await spine.sql(
    `insert into chores (account_id, mode, id, due_at) select $1, 'test', 'chore_' || n, now() from generate_series(1, $2::int) as n`,
    [accountId, count],
  )
}

export async function doneCounts(spine: Spine): Promise<number[]> {
  const rows = await spine.sql<{ done: number }>('select done from chores order by id')
  return rows.map(({ done }) => done)
}

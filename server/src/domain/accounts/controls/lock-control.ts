import type { ActingContext } from '../../../contract/context.ts'
import {
  type HeldControl,
  insertControl,
  lockControlAlone as lockAlone,
  lockControlForShare as lockForShare,
  lockControlForUpdate as lockForUpdate,
  requireUnfrozenRow,
  updateSequence,
} from './controls.sql.ts'
import type { Freezes } from './freezes.ts'

type Locking = Pick<ActingContext, 'tenant' | 'tx' | 'now'>

/** Every release of money locks this first: a freeze waits for releases under way, and a later release sees the freeze. */
export function lockControlForShare(ctx: Pick<Locking, 'tenant' | 'tx'>): Promise<Freezes | null> {
  return ctx.tx.maybe(lockForShare(tenanted(ctx)))
}

/** Locks the control row against every release of money, as a freeze does; makes the row where it is missing. */
export async function lockControlForUpdate(ctx: Locking): Promise<HeldControl> {
  const row = await ctx.tx.maybe(lockForUpdate({ ...tenanted(ctx), now: ctx.now }))
  if (!row) throw new Error('the control row was not held')
  return row
}

/** Locks the control row, where there is one, against every release of money. */
export async function lockControlAlone(ctx: Pick<Locking, 'tenant' | 'tx'>): Promise<{ seq: number } | null> {
  return ctx.tx.maybe(lockAlone(tenanted(ctx)))
}

/** The next sequence of the account's events, which continue from its control row in test mode. Call it under `lockControlAlone`. */
export function takeSequence(ctx: Locking, locked: { seq: number }): number {
  const seq = locked.seq + 1
  ctx.tx.write(updateSequence({ ...tenanted(ctx), seq, now: ctx.now }))
  return seq
}

/** The control row of a new account. `seq` is the sequence of the account's last event. */
export function openControl(ctx: Locking, seq: number): void {
  ctx.tx.write(insertControl({ ...tenanted(ctx), seq, now: ctx.now }))
}

/**
 * Travels with the commit and locks the control row like `lockControlForShare`. The transaction ends with a serialization failure where
 * the purchase is frozen by now.
 */
export function requireUnfrozen(
  ctx: Pick<Locking, 'tenant' | 'tx'>,
  of: { profileId: string; agentId: string | null },
): void {
  ctx.tx.write(requireUnfrozenRow({ ...tenanted(ctx), profile_id: of.profileId, agent_id: of.agentId }))
}

function tenanted({ tenant }: Pick<Locking, 'tenant'>) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}

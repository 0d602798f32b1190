import type { ActingContext, CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { VerificationChange } from './decide-verification.ts'
import type { merchantEvents } from './events.ts'
import { insertMerchant, lockMerchant, selectMerchantRow, updateMerchantRow } from './merchant.sql.ts'
import type { Merchant, MerchantRow } from './merchant.ts'
import type { ReadReadiness } from './port.ts'
import { blankMerchant, merchantAggregate, renderMerchant } from './write-merchant.ts'

type MerchantEvent = keyof typeof merchantEvents | VerificationChange

type EventName = MerchantEvent | (() => MerchantEvent | null)
type Change = (row: MerchantRow) => Partial<MerchantRow> | Promise<Partial<MerchantRow>>

/** The merchant records of accounts, each shown with the readiness of its merchant. */
export type MerchantRecords = {
  /**
   * Changes the merchant record of `ctx.tenant`, which is made with its first change: locks it, lets `change` decide (it may throw a
   * refusal), writes the row and the event. `type`: the type of the event, where it is not about a change of the row; null writes none.
   * An empty change of the row writes nothing else.
   */
  change(ctx: ActingContext, change: Change, type?: EventName): Promise<Merchant>
  /** The caller's own record; an empty one where nothing has been set yet. */
  read(ctx: Pick<CallContext, 'tenant' | 'random' | 'reads'>): Promise<Merchant>
}

export function merchantRecords(readReadiness: ReadReadiness): MerchantRecords {
  return {
    change: (ctx, change, type) => changeMerchant(ctx, readReadiness, { change, type }),
    read: (ctx) => readMerchant(ctx, readReadiness),
  }
}

async function changeMerchant(
  ctx: ActingContext,
  readReadiness: ReadReadiness,
  { change, type }: { change: Change; type: EventName | undefined },
): Promise<Merchant> {
  const row = await lockedMerchant(ctx)
  const changes = await change(row)
  const event = (typeof type === 'function' ? type() : type) ?? null
  const isChanged = row.seq === 0 || Object.keys(changes).length > 0
  const facts = await readReadiness(ctx.tx, ctx.tenant)
  if (!facts) throw new Error('an account that acts does not exist')
  if (event === null && !isChanged) return renderMerchant(row, facts)
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const merchant = renderMerchant(changed, facts)
  ctx.tx.write(updateMerchantRow(changed))
  ctx.tx.emit({
    type: event ?? 'merchant.updated',
    aggregateId: merchantAggregate(row.account_id),
    sequence: changed.seq,
    object: merchant,
  })
  return merchant
}

async function readMerchant(
  ctx: Pick<CallContext, 'tenant' | 'random' | 'reads'>,
  readReadiness: ReadReadiness,
): Promise<Merchant> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const [row, facts] = await Promise.all([
    ctx.reads.maybe(selectMerchantRow(key)),
    readReadiness(ctx.reads, ctx.tenant),
  ])
  if (!facts) throw new Problem('not_found')
  // A record that does not exist has no token for its verification to name.
  const shown = row ?? { ...blankMerchant(ctx, facts.account_created_at), verification_token: '…' }
  return renderMerchant(shown, facts)
}

async function lockedMerchant(ctx: ActingContext): Promise<MerchantRow> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const known = await ctx.tx.maybe(lockMerchant(key))
  if (known) return known
  ctx.tx.write(insertMerchant(blankMerchant(ctx, ctx.now)))
  const made = await ctx.tx.maybe(lockMerchant(key))
  if (!made) throw new Error('a merchant record was made and is not there')
  return made
}

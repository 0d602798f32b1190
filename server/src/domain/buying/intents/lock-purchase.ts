import type { ActingContext } from '../../../contract/context.ts'
import type { Freezes } from '../../accounts/controls/public.ts'
import type { CartRow } from './cart.ts'
import type { LoadedIntent } from './intent.ts'
import type { LockedIntentRow } from './intents.sql.ts'
import { lockIntentRows, lockPurchaseRows } from './writes.sql.ts'

type Locking = Pick<ActingContext, 'tenant' | 'tx'>
type LockedIntent = LoadedIntent & { intent: LockedIntentRow }
type LockedPurchase = { control: Freezes | null; loaded: LockedIntent | null }

type Versioned = { version: string }
/** What a statement has locked of an intent. */
type IntentRows = { seen_intents: Versioned[]; intents: (LockedIntentRow & Versioned)[]; carts: CartRow[] }
type PurchaseRows = IntentRows & { seen_controls: Versioned[]; controls: (Freezes & Versioned)[] }

/** Locks an intent and its carts, in that order. Null: the account and mode have no such intent. */
export async function lockIntentWithCarts(ctx: Locking, intentId: string): Promise<LockedIntent | null> {
  const lock = async () => lockIntentRows.read(await ctx.tx.rows(lockIntentRows(keyOf(ctx, intentId))))
  const rows = await lock()
  return loadedFrom(isAsSeen(rows.seen_intents, rows.intents) ? rows : await lock())
}

/** The same behind the account's control row, which it locks in share mode: for whatever may release money. */
export async function lockPurchase(ctx: Locking, intentId: string): Promise<LockedPurchase> {
  const { control, loaded } = await purchaseFrom(async () =>
    lockPurchaseRows.read(await ctx.tx.rows(lockPurchaseRows(keyOf(ctx, intentId)))),
  )
  return { control, loaded }
}

/**
 * The purchase that a statement locks. A lock gives the newest version of its row, but whatever else a statement reads is as old as its
 * beginning: carts that were made while it waited are missing, and keys that were given to another agent. So a statement that got a newer
 * row than it saw is run once more; nothing can change any more, because the locks are held.
 */
export async function purchaseFrom<Rows extends PurchaseRows>(
  lock: () => Promise<Rows>,
): Promise<LockedPurchase & { rows: Rows }> {
  const first = await lock()
  const isFresh = isAsSeen(first.seen_controls, first.controls) && isAsSeen(first.seen_intents, first.intents)
  const rows = isFresh ? first : await lock()
  return { control: rows.controls[0] ?? null, loaded: loadedFrom(rows), rows }
}

function isAsSeen([seen]: readonly Versioned[], [locked]: readonly Versioned[]): boolean {
  // guard looked-at-after-the-wait: whoever waited for a lock decides by what was there when it was given
  return seen?.version === locked?.version
}

function loadedFrom({ intents: [intent], carts }: IntentRows): LockedIntent | null {
  return intent ? { intent, carts, stored: intent } : null
}

function keyOf({ tenant }: Locking, intentId: string) {
  return { account_id: tenant.accountId, mode: tenant.mode, intent_id: intentId }
}

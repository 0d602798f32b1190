import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/** Selects the ids of the purchases for a profile. */
export type PurchaseIdsOfProfile = Fragment<
  { id: string },
  { account_id: Id<'acct'>; mode: Mode; profile_id: string | null }
>

/** Purchases belong to a slice above this one, which knows their profiles. */
export const PurchasesOfProfile = definePort<PurchaseIdsOfProfile>('purchases of a profile')

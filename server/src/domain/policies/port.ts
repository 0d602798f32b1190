import type { CallContext } from '../../contract/context.ts'
import { definePort } from '../../contract/port.ts'
import type { SoldItem } from './merchant-identity.ts'

/** The data of a past intent that a simulation needs. */
export type PastIntent = {
  id: string
  created_at: Date
  profile_id: string
  /** The agent whose key made it. */
  agent_id: string | null
  /** What it was paid by, or was to be. */
  payment_method_id: string | null
  status: string
  currency: string
  expected_amount: bigint
  max_allowed_amount: bigint
  actual_amount: bigint
  fee_allowance: bigint
  items: SoldItem[]
  shipping_country: string | null
  is_over: boolean
}

type Reading = Pick<CallContext, 'tenant' | 'reads'>

/** How a simulation reads purchases, which belong to a slice above this one. */
export type PastIntentReads = {
  /** The ids of the newest intents of a period, in order from the oldest of them; of one profile, or of all. */
  newest(
    ctx: Reading,
    of: {
      profileId: string | null
      createdAfter: string | null
      createdBefore: string | null
      limit: number
    },
  ): Promise<string[]>
  /** These intents, in the order of their ids. */
  page(ctx: Reading, ids: readonly string[]): Promise<PastIntent[]>
}

export const PastIntents = definePort<PastIntentReads>('past intents')

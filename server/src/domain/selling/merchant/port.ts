import type { Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { Statement } from '../../../contract/statement.ts'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import type { VerificationRow } from './verification.sql.ts'

/** What else a merchant's setup consists of, and since when the account exists. */
export type SetupFacts = {
  account_created_at: Date
  /** 1 where there are any: the count stops there. */
  published_items: number
  /** Destinations that answer orders subscribe to all three events of the answer, and have confirmed their endpoint. */
  order_destinations: number
  quote_responders: number
}

/** The last check of a kind that ended with a status. */
export type LastCheck = {
  kind: 'quote' | 'order'
  status: 'passed' | 'failed'
  finished_at: string
  order_id: string | null
  settings: DestinationSettings
  settings_now: DestinationSettings
}

/** As the database builds it; its times are text. */
type VerificationJson = Omit<VerificationRow, 'checked_at' | 'failing_since' | 'lapsed_at'> & {
  checked_at: string | null
  failing_since: string | null
  lapsed_at: string | null
}

export type ReadinessFacts = SetupFacts & {
  verification: VerificationJson | null
  checks: LastCheck[]
  /** Its account at the payment rail, as the rail was last asked; the database builds it. */
  payout_account: {
    id: string
    charges_enabled: boolean
    payouts_enabled: boolean
    requirements_due: string[]
    read_at: string | null
  } | null
  /** A destination that may answer orders, and the one that answers quotes. */
  order_destination_id: string | null
  responder_id: string | null
  /** The last order that the merchant received. */
  last_order_id: string | null
  /** An item that is for sale, to try the rest with. */
  item: { id: string; url: string | null; price: number | null; currency: string | null } | null
}

/** Reads everything that the merchant record shows besides its own row, at once; null where there is no such account. */
export type ReadReadiness = (
  reads: { maybe<Row>(statement: Statement<Row>): Promise<Row | null> },
  tenant: Tenant,
) => Promise<ReadinessFacts | null>

/** Orders, checks, items and destinations decide how ready a merchant is; slices above this one own them. */
export const Readiness = definePort<ReadReadiness>('readiness of a merchant')

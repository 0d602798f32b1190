import type { Mode } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import type { CheckoutRow } from '../checkout.ts'

/** What a platform has put together. Its price is an estimate: how it is delivered is not known. */
export type CartRow = Pick<
  CheckoutRow,
  'currency' | 'lines' | 'buyer' | 'codes' | 'price' | 'messages' | 'attribution'
> & {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'crt'>
  platform: string
  is_signed: boolean
  state: 'open' | 'canceled'
  checkout_id: Id<'cko'> | null
  expires_at: Date
  created_at: Date
  updated_at: Date
}

import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { PayingMethod } from './payment-method.ts'
import { selectUsablePaymentMethod } from './payment-methods.sql.ts'

/** The named method of a profile, or its default; no row when there is none. */
export const payingMethod: Fragment<
  PayingMethod,
  Tenanted & { profile_id: string; payment_method_id: string | null }
> = selectUsablePaymentMethod

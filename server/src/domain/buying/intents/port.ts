import type { CallContext } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

/** The amount that the rail has captured and not refunded for one attempt of a cart; null where the rail was asked for nothing. */
export type ChargeOf = (
  ctx: Pick<CallContext, 'tenant' | 'tx'>,
  of: { cartId: string; attempt: number },
) => Promise<bigint | null>

/** The slice that executes purchases owns the charges. */
export const Charges = definePort<ChargeOf>('charges')

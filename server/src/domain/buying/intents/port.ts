import type { CallContext } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

/** What the rail has taken and not given back for one attempt of a cart; null where nothing was asked of it. */
export type ChargeOf = (
  ctx: Pick<CallContext, 'tenant' | 'tx'>,
  of: { cartId: string; attempt: number },
) => Promise<bigint | null>

/** What is charged belongs to the slice that executes purchases. */
export const Charges = definePort<ChargeOf>('charges')

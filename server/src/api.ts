import type { Operation } from './contract/operation.ts'
import { paymentMethodOperations } from './features/payment-methods/operations.ts'
import { profileOperations } from './features/profiles/operations.ts'

/** Every operation of the public interface. Adding one is a file in its slice and a line in the slice's list. */
export const operations: readonly Operation[] = [...profileOperations, ...paymentMethodOperations]

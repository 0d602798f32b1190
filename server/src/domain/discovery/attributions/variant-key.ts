import { createHash } from 'node:crypto'

const keyBytes = 8

/** A variant of a product in few bytes: an answer may show thousands of them. */
export function variantKey(itemId: string, variantId: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([itemId, variantId]))
    .digest()
    .subarray(0, keyBytes)
}

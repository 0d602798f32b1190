import { timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../../../contract/context.ts'

const keyBytes = 18

/** Opens the status of one order: a payer has no account, so who has the address may read. It follows from the id, and is stored nowhere. */
export function orderKey(orderId: string, sealer: Pick<Sealer, 'hashToken'>): string {
  return sealer.hashToken(`paid order ${orderId}`).subarray(0, keyBytes).toString('base64url')
}

export function opensOrder(key: string, orderId: string, sealer: Pick<Sealer, 'hashToken'>): boolean {
  const right = Buffer.from(orderKey(orderId, sealer))
  const given = Buffer.from(key)
  return given.length === right.length && timingSafeEqual(given, right)
}

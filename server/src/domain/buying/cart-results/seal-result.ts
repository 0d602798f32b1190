import type { Sealer } from '../../../contract/context.ts'
import type { ReceivedResult } from './port.ts'

const sealedAs = 'cart result'

/** What is sealed: the bytes, which may be any, and the receipt, which proves a payment to everybody. */
type Sealed = { content: string; receipt: string | null }

export function sealResult(sealer: Sealer, { bytes, receipt }: ReceivedResult, cartId: string): Buffer {
  const sealed: Sealed = { content: Buffer.from(bytes).toString('base64'), receipt }
  return sealer.seal(JSON.stringify(sealed), sealedAs, cartId)
}

export function openResult(
  sealer: Sealer,
  sealed: Buffer,
  cartId: string,
): { bytes: Buffer; receipt: string | null } {
  const { content, receipt }: Sealed = JSON.parse(sealer.open(sealed, sealedAs, cartId)) // as it was sealed
  return { bytes: Buffer.from(content, 'base64'), receipt }
}

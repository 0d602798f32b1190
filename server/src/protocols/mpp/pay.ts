import { cleanText, member } from '../foreign-document.ts'
import type { Challenge } from './challenge.ts'
import { readEncoded } from './charge-request.ts'

/** An answer to a challenge: the header that carries it, and its value. The same challenge and payload make the same bytes. */
export function writeCredential(
  challenge: Challenge,
  payload: Readonly<Record<string, string>>,
): { header: string; value: string } {
  const { header, ...echoed } = challenge
  const json = JSON.stringify({ challenge: { ...echoed, ...(header ? { header } : {}) }, payload })
  return {
    header: header?.toLowerCase() ?? 'authorization',
    value: `Payment ${Buffer.from(json).toString('base64url')}`,
  }
}

/** What a receipt says. */
type Paid = { readonly reference: string | null; readonly externalId: string | null }

const receiptMax = 8_192

/** Null: this is no receipt. */
export function readReceipt(header: string): Paid | null {
  const receipt = readEncoded(header.trim(), receiptMax)
  if (receipt === null || member(receipt, 'status') !== 'success') return null
  return {
    reference: cleanText(member(receipt, 'reference'), 255),
    externalId: cleanText(member(receipt, 'externalId'), 255),
  }
}

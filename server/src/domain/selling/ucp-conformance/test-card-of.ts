import { mockHandler } from '../../../protocols/ucp/conformance-handlers.ts'
import type { ConformanceInstrument } from './conformance-body.ts'

/** The test cards by which the tokens of the mock handler pay. */
const tokens: ReadonlyMap<string, string> = new Map([
  ['success_token', 'visa_auto_approved'],
  ['fail_token', 'visa_issuer_declined'],
])

/** A well-known number of test cards. Any other number is refused: no card pays here. */
const testCardNumber = '4242424242424242'

/** The test card that an instrument stands for; null: it pays nothing. */
export function testCardOf({ handler_id, credential }: ConformanceInstrument): string | null {
  if (handler_id !== mockHandler || !credential) return null
  if (credential.number === testCardNumber) return 'visa_auto_approved'
  return tokens.get(credential.token ?? '') ?? null
}

import { parseJson } from '../../schema/strict-json.ts'
import { cleanText, isObject, type JsonObject, member } from '../foreign-document.ts'

/** What a challenge of the intent `charge` asks for. */
export type ChargeRequest = {
  /** In base units of the currency. */
  readonly amount: bigint
  /** As it was written. */
  readonly currency: string
  /** Who is paid, in words of the method; null: it is not said. */
  readonly recipient: string | null
  readonly externalId: string | null
  readonly details: JsonObject
}

/** As much as the library takes that most services use. */
const requestMax = 16_384

/** Null: it cannot be read, or asks for an amount that is none. */
export function readChargeRequest(encoded: string): ChargeRequest | null {
  const request = readEncoded(encoded, requestMax)
  if (request === null) return null
  const amount = member(request, 'amount')
  const currency = cleanText(member(request, 'currency'), 100)
  const recipient = readOptional(member(request, 'recipient'))
  const externalId = readOptional(member(request, 'externalId'))
  const details = member(request, 'methodDetails') ?? {}
  if (typeof amount !== 'string' || !/^(?:0|[1-9]\d{0,29})$/.test(amount) || currency === null) return null
  if (recipient === undefined || externalId === undefined || !isObject(details)) return null
  return { amount: BigInt(amount), currency, recipient, externalId, details }
}

/** An object in base64url, which may be padded; null: it is none. */
export function readEncoded(encoded: string, max: number): JsonObject | null {
  if (encoded.length > max || !/^[\w-]+={0,2}$/.test(encoded)) return null
  const parsed = parseJson(Buffer.from(encoded, 'base64url'))
  return parsed.ok && isObject(parsed.value) ? parsed.value : null
}

/** Undefined: it is said, and cannot be read. */
function readOptional(value: unknown): string | null | undefined {
  return value === undefined || value === null ? null : (cleanText(value, 500) ?? undefined)
}

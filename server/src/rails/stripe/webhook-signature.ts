import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../platform/secrets/secret.ts'

/** How far the clock of a message may be from ours, which is what Stripe's own package allows. */
const toleranceSeconds = 300

type Signed = { readonly body: Uint8Array; readonly signature: string | undefined; readonly nowMs: number }

/** Whether Stripe has signed exactly these bytes, and not long ago. While a secret is replaced, a message has a signature by each. */
export function isSignedBy(secret: Secret, { body, signature = '', nowMs }: Signed): boolean {
  const parts = signature.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [at = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(at)) return false
  // guard old-messages-are-refused: a message that somebody has kept is not taken later
  if (Math.abs(nowMs / 1000 - Number(at)) > toleranceSeconds) return false
  const own = createHmac('sha256', secret.reveal()).update(`${at}.`).update(body).digest()
  return valuesOf('v1').some((value) => {
    const given = Buffer.from(value, 'hex')
    return given.length === own.length && timingSafeEqual(given, own)
  })
}

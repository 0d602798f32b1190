import type { Mode } from '../../contract/context.ts'
import type { PaymentRail, RailDeclaration } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { chargeToken, readIntent, refused } from './charge.ts'
import { askHold, askRefund, captureIntent, refundIntent, voidIntent } from './hold-calls.ts'
import { askCharge, closeCapture, closeCharge } from './outcome-of-key.ts'
import { openStripeApi } from './stripe-api.ts'

/** Where Stripe is reached, and as whom. In test mode this is a simulator. */
export type StripeAccount = { readonly url: string; readonly secretKey: Secret }

/** A mode without an account there takes no shared tokens in this process. */
export function stripeRail(
  mode: Mode,
): RailDeclaration<{ stripe: Readonly<Partial<Record<Mode, StripeAccount>>>; egress: Egress }> {
  return {
    name: 'stripe',
    modes: [mode],
    open: ({ stripe, egress }) => (stripe[mode] ? createStripeRail({ ...stripe[mode], egress }) : null),
  }
}

/**
 * Charges shared payment tokens at Stripe, for the one account of the operator. It has no cards, and issues no credentials.
 *
 * What it promises, and where that ends:
 * - One key makes one hold. Stripe remembers a key for at least 24 hours. A sale tries for a quarter of an hour, so no key is sent after
 *   it was forgotten; and Stripe itself lets nobody spend more by a token than the token allows.
 * - Closing is final. An intent is made before it is confirmed, so closing finds it and cancels it, and a late confirmation is refused. A
 *   key that is closed after more than 24 hours is found by Stripe's search, which may be an hour late: by then, that is no matter.
 * - Where Stripe offers no search, as in India, a charge whose answer is lost is neither asked about nor closed: its sale stays `charging`.
 * - Closing and asking may leave an intent behind at Stripe that was never confirmed. It holds nothing.
 * - Nobody is asked to confirm a payment: a token that wants this is declined.
 * - Captures and releases are known by the intent itself, refunds by the list of an intent's refunds. Neither is ever late.
 * - It cannot list its holds, so they are not part of the comparison with our rows.
 */
export function createStripeRail(options: StripeAccount & { egress: Egress }): PaymentRail {
  const api = openStripeApi(options)
  const notOffered = async () => refused({ code: 'not_offered' })
  return {
    authorize: notOffered,
    issueCredential: notOffered,
    revoke: notOffered,
    chargeCredential: (input, call) => chargeToken(api, input, call),
    capture: (input, call) => captureIntent(api, input, call),
    void: ({ reference }, call) => voidIntent(api, reference, call),
    refund: (input, call) => refundIntent(api, input, call),
    async get(_, reference, call) {
      const read = await readIntent(api, reference, call)
      return 'id' in read ? { kind: 'done', value: read.object } : read
    },
    async ask(_, call, sent) {
      switch (sent?.step) {
        case 'charge_credential':
          return await askCharge(api, sent.input, call)
        case 'capture':
        case 'void':
          return await askHold(api, { step: sent.step, reference: sent.input.reference }, call)
        case 'refund':
          return await askRefund(api, sent.input, call)
        case 'authorize':
        case 'issue_credential':
          return { kind: 'not_found' }
        default:
          // Stripe cannot be asked for a key alone.
          return { kind: 'unknown' }
      }
    },
    async close(sent, call) {
      switch (sent.step) {
        case 'charge_credential':
          return await closeCharge(api, sent.input, call)
        case 'capture':
          return await closeCapture(api, sent.input, call)
        case 'authorize':
        case 'issue_credential':
          return { kind: 'closed' }
        default:
          return sent satisfies never
      }
    },
  }
}

import { confirmedPath } from '../../contract/confirmed-path.ts'
import type { Mode } from '../../contract/context.ts'
import type { PaymentRail, RailDeclaration } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { askAuthorization, authorizeCard, termsOfAuthorization } from './authorize.ts'
import { chargeToken, termsOfCharge } from './charge.ts'
import { askHold, askRefund, captureIntent, refundIntent, voidIntent } from './hold-calls.ts'
import { readIntent, refused } from './intents.ts'
import { listHolds } from './list-holds.ts'
import { askCharge, closeCapture, closeIntents } from './outcome-of-key.ts'
import { openStripeApi } from './stripe-api.ts'

/** Where Stripe is reached, and as whom. In test mode this is a simulator. */
export type StripeAccount = { readonly url: string; readonly secretKey: Secret }

/** The rail of live mode, where the operator has chosen it. */
export const liveStripeRail: RailDeclaration<
  Parameters<ReturnType<typeof stripeRail>['open']>[0] & { liveRail?: 'none' | 'stripe' }
> = {
  name: 'stripe',
  modes: ['live'],
  issues: [],
  isAskedByCall: true,
  open: (given) => (given.liveRail === 'stripe' ? stripeRail('live').open(given) : null),
}

/** A mode without an account there takes no shared tokens in this process. */
export function stripeRail(mode: Mode): RailDeclaration<{
  stripe: Readonly<Partial<Record<Mode, StripeAccount>>>
  egress: Egress
  publicUrl?: string
}> {
  return {
    name: 'stripe',
    modes: [mode],
    issues: [],
    isAskedByCall: true,
    open: ({ stripe, egress, publicUrl = null }) =>
      stripe[mode] ? createStripeRail({ ...stripe[mode], egress, publicUrl }) : null,
  }
}

type Means = {
  readonly egress: Egress
  /** Where people reach us, for their way back from the page of their bank; null: nobody is sent there, and the card is declined. */
  readonly publicUrl: string | null
}

/**
 * Holds money on cards at Stripe, and charges shared payment tokens there, for the one account of the operator.
 *
 * What it promises, and where that ends:
 * - One key makes one hold. Stripe remembers a key for at least 24 hours. What is sent is settled long before, so no key is sent after it
 *   was forgotten; and Stripe itself lets nobody spend more by a token than the token allows.
 * - Closing is final. An intent is made before it is confirmed, so closing finds it and cancels it, and a late confirmation is refused. A
 *   key that is closed after more than 24 hours is found by Stripe's search, which may be an hour late: by then, that is no matter.
 * - Where Stripe offers no search, as in India, a call whose answer is lost is neither asked about nor closed: it stays unknown.
 * - Closing and asking may leave an intent behind at Stripe that was never confirmed. It holds nothing.
 * - A card is charged without its person. Where their bank wants them, the payment waits half an hour for them at a page of their bank. A
 *   token that wants this is declined, because its person is somebody else's buyer.
 * - Captures and releases are known by the intent itself, refunds by the list of an intent's refunds. Neither is ever late.
 * - It lists what it holds under our keys, newest first.
 */
export function createStripeRail(options: StripeAccount & Means): PaymentRail {
  const api = openStripeApi(options)
  const { publicUrl } = options
  const means = { api, returnUrl: publicUrl === null ? null : new URL(confirmedPath, publicUrl).href }
  const notOffered = async () => refused({ code: 'not_offered' })
  return {
    issueCredential: notOffered,
    revoke: notOffered,
    authorize: (input, call) => authorizeCard(means, input, call),
    chargeCredential: (input, call) => chargeToken(api, input, call),
    capture: (input, call) => captureIntent(api, input, call),
    void: ({ reference }, call) => voidIntent(api, reference, call),
    refund: (input, call) => refundIntent(api, input, call),
    list: (query, call) => listHolds(api, query, call),
    async get(_, reference, call) {
      const read = await readIntent(api, reference, call)
      return 'id' in read ? { kind: 'done', value: read.object } : read
    },
    async ask(_, call, sent) {
      switch (sent?.step) {
        case 'authorize':
          return await askAuthorization(means, sent.input, call)
        case 'charge_credential':
          return await askCharge(api, sent.input, call)
        case 'capture':
        case 'void':
          return await askHold(api, { step: sent.step, reference: sent.input.reference }, call)
        case 'refund':
          return await askRefund(api, sent.input, call)
        case 'issue_credential':
          return { kind: 'not_found' }
        default:
          // Stripe cannot be asked for a key alone.
          return { kind: 'unknown' }
      }
    },
    async close(sent, call) {
      switch (sent.step) {
        case 'authorize':
          return await closeIntents(api, termsOfAuthorization(sent.input), call)
        case 'charge_credential':
          return await closeIntents(api, termsOfCharge(sent.input), call)
        case 'capture':
          return await closeCapture(api, sent.input, call)
        case 'issue_credential':
          return { kind: 'closed' }
        default:
          return sent satisfies never
      }
    },
  }
}

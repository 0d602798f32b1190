import { confirmedPath } from '../../contract/confirmed-path.ts'
import type { Mode } from '../../contract/context.ts'
import type { Call, PaymentRail, RailAnswer, RailDeclaration } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import type { VaultClient } from '../../platform/vault-client/vault-client.ts'
import { askAuthorization, authorizeCard, termsOfAuthorization } from './authorize.ts'
import { readCardFunds } from './card-funds.ts'
import { readCardHolder } from './card-holder.ts'
import { listCardMovements } from './card-movements.ts'
import { chargeToken, termsOfCharge } from './charge.ts'
import { readDispute } from './disputes.ts'
import { listEvents } from './events.ts'
import { askHold, askRefund, captureIntent, refundIntent, voidIntent } from './hold-calls.ts'
import { readIntent, refused } from './intents.ts'
import { askCard, askRevoked, closeCard, type Issuing, isCard, issueCard, revokeCard } from './issue-card.ts'
import { readCard } from './issued-card.ts'
import { listHolds } from './list-holds.ts'
import { payShare, recoverShare } from './merchant-share.ts'
import { askCharge, closeCapture, closeIntents } from './outcome-of-key.ts'
import { openStripeApi, type StripeApi, within } from './stripe-api.ts'

/** Where Stripe is reached, and as whom. In test mode this is a simulator. `cardholder`: in whose name cards are issued; null: none are. */
export type StripeAccount = {
  readonly url: string
  readonly secretKey: Secret
  readonly cardholder: string | null
}

/** The rail of live mode, where the operator has chosen it. */
export const liveStripeRail: RailDeclaration<
  Parameters<ReturnType<typeof stripeRail>['open']>[0] & { liveRail?: 'none' | 'stripe' }
> = {
  name: 'stripe',
  modes: ['live'],
  issues: ['card'],
  issuesCards: ({ liveRail, stripe: { live } }) =>
    liveRail === 'stripe' && (live?.cardholder ?? null) !== null,
  isAskedByCall: true,
  isPrefunded: true,
  open: (given) => (given.liveRail === 'stripe' ? stripeRail('live').open(given) : null),
}

/** A mode without an account there takes no shared tokens in this process. */
export function stripeRail(mode: Mode): RailDeclaration<{
  stripe: Readonly<Partial<Record<Mode, StripeAccount>>>
  egress: Egress
  publicUrl?: string
  vault?: VaultClient | null
}> {
  return {
    name: 'stripe',
    modes: [mode],
    issues: [],
    isAskedByCall: true,
    isPrefunded: true,
    open: ({ stripe, egress, publicUrl = null, vault = null }) =>
      stripe[mode] ? createStripeRail({ ...stripe[mode], egress, publicUrl, vault }) : null,
  }
}

type Means = {
  readonly egress: Egress
  /** Where people reach us, for their way back from the page of their bank; null: nobody is sent there, and the card is declined. */
  readonly publicUrl: string | null
  /** Who reads the numbers of issued cards; null: none are issued. */
  readonly vault: VaultClient | null
}

/**
 * Holds money on cards at Stripe, issues cards of the operator's program, and charges shared payment tokens there, for the one account of the
 * operator.
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
 * - It lists what it holds on cards under our keys, newest first. A card that it has issued holds nothing, and is in no such list.
 * - A card that is issued has one limit for all its authorizations, which Stripe keeps by itself. Its time Stripe does not keep: it ends by
 *   being revoked. Its number goes into the vault, which asks for it with a key of its own.
 * - Of all that happens there, disputes are followed, for the thirty days that Stripe lists it. What a merchant was paid by the charge is
 *   taken back from it by a reversal, and paid again by a transfer; both have our key in their metadata.
 * - A card is found by its key in the list of its holder's cards of the last month, which is never late.
 */
export function createStripeRail(options: StripeAccount & Means): PaymentRail {
  const api = openStripeApi(options)
  const { publicUrl, cardholder } = options
  const means = { api, returnUrl: publicUrl === null ? null : new URL(confirmedPath, publicUrl).href }
  const issuing = issuingOf(api, options)
  return {
    async issueCredential(input, call) {
      if (!isCard(input) || cardholder === null) return refused({ code: 'not_offered' })
      return issuing === null ? noVault : await issueCard(issuing, input, call)
    },
    revoke: ({ reference }, call) => revokeCard(api, reference, call),
    authorize: (input, call) => authorizeCard(means, input, call),
    chargeCredential: (input, call) => chargeToken(api, input, call),
    capture: (input, call) => captureIntent(api, input, call),
    void: ({ reference }, call) => voidIntent(api, reference, call),
    refund: (input, call) => refundIntent(api, input, call),
    list: (query, call) => listHolds(api, query, call),
    listEvents: (after, call) => listEvents(api, after, call),
    readDispute: (id, call) => readDispute(api, id, call),
    recoverShare: (input, call) => recoverShare(api, input, call),
    payShare: (input, call) => payShare(api, input, call),
    ...(cardholder === null
      ? {}
      : {
          listMovements: (after: string | null, call: Call) => listCardMovements(api, after, call),
          readHolder: (call: Call) => readCardHolder(api, cardholder, call),
          readFunds: (currency: string, call: Call) => readCardFunds(api, currency, call),
        }),
    async get(kind, reference, call) {
      if (kind === 'credential') {
        const card = await readCard(api, reference, within(call))
        return card.kind === 'card' ? { kind: 'done', value: card.object } : card
      }
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
          if (!isCard(sent.input)) return { kind: 'not_found' }
          return issuing === null ? { kind: 'unknown' } : await askCard(issuing, sent.input, call)
        case 'revoke':
          return await askRevoked(api, sent.input.reference, call)
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
          if (!isCard(sent.input)) return { kind: 'closed' }
          // Another process has issued it.
          if (cardholder === null) return { kind: 'unknown' }
          return await closeCard({ api, cardholder }, sent.input, call)
        default:
          return sent satisfies never
      }
    },
  }
}

/** Null: this process cannot issue cards. */
function issuingOf(api: StripeApi, { url, cardholder, vault }: StripeAccount & Means): Issuing | null {
  return cardholder === null || vault === null ? null : { api, url, cardholder, vault }
}

const noVault: RailAnswer = { kind: 'not_sent', retryable: false }

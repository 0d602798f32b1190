import type { CallContext } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import { claimPaymentToken, readPaymentToken, type UsableToken } from '../../buying/payment-tokens/public.ts'
import type { SaleInstrument } from '../sales/public.ts'
import type { CheckoutMessage } from './checkout.ts'
import type { PaymentInstrument } from './checkout-body.ts'

/** The ids of the payment handlers, as profiles and checkouts name them. */
const testCardHandler = 'test_card'
const vaultTokenHandler = 'vault_token'
const stripeHandler = 'stripe_payments'

/** How platforms call the credential of Stripe's handler. */
const sharedTokenTypes: readonly unknown[] = ['shared_payment_token', 'spt']

/** What a platform wants to pay with, as it has sent it. */
export type SentInstrument =
  | Extract<SaleInstrument, { kind: 'test_card' | 'shared_payment_token' }>
  | { readonly kind: 'payment_token'; readonly text: string }

type Refused = { readonly kind: 'refused'; readonly why: string }

/** What a sale is to be paid with, from an instrument as a platform sends it. */
export function instrumentOf(
  { tenant: { mode }, settings }: Pick<CallContext, 'tenant' | 'settings'>,
  sent: PaymentInstrument | null,
): { readonly kind: 'sent'; readonly instrument: SentInstrument } | Refused {
  if (sent === null) return refused('Send one instrument, or mark one of them as selected.')
  const { type, token } = sent.credential ?? {}
  if (sent.handler_id === vaultTokenHandler)
    return type === vaultTokenHandler && token !== undefined
      ? { kind: 'sent', instrument: { kind: 'payment_token', text: token } }
      : refused('The credential of the handler vault_token is {"type": "vault_token", "token": "…"}.')
  if (sent.handler_id === stripeHandler && settings.sharedTokenNetworks?.[mode] !== undefined)
    return sharedTokenTypes.includes(type) && token !== undefined && /^spt_\w{1,250}$/.test(token)
      ? { kind: 'sent', instrument: { kind: 'shared_payment_token', token: new Secret(token) } }
      : refused(
          'The credential of the handler stripe_payments is {"type": "shared_payment_token", "token": "spt_…"}.',
        )
  if (sent.handler_id !== testCardHandler || mode !== 'test')
    return refused(`The checkout has no payment handler ${sent.handler_id}.`)
  if (type !== testCardHandler || token === undefined || !/^[a-z_]{1,64}$/.test(token))
    return refused(
      'The credential of the handler test_card is {"type": "test_card", "token": "visa_auto_approved"}, or another test card.',
    )
  return { kind: 'sent', instrument: { kind: 'test_card', card: token } }
}

type Cost = {
  /** What a token has to be for. */
  readonly binding: UsableToken['binding']
  readonly total: number
  readonly currency: string
}

type Usable =
  | { readonly kind: 'at_the_rail'; readonly instrument: SaleInstrument }
  | { readonly kind: 'token'; readonly token: UsableToken; readonly credentialReference: string }

/** Whether the instrument can pay this checkout at the merchant `ctx.tenant`. It takes nothing. */
export async function examineInstrument(
  ctx: CallContext,
  sent: SentInstrument,
  { binding: asked, total, currency }: Cost,
): Promise<Usable | Refused> {
  // The rail alone knows what these allow.
  if (sent.kind !== 'payment_token') return { kind: 'at_the_rail', instrument: sent }
  const token = await readPaymentToken(ctx, { mode: ctx.tenant.mode, token: sent.text })
  if (token === null || token.merchantAccountId !== ctx.tenant.accountId) return refused(reasons.unknown)
  const { binding, credentialReference, status } = token
  const isForThis =
    'checkoutId' in asked
      ? 'checkoutId' in binding && binding.checkoutId === asked.checkoutId
      : 'challengeId' in binding && binding.challengeId === asked.challengeId
  if (!isForThis) return refused(`The payment token is for another ${nameOf(asked)}.`)
  if (token.currency !== currency || token.amount < BigInt(total))
    return refused(
      `The payment token pays up to ${toWire(token.amount)} ${token.currency}, and the ${nameOf(asked)} asks for ${total} ${currency}, both in minor units.`,
    )
  if (token.orderId !== null) return refused(reasons.used)
  if (status === 'expired') return refused(reasons.expired)
  if (status !== 'active' || credentialReference === null) return refused(reasons.not_active)
  return { kind: 'token', token, credentialReference }
}

/** Takes what pays for one order; a token pays once. */
export async function takeInstrument(
  ctx: CallContext,
  usable: Usable,
  orderId: string,
): Promise<{ readonly kind: 'taken'; readonly instrument: SaleInstrument } | Refused> {
  if (usable.kind === 'at_the_rail') return { kind: 'taken', instrument: usable.instrument }
  const claimed = await claimPaymentToken(ctx, usable.token, { orderId })
  if (claimed.kind === 'refused') return refused(reasons[claimed.reason])
  const { id, buyer, cartId, acceptor, rail } = claimed.token
  const { credentialReference } = usable
  return {
    kind: 'taken',
    instrument: { kind: 'payment_token', token: { id, buyer, cartId, acceptor, credentialReference, rail } },
  }
}

function nameOf(binding: Cost['binding']): string {
  return 'checkoutId' in binding ? 'checkout' : 'challenge'
}

const unknown = 'There is no such payment token for this merchant.'
const reasons = {
  unknown,
  other_merchant: unknown,
  used: 'The payment token was used. A token pays once.',
  expired: 'The payment token has expired.',
  not_active: 'The payment token cannot be used yet, or no more.',
  frozen: 'The payment token cannot be used while its buyer has frozen purchases.',
} as const

function refused(why: string): Refused {
  return { kind: 'refused', why }
}

export function refusedInstrument(content: string): CheckoutMessage {
  return {
    type: 'error',
    code: 'payment_failed',
    content: `${content} Nothing was charged.`,
    path: '$.payment.instruments[0]',
    severity: 'recoverable',
  }
}

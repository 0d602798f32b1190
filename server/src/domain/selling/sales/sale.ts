import type { Mode, Sealer } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { PutOff } from '../../../core/put-off.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import type { UsableToken } from '../../buying/payment-tokens/public.ts'
import type { LineItem, NewOrder, OrderBuyer } from '../../trade/orders/public.ts'

/**
 * `charging`: the money is not held yet, and there is no order. `ordered`: it is held, and the order awaits its merchant. `capturing`: the
 * merchant has confirmed. `releasing`: it has not, or the capture was refused. `undoing`: the money is held, and the offer ended before
 * that, so there is no order. The others are ends: nothing is held any more.
 */
export type SaleState =
  | 'charging'
  | 'ordered'
  | 'capturing'
  | 'releasing'
  | 'undoing'
  | 'captured'
  | 'released'
  | 'declined'
  | 'unpaid'

type SaleCall = 'charge' | 'capture' | 'void'

/**
 * What a sale is paid with: a card of test mode, a token by which a purchase of an account here pays, or a token that another payment
 * network has issued to the merchant. Who has that last one can spend it.
 */
export type SaleInstrument =
  | OpenInstrument
  | { readonly kind: 'shared_payment_token'; readonly token: Secret }

/** What names an instrument that may stand in a row. */
type OpenInstrument =
  | { readonly kind: 'test_card'; readonly card: string }
  | { readonly kind: 'payment_token'; readonly token: SaleToken }

/** As a row has it: the secret of a shared token stands apart, sealed. */
type KeptInstrument = OpenInstrument | { readonly kind: 'shared_payment_token' }

type SaleToken = Pick<UsableToken, 'id' | 'buyer' | 'cartId' | 'acceptor'> & {
  readonly credentialReference: string
  /** The rail that has issued the credential. Sales of before have none. */
  readonly rail?: string | null
}

/** What its order will say. */
export type SaleTerms = {
  readonly merchant: {
    readonly name: string | null
    readonly slug: string | null
    readonly domain: string | null
  }
  readonly buyer: OrderBuyer
  readonly lineItems: LineItem[]
  readonly amounts: {
    readonly subtotal: number
    readonly fulfillment: number
    readonly tax: number
    readonly discount: number
  }
  readonly taxBasisPoints: number | null
  readonly customer: NewOrder['customer']
  readonly shippingAddress: NewOrder['shippingAddress']
  /** The uses of promotions that the price counts on, which are held for a while. Sales of before have the one of theirs apart. */
  readonly promotionUses?: readonly string[]
  readonly promotionUse?: string | null
  /** The token of the search in which the goods were found, as the buyer sent it. Sales of before have none. */
  readonly attributionToken?: string | null
}

/** Why the money was not taken, by the rail's codes; `not_reached`: the rail could not be called in time. */
export type SaleFailure = { readonly code: string; readonly decline_code: string | null }

export type SaleRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'sal'>
  order_id: Id<'ord'>
  state: SaleState
  terms: SaleTerms
  instrument: KeptInstrument
  /** The shared token that pays, until its charge has ended. */
  sealed_token: Buffer | null
  amount: bigint
  currency: string
  /** The rail that holds the money, from the first call on; null before it, and in sales from before rails had names. */
  rail: string | null
  hold_reference: string | null
  hold_expires_at: Date | null
  capture_reference: string | null
  captured_amount: bigint
  /** The call under way, or the next one; null where none is due. */
  call: SaleCall | null
  /** Which sending of a void has the key: after a refusal, the next one has the next number. */
  call_number: number
  call_amount: bigint | null
  tries: number
  asked: number
  may_have_left: boolean
  /** What the rail last said about the call that may have left. */
  heard: 'pending' | 'nothing' | 'not_found' | 'closed' | 'refused' | null
  sent_at: Date | null
  asked_at: Date | null
  not_before: Date | null
  put_off: PutOff | null
  failure: SaleFailure | null
  due_at: Date | null
  created_at: Date
  updated_at: Date
}

/** The key by which the rail knows a call of a sale: equal in every process, and after a restore from a backup. */
export function callKey({ id, call, call_number }: Pick<SaleRow, 'id' | 'call' | 'call_number'>): string {
  return call_number === 1 ? `${id}:${call}` : `${id}:${call}:${call_number}`
}

/** What a shared token is sealed as. */
const sealedAs = 'sale.shared_token'

/** The instrument as a row has it. */
export function keepInstrument(
  sealer: Sealer,
  id: Id<'sal'>,
  instrument: SaleInstrument,
): Pick<SaleRow, 'instrument' | 'sealed_token'> {
  if (instrument.kind !== 'shared_payment_token') return { instrument, sealed_token: null }
  const { kind, token } = instrument
  return { instrument: { kind }, sealed_token: sealer.seal(token.reveal(), sealedAs, id) }
}

/** The shared token of a sale whose charge has not ended. */
export function openToken(sealer: Sealer, { id, sealed_token: sealed }: SaleRow): Secret {
  if (sealed === null) throw new Error('a sale without the token that pays it')
  return new Secret(sealer.open(sealed, sealedAs, id))
}

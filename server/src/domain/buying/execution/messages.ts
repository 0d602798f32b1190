import type { PayingMethod } from '../../buyers/payment-methods/public.ts'
import type { KnownSite } from '../../discovery/registry/public.ts'
import type { placeStrangerOrder } from '../../trade/orders/public.ts'
import type { CardFunds, OpenedCard, openCard } from '../card-authorizations/public.ts'
import type { ReceivedResult } from '../cart-results/public.ts'
import type {
  Elsewhere,
  Offer,
  OfferAnswer,
  OfferRequest,
  PlaceAnswer,
  PlaceMemory,
  PlaceRequest,
} from '../channels/public.ts'
import type { FailureReason, LoadedCart, LoadedIntent, StoredAnswer } from '../intents/public.ts'
import type { NativeOfferAnswer, NativeOrder, NativePlaceAnswer } from '../native/public.ts'
import type { NewRefund, RailNews } from '../rail-movements/public.ts'
import type {
  AllowedCharge,
  HoldAnswer,
  RailCall,
  RailReading,
  RailStep,
  Recalled,
  SentCall,
} from '../rails/public.ts'

/** What a cart is told: that it is looked at, the answer of a call, or that of a command. */
export type Input =
  | { readonly kind: 'looked' }
  | { readonly kind: 'answered'; readonly answer: Answered }
  | { readonly kind: 'done'; readonly done: Done }

export type Next =
  /** Commit what was decided, make the call, and tell the cart its answer. */
  | { readonly kind: 'call'; readonly call: Outbound }
  /** In this very transaction; nothing is committed before its answer. */
  | { readonly kind: 'command'; readonly command: Command }
  /** The lease ends; the cart is worked on again at this time, or when something makes it due. */
  | { readonly kind: 'rest'; readonly until: Date | null }
  /** The lease ends, and another worker goes on at once. */
  | { readonly kind: 'yield' }
  /** A person is asked, and the cart was put to rest with the question. */
  | { readonly kind: 'asked' }

/** An order as a channel gets it, before what only the process may know is added: what an item sends, and how a card is typed. */
export type OrderTerms = Omit<PlaceRequest, 'instrument'>

/** A call to the outside, as data. */
export type Outbound = {
  readonly longestCallMs: number
} & Asked

type Asked =
  | { readonly kind: 'offer'; readonly request: OfferRequest }
  | {
      readonly kind: 'rail'
      readonly step: RailStep
      readonly attempt: number
      readonly rail: string | null
      readonly sent: RailCall
    }
  | {
      readonly kind: 'rail_memory'
      readonly rail: string | null
      readonly how: 'ask' | 'close'
      readonly step: RailStep
      readonly attempt: number
      readonly key: string
      readonly sent: SentCall | null
    }
  | { readonly kind: 'place'; readonly attempt: number; readonly order: OrderTerms }
  | {
      readonly kind: 'place_memory'
      readonly how: 'ask' | 'close'
      readonly attempt: number
      readonly order: OrderTerms
    }
  /** What the cards of a rail can still spend, when the cart is as it is now. */
  | {
      readonly kind: 'funds'
      readonly rail: string | null
      readonly attempt: number
      readonly currency: string
      readonly at: Date
    }
  /** The state of a hold. `news`: what the rail had reported of it before. */
  | {
      readonly kind: 'reading'
      readonly attempt: number
      readonly rail: string | null
      readonly of: { readonly kind: 'authorization' | 'credential'; readonly reference: string }
      readonly news: readonly RailNews[]
    }

/** The answer of a call. */
export type Answered =
  | { readonly kind: 'offer'; readonly answer: OfferAnswer }
  | Elsewhere
  | { readonly kind: 'rail'; readonly step: RailStep; readonly attempt: number; readonly answer: HoldAnswer }
  | {
      readonly kind: 'rail_memory'
      readonly step: RailStep
      readonly attempt: number
      readonly answer: Recalled
    }
  /** `amount` null: nobody could say. */
  | { readonly kind: 'funds'; readonly at: Date; readonly amount: bigint | null }
  | { readonly kind: 'place'; readonly attempt: number; readonly answer: PlaceAnswer }
  | { readonly kind: 'place_memory'; readonly attempt: number; readonly answer: PlaceMemory }
  | {
      readonly kind: 'reading'
      readonly attempt: number
      readonly answer: RailReading
      readonly news: readonly RailNews[]
    }

/** A card as the rail gets it. */
export type Card = {
  readonly test_card: string | null
  readonly vault_token: string
  readonly kept_by: string | null
  readonly kept_customer: string | null
  readonly kept_method: string | null
}

/** What a cart may have to know, each read when it is needed. */
export type Facts = {
  /** What pays: see `payingId`; null: there is none that may be used. */
  readonly payer: PayingMethod | null
  /** The card that an effect was sent with, whatever its state is by now; null: it is gone. */
  readonly sentCard: Card | null
  /** Where a browser may go besides the shop's own domain. */
  readonly moreHosts: readonly string[]
  /** What the profile keeps to be told to shops, sealed. */
  readonly keptAnswers: readonly Omit<StoredAnswer, 'owner'>[]
  /** What the registry knows of the shop at this moment; null: nothing. */
  readonly site: KnownSite | null
  /** Why no money is held for the merchant of ours; null: nothing speaks against it. */
  readonly sellerRefusal: 'merchant_changed' | 'merchant_unavailable' | null
  /** The order by which the merchant uses the token; null: none so far. */
  readonly tokenOrder: string | null
  /** What the rail has reported of the cart's charge, and the cart has not looked at. */
  readonly news: readonly RailNews[]
  /** How many seconds the rail's circuit breaker holds an offer back, which will have to be paid for. */
  readonly offerHeldSeconds: number
  /** The same for a call to a rail. At 0 the call that finds out whether the rail works is this one. */
  readonly railHeld: { readonly rail: string | null; readonly seconds: number }
}

/** All that a look has learned. */
export type Known = Facts & {
  /** What the cards of the rail can spend; `amount` null: nobody could say. */
  readonly funds: { readonly amount: bigint | null; readonly readAt: Date }
  /** Whether the card of this attempt may be typed, which is when they cover it. */
  readonly card: Awaited<ReturnType<typeof openCard>>
  /** What was allowed on a card as it was read, and is not compared with our own answers yet. */
  readonly charges: readonly AllowedCharge[]
  /** One of them that nobody here has allowed; null: there is none. */
  readonly foreignCharge: string | null
}

/** What is done for a cart in its own transaction, by those who own the rows. */
export type Command =
  | {
      readonly kind: 'read'
      readonly fact: keyof Facts
      readonly cardId?: string
      readonly rail?: string | null
    }
  /** The offer of a merchant of ours. */
  | { readonly kind: 'offer' }
  /** The order with a merchant of ours, for the offer that money is held for. */
  | { readonly kind: 'place' }
  | { readonly kind: 'read_order'; readonly attempt: number; readonly orderRow: string | null }
  /** From now on the number of an issued card may be typed, if the balance of these funds covers it. */
  | {
      readonly kind: 'open_card'
      readonly card: Omit<OpenedCard, 'profileId' | 'agentId' | 'cartId'>
      readonly funds: CardFunds
    }
  /** No further card is shown to a shop where one of these was allowed by nobody here. */
  | { readonly kind: 'compare_charges'; readonly charges: readonly AllowedCharge[] }
  /** Asks a person about a price beyond the tolerance. */
  | { readonly kind: 'propose_price'; readonly offer: Offer }

export type Done =
  | { readonly kind: 'read'; readonly facts: Partial<Facts> }
  | { readonly kind: 'offer'; readonly answer: NativeOfferAnswer; readonly facts: Partial<Facts> }
  | { readonly kind: 'place'; readonly answer: NativePlaceAnswer }
  | { readonly kind: 'read_order'; readonly attempt: number; readonly answer: NativeOrder }
  | { readonly kind: 'open_card'; readonly card: Known['card'] }
  | { readonly kind: 'compare_charges'; readonly foreign: string | null }
  /** The purchase as it stands since. `refusal`: why nobody is asked. */
  | {
      readonly kind: 'propose_price'
      readonly refusal: FailureReason | null
      readonly intent: LoadedIntent['intent']
      readonly carts: readonly LoadedCart[]
    }

/** A write of another slice that needs no answer. Its owner carries it out with the commit. */
export type Write =
  | {
      readonly kind: 'order_paid'
      readonly orderId: string
      readonly standing: 'captured' | 'failed' | 'voided'
    }
  /** What happens to the credential at the rail is this cart's from now on. */
  | { readonly kind: 'follow_credential'; readonly reference: string; readonly attempt: number }
  | { readonly kind: 'settle_news'; readonly ids: readonly string[]; readonly refused: readonly string[] }
  | {
      readonly kind: 'stranger_order'
      readonly order: Parameters<typeof placeStrangerOrder>[1]
      readonly toldAs: Offer['toldAs']
    }
  | {
      readonly kind: 'stranger_payment'
      readonly orderId: string
      readonly standing: 'authorized' | 'captured' | 'voided'
      readonly isRefundedWhole: boolean
      readonly refunds: readonly NewRefund[]
    }
  /** Nobody is allowed anything on it any more. */
  | { readonly kind: 'close_card'; readonly reference: string }
  | { readonly kind: 'correct_reservation'; readonly by: bigint }
  | { readonly kind: 'keep_result'; readonly result: ReceivedResult }

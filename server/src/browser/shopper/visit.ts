import type { Page } from 'puppeteer-core'
import type { PageReader } from '../../channels/browser/page-reader.ts'
import type {
  EvidenceStage,
  GivenAnswer,
  Offer,
  ShopLook,
  ShopPlaced,
  ShopPrice,
  ShopProductAnswer,
  ShopQuestion,
  ShopRequest,
  ShopWayAnswer,
  ShopWayRequest,
} from '../../channels/browser/shopping-words.ts'
import type { Faults } from '../../platform/faults/faults.ts'
import type { TicketSecret } from '../../platform/vault-client/vault-words.ts'

/** The part of a card that a form asks for. */
export type CardToType = {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly securityCode: string | null
  readonly holder: string
}

/**
 * One cart's own browser context, as the process gives it to the shopper. The process guards it: what may not be contacted is not, whatever
 * the shopper does.
 */
export type Visit = {
  readonly page: Page
  /** Ends the visit: nothing is clicked or typed after it. */
  readonly signal: AbortSignal
  /** Passes a point where tests kill this process. */
  readonly at: Faults['at']
  /** Takes a masked picture of the page as it is. */
  evidence(stage: EvidenceStage, totalText: string | null): Promise<void>
  /** Whether a card may be typed into a frame of this origin, and sent to that origin by its form. */
  mayTakeCard(origin: string): boolean
  /** Whether what a customer signs in with may be typed into a page of this origin: it is the merchant's own, over TLS. */
  mayTakePassword(origin: string): boolean
  /** From here on nothing is asked of an address that holds this. */
  keepOutOfAddresses(secret: string): void
  /** From here on no host is contacted that has not been already, but those of a bank's own check. */
  closeHosts(): void
  /** What the guard has refused so far, oldest first, as sentences: `navigation to 127.0.0.1`. */
  refusals(): readonly string[]
}

/**
 * Fetches the card for a frame of this origin, at most once. Null: it was refused, and nothing may be ordered. The worker has written down
 * before it answers that the card may be used.
 */
export type FetchCard = (origin: string) => Promise<CardToType | null>

/** What a person has sealed for the sign-in at this shop. Each part is typed once. */
export interface SignIn {
  /** Opens the ticket for a page of this origin, at most once. Null: it cannot be opened. */
  secret(origin: string): Promise<TicketSecret | null>
  /**
   * The shop has sent a code to its customer: the visit waits with its page. Null: no code has come. `isRefused`: the shop has not taken
   * the last one.
   */
  code(
    origin: string,
    asked: { readonly isRefused: boolean; readonly message: string | null },
  ): Promise<string | null>
}

/** The shop requires something that the buyer's data lack: the visit waits with its page. All that was answered for the shop so far. */
export type AskBuyer = (question: Omit<ShopQuestion, 'session'>) => Promise<readonly GivenAnswer[]>

/** `reader` is asked where the rules are stuck, `signIn` where the shop asks who is there, and `ask` where it asks more. */
export type PriceMeans = {
  readonly reader?: PageReader | null
  readonly signIn?: SignIn | null
  readonly ask?: AskBuyer | null
}

/** Buys at a page as a person would: reads it, fills its forms and presses its buttons. */
export interface Shopper {
  /** Reads the page of a product, and does nothing there. */
  product(visit: Visit, look: ShopLook): Promise<ShopProductAnswer>
  /** Goes the way to the checkout before anybody buys, and writes down what it finds until its time is over. */
  way(visit: Visit, request: ShopWayRequest, longestMs: number): Promise<ShopWayAnswer>
  /** Goes from the pages of the items to the summary before the payment, and orders nothing. */
  price(visit: Visit, request: ShopRequest, means?: PriceMeans): Promise<ShopPrice>
  /** Goes on from the summary of the same visit: types the card, reads the money again, and orders. */
  place(visit: Visit, request: ShopRequest, offer: Offer, fetchCard: FetchCard): Promise<ShopPlaced>
}

import type { Mode, Tenant } from '../../../contract/context.ts'

/**
 * The bounds of one outbound call. It ends inside the lease of the worker that makes it, which is renewed while a long call runs. `signal`
 * ends a long call whose lease is lost.
 */
export type Call = { readonly mode: Mode; readonly timeoutMs: number; readonly signal?: AbortSignal }

/**
 * Why a callee did nothing, for now. `credentials`: it does not know us. `permission`: it does not allow us. `misrouted`: no server
 * answers at that path. `busy`: too many requests at once. `no_room`: what it needs of our own is all in use. `no_object`: it does not know the object that was named. `not_understood`: it
 * does not understand the request, which is a bug of ours. `circuit_open`: it was not called, because its last calls failed.
 */
export type NotNowReason =
  | 'credentials'
  | 'permission'
  | 'misrouted'
  | 'busy'
  | 'no_room'
  | 'no_object'
  | 'not_understood'
  | 'circuit_open'

/** It is certain that nothing happened, and nothing is decided: the same key may be sent again, best after `retryAfterSeconds`. */
export type NotNow = {
  readonly kind: 'not_now'
  readonly reason: NotNowReason
  readonly retryAfterSeconds: number | null
}

/**
 * The result of a call that changes something outside. `refused` is for good: the same request would be refused again. `not_sent`: it is
 * certain that not one byte left; `retryable` is false where sending again cannot help. `unknown`: it may have arrived, and only asking
 * finds that out.
 */
export type Answer<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'unknown' }

/**
 * What a callee knows of a key. `not_found`: nothing that was made under it exists. `closed`: nothing was made under it, and nothing ever
 * will be. `not_now` is about the question only.
 */
export type Remembered<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'pending' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown' }

/** The card as the rail gets it. In test mode a test-card identifier, in live mode a reference of the vault, or what the rail keeps itself. */
export type PaymentCard = {
  readonly testCard: string | null
  readonly vaultToken: string
  readonly saved?: SavedCard | undefined
}

/** A card that a rail has taken itself, and keeps: its customer there, and the card. */
type SavedCard = { readonly customer: string; readonly method: string }

/** What the rail holds for us: an authorization, or a credential that another party may charge. */
export type RailObject = {
  readonly reference: string
  /** `claimed`, of a credential: its merchant has authorized against it, and has neither captured nor released. */
  readonly status: 'authorized' | 'claimed' | 'captured' | 'voided' | 'declined' | 'refunded'
  /** The hold, or the limit of the credential. */
  readonly amount: bigint
  /** Of a credential that is claimed: what its merchant has authorized; null where the rail does not say. */
  readonly claimedAmount?: bigint | null
  readonly capturedAmount: bigint
  /** Of a credential: what of it was given back, in all; absent where the rail does not say. */
  readonly refundedAmount?: bigint
  readonly currency: string
  /** Names the capture in a refund; never null after a capture. */
  readonly captureReference: string | null
  /** Of a hold: until when it can be captured. Absent where the rail does not say. */
  readonly heldUntil?: Date
  /** Of a card: the charges that are or were held on it, as far as they were allowed. Absent where its rail does not ask us about them. */
  readonly charges?: readonly AllowedCharge[]
  /** Of a credential that is a card: its number in the vault, which names it there. Absent where only its state was read. */
  readonly record?: string | null
}

/** `isUnasked`: the rail has allowed it by itself, because nobody has answered in time. */
export type AllowedCharge = { readonly id: string; readonly isUnasked: boolean }

/** `code` is the rail's own (`already_captured`, `over_limit` …); a decline of the issuer has its `declineCode`. */
export type RailRefusal = { readonly code: string; readonly declineCode: string | null }

export type RailAnswer = Answer<RailObject, RailRefusal>

export type RailMemory = Remembered<RailObject, RailRefusal>

/**
 * The payment waits for its person, at a page of their bank or of a wallet, until a time. Nothing is held before they confirm it there, and
 * `ask` says whether they have. A payment that they refuse is `refused` with the code `authentication_failed`.
 */
export type NeedsPerson = { readonly kind: 'needs_person'; readonly url: string; readonly until: Date }

/** The answer of a call that holds money. */
export type HoldAnswer = RailAnswer | NeedsPerson

/** What a rail answers when it is asked about a key. */
export type Recalled = RailMemory | NeedsPerson

/** The state of an object; `unknown`: it cannot be read at the moment. */
export type RailReading =
  | { readonly kind: 'done'; readonly value: RailObject }
  | NotNow
  | { readonly kind: 'unknown' }

export type RailAuthorize = {
  readonly key: string
  readonly card: PaymentCard
  readonly amount: bigint
  readonly currency: string
  readonly merchant: string
  /** Our own text about its purpose, which the rail's records show. */
  readonly reference: string
  /** The merchant's account at the rail, to which the money goes; missing: it is the operator's. */
  readonly payTo?: string | undefined
}

export type RailCredential = Omit<RailAuthorize, 'amount'> & {
  readonly limit: bigint
  readonly expiresAt: Date
  /** Given where a page of the merchant takes it: it is the number of a card, and that goes from the rail into the vault of this account. */
  readonly vaultOf?: Tenant['accountId'] | undefined
  /** Given where the merchant takes shared payment tokens: its name in their network. The credential is such a token then. */
  readonly seller?: string | undefined
}

/** `credential` is its reference; `merchant` is how the rail knows the merchant that charges it. */
export type RailCharge = Omit<RailAuthorize, 'card'> & { readonly credential: string }

/** In whose name cards are issued. The bank of a card compares this with what a shop was told about who is billed. */
export type CardHolder = {
  readonly name: string
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly state: string | null
  readonly postalCode: string | null
  readonly country: string
}

/** A hold as a rail lists it: the key that made it, and its state. */
export type ListedHold = { readonly key: string; readonly object: RailObject }

/** `next` asks for the page after this one; null on the last. A page may be empty. */
export type HoldPage = { readonly holds: readonly ListedHold[]; readonly next: string | null }

/** Which page of which period; `since` null: from the beginning. */
type HoldQuery = { readonly since: Date | null; readonly until: Date; readonly page: string | null }

/**
 * What a rail reports about one of its credentials. The same movement may come several times, always under the same id, and at a shared
 * account it may be about a credential of somebody else.
 */
export type RailMovement = {
  readonly id: string
  /** The credential. */
  readonly reference: string
  readonly isRefund: boolean
  /** The sum of all refunds of the credential up to this one. */
  readonly refundedAmount: bigint
}

/** `next`: from where to read on; `unread`: how many entries were passed over, because they make no sense. */
export type MovementPage = {
  readonly movements: readonly RailMovement[]
  readonly unread: number
  readonly next: string
}

/**
 * What a rail says that has happened to a dispute. It only says what to look at: what follows is decided from the dispute as it is read.
 * `hold`: the reference of the hold that is disputed, which at a shared account may be somebody else's.
 */
export type RailEvent = {
  readonly id: string
  readonly type: string
  readonly dispute: string
  readonly hold: string
  readonly happenedAt: Date
}

/** Oldest first. `next`: from where to read on. */
export type RailEventPage = { readonly events: readonly RailEvent[]; readonly next: string }

/** A dispute as its rail has it at this moment. */
export type RailDispute = {
  readonly id: string
  /** The reference of the hold that is disputed. */
  readonly hold: string
  readonly status: 'needs_response' | 'under_review' | 'closed'
  readonly outcome: 'won' | 'lost' | 'dropped' | null
  readonly amount: bigint
  readonly currency: string
  readonly dueBy: Date | null
  /** What the bank has taken and not given back. */
  readonly withdrawn: bigint
}

export type DisputeReading =
  | { readonly kind: 'done'; readonly value: RailDispute }
  | NotNow
  | { readonly kind: 'unknown' }

/** Money between the operator and the merchant that was paid for a hold. `hold` is its reference. */
export type MerchantShare = {
  readonly key: string
  readonly hold: string
  readonly amount: bigint
  readonly currency: string
}

/** `moved`: how much, which is less where the merchant was paid less, and nothing where it was not paid by the rail. */
export type ShareAnswer = Answer<{ readonly moved: bigint }, RailRefusal>

/**
 * Every call of a purchase to its rail that changes something, by the name of its step in the journal, and what it is given. This is the list
 * of such steps: the journal, the effects and their crash points are complete by it.
 */
export type RailInputs = {
  readonly authorize: RailAuthorize
  readonly issue_credential: RailCredential
  readonly capture: RailCapture
  readonly void: RailRelease
  readonly revoke: RailRelease
  readonly refund: RailCapture
}

export type RailStep = keyof RailInputs

/** Such a call, exactly as it is sent. */
export type RailCall<Step extends RailStep = RailStep> = {
  readonly [One in Step]: { readonly step: One; readonly input: RailInputs[One] }
}[Step]

type ChargeCall = { readonly step: 'charge_credential'; readonly input: RailCharge }

/** A call to a rail that can be closed, exactly as it was sent. */
export type ClosableCall = RailCall<'authorize' | 'issue_credential' | 'capture'> | ChargeCall

/** A call whose outcome is asked for, exactly as it was sent. */
export type SentCall = RailCall | ChargeCall

type RailRelease = { readonly key: string; readonly reference: string }

/** In the currency of what is captured or refunded. */
export type RailCapture = RailRelease & { readonly amount: bigint; readonly currency: string }

/**
 * The party that moves the money. Every changing call carries a deterministic key: the same key and request have the same effect, however
 * often they are sent. The rail itself refuses what exceeds an authorization or a credential.
 *
 * A rail may forget keys: Stripe keeps those of its first API for 24 hours, and those of its second for 30 days. A forgotten key that is
 * sent again has its effect again. So nothing is concluded only from the keys that a rail remembers:
 *
 * - A rail keeps keys for longer than any call can be under way, which is minutes.
 * - An adapter writes the key on what it makes (Stripe: metadata). `ask` and `close` find it there once the key itself is forgotten.
 * - Before a key that may have left is sent again, it is asked about, and only "not found" allows sending it again.
 */
export interface PaymentRail {
  authorize(input: RailAuthorize, call: Call): Promise<HoldAnswer>
  /**
   * A single-use credential that `merchant` can charge once, at most `limit`, before `expiresAt`. One that is a card takes several
   * authorizations up to its limit, as shops make them, until it is revoked; the same call again finds the same card and the same record,
   * and `unknown` may also mean that the card is issued and not yet in the vault. Where a rail issues no cards, it is `not_sent`.
   */
  issueCredential(input: RailCredential, call: Call): Promise<HoldAnswer>
  /**
   * As the merchant of a credential: authorizes against it, once for good. The answer is an authorization like any other, which is
   * captured, voided and read as one. The credential follows it: it is claimed, then captured or voided, and never charged again.
   */
  chargeCredential(input: RailCharge, call: Call): Promise<RailAnswer>
  capture(input: RailCapture, call: Call): Promise<RailAnswer>
  void(input: RailRelease, call: Call): Promise<RailAnswer>
  revoke(input: RailRelease, call: Call): Promise<RailAnswer>
  /** `reference` is the reference of the capture. */
  refund(input: RailCapture, call: Call): Promise<RailAnswer>
  /** The state of an authorization or a credential at this moment; of a card without its record. */
  get(kind: 'authorization' | 'credential', reference: string, call: Call): Promise<RailReading>
  /**
   * `sent`: the call that the key was for. A rail that has no memory of keys needs it; one that has does without, except for a card, whose
   * number comes into the vault by it.
   */
  ask(key: string, call: Call, sent?: SentCall): Promise<Recalled>
  /**
   * Makes "not found" final, also for a payment that waits for its person. After `closed` nothing is held that was made under the key, and a call with the key that is still under way
   * holds nothing when it arrives. What was captured stays captured, and the answer is `done`. Where a rail can be told to refuse a key,
   * that is done first. Where it cannot, the call is sent again as it was, so that the one under way reaches the same object. Then all that
   * was made under the key and is still held is released, also where the rail has forgotten the key. A capture is never sent again to be
   * closed: the hold that it would capture is released, and the rail refuses the capture from then on.
   */
  close(sent: ClosableCall, call: Call): Promise<RailMemory>
  /**
   * Holds that are neither captured nor released, in the rail's order; null when they cannot be read at the moment. Not every rail can list
   * them. An authorization against a credential is the credential's hold, and no second one.
   */
  list?(query: HoldQuery, call: Call): Promise<HoldPage | null>
  /** What cards that it issues can still spend of the operator's balance, in minor units; null: it cannot be read. Of a prefunded rail alone. */
  readFunds?(currency: string, call: Call): Promise<bigint | null>
  /** The holder of the cards that it issues; null: it cannot be read. Of a prefunded rail alone. */
  readHolder?(call: Call): Promise<CardHolder | null>
  /**
   * What has happened to credentials since a position, in the rail's order and at least once; null: it cannot be read at the moment.
   * `after` null: from the beginning. The state of a credential is read by `get`: a movement only says that there is something to read, and
   * which refund a sum is made of. Not every rail reports.
   */
  listMovements?(after: string | null, call: Call): Promise<MovementPage | null>
  /**
   * What has happened to disputes since a position, in the rail's order and at least once, as far back as the rail goes; null: it cannot be
   * read at the moment. Not every rail has disputes: one that has has these four.
   */
  listEvents?(after: string | null, call: Call): Promise<RailEventPage | null>
  readDispute?(id: string, call: Call): Promise<DisputeReading>
  /** Takes back from the merchant what it was paid, once for a key, whenever it is sent. A refusal: the merchant's account has too little. */
  recoverShare?(input: MerchantShare, call: Call): Promise<ShareAnswer>
  /** Pays to the merchant again what was taken back from it, once for a key, whenever it is sent. */
  payShare?(input: MerchantShare, call: Call): Promise<ShareAnswer>
}

/**
 * What a rail whose people approve each payment pays at all: only cards for pages, and of these no more than it says. `cardSeconds`: as long as
 * such a card is good.
 */
export type WalletTerms = {
  readonly currency: string
  readonly amountMax: bigint
  readonly cardSeconds: number
}

/** A payment rail as the composition lists it. `open` returns null in a process that was not given what the rail needs. */
export type RailDeclaration<Given> = {
  readonly name: string
  readonly modes: readonly Mode[]
  /** The forms in which it hands out money that a merchant charges itself. */
  readonly issues: readonly ('token' | 'challenge' | 'card')[]
  /** Whether it issues cards as this installation is set; left out where it always does what it `issues`. */
  issuesCards?(given: Given): boolean
  /** It remembers no keys: it is asked by the call as it was sent. */
  readonly isAskedByCall?: boolean
  /** Cards that it issues spend a balance of the operator's: the buyer's own card is held before one is issued, and pays it back. */
  readonly isPrefunded?: boolean
  /** It is chosen by what its buyer pays with alone, and never otherwise. */
  readonly wallet?: WalletTerms
  open(given: Given): PaymentRail | null
}

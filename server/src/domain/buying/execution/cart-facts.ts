export const effectSteps = [
  'authorize',
  'issue_credential',
  'place',
  'capture',
  'void',
  'revoke',
  'refund',
] as const
/** The calls that move money or place an order; each is journaled before it leaves, at most once per attempt. */
export type EffectStep = (typeof effectSteps)[number]

export type EffectState = 'unsent' | 'sent' | 'unknown' | 'done' | 'refused' | 'closed'

/** What the callee answered when it was last asked about an effect. */
export type Heard = 'nothing' | 'not_found' | 'pending' | 'closed'

/** Why a callee refused, as the journal keeps it. */
export type EffectRefusal = {
  readonly code: string
  readonly declineCode: string | null
  readonly message: string | null
}

export type EffectFacts = {
  readonly attempt: number
  readonly step: EffectStep
  readonly state: EffectState
  readonly tries: number
  readonly sentAt: Date
  readonly asked: number
  readonly askedAt: Date | null
  readonly heard: Heard | null
  /** The earliest time at which "not found" and "closed" prove that nothing happened. */
  readonly notBefore: Date
  readonly refusal: EffectRefusal | null
  /** The callee has turned the call away `since` then, and is not called again before `until`. */
  readonly putOff: { readonly since: Date; readonly until: Date; readonly reason?: string } | null
}

export type HoldStatus = 'authorized' | 'captured' | 'refunded' | 'voided' | 'expired' | 'failed'

/** Money that the rail holds for an attempt: an authorization, or a credential that the merchant charges. */
export type HoldFacts = {
  readonly attempt: number
  readonly kind: 'authorization' | 'credential'
  readonly status: HoldStatus
  /** When it was first seen that the merchant has authorized against the credential. */
  readonly claimedAt: Date | null
  /** It takes further authorizations until it is revoked. */
  readonly isCard: boolean
  readonly expiresAt: Date
}

/** Everything that the next step of a cart depends on. */
export type CartFacts = {
  readonly now: Date
  /** New purchases are frozen for this account, profile or key. */
  readonly isFrozen: boolean
  /** Whether the status of the intent lets its carts run. */
  readonly mayBuy: boolean
  /** How the money is taken: we capture an authorization, or the merchant charges a credential. */
  readonly payment: 'authorization' | 'credential'
  /** Whether the merchant is a stranger: then a charge alone says that something was bought. */
  readonly hasStrangers: boolean
  /** Whether the merchant's side is rows of ours: asking is reading, and is done at every look. */
  readonly isNative: boolean
  /** Until when a merchant of ours can use the credential that is handed to it; null: the cart is bought in another way. */
  readonly handedOverUntil: Date | null
  /** The cart was due or made due: it is a worker's first look at it, or something happened while the worker made its last call. */
  readonly isWoken: boolean
  /** The rail has reported something of its charge, and has not been asked since. */
  readonly hasNews: boolean
  readonly cart: {
    readonly status:
      | 'created'
      | 'in_progress'
      | 'awaiting_merchant_auth'
      | 'succeeded'
      | 'failed'
      | 'cancelled'
    readonly isCleanup: boolean
    readonly attempt: number
    readonly isOutcomeKnown: boolean
    readonly signInUntil: Date | null
    /** Until when it waits to be told what its merchant must know; null: nothing is asked. */
    readonly inputUntil?: Date | null
    /** Until when the merchant's page waits for a code; null: it waits for none. */
    readonly codeUntil?: Date | null
  }
  /** Whether an offer of this very look was found acceptable. */
  readonly isOfferAccepted: boolean
  readonly offerTries: number
  readonly offerTriedAt: Date | null
  /** Our own browser has had no room `since`, and is not asked before `until`. */
  readonly noRoom: { readonly since: Date; readonly until: Date } | null
  readonly effects: readonly EffectFacts[]
  readonly holds: readonly HoldFacts[]
  /** Whether the native order was read in this very look. */
  readonly isAsked: boolean
}

export function effectOf(facts: CartFacts, step: EffectStep, attempt: number): EffectFacts | null {
  return facts.effects.find((effect) => effect.step === step && effect.attempt === attempt) ?? null
}

export function holdOf(facts: CartFacts, attempt: number): HoldFacts | null {
  return facts.holds.find((hold) => hold.attempt === attempt) ?? null
}

/** Whether the effect may have happened, and no answer has said so. */
export function isUnsettled(effect: EffectFacts): boolean {
  return effect.state === 'sent' || effect.state === 'unknown'
}

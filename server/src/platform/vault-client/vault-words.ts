import type { Mode } from '../../contract/context.ts'
import type { JsonValue } from '../../schema/strict-json.ts'

/** What the vault and those who ask it say to each other. Nothing here but `TypedCard` has room for a number, and nothing but `TicketSecret` for a password. */

export type VaultTenant = { readonly accountId: string; readonly mode: Mode }

/** A card in the vault, as everybody may see it. */
export type CardRecord = {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  /** Of a card that a person has entered in test mode: what its number stands for. */
  readonly testCard: string | null
}

/** The parts of a card that the vault puts into the body of a call, where `{"$vault": {"record", "field"}}` is a whole value. */
export const cardFields = ['number', 'exp_month', 'exp_year', 'security_code', 'holder'] as const
export type CardField = (typeof cardFields)[number]

/** Where in an answer the parts of a card stand, as JSON pointers; null: the answer has no such part. */
export type CardPointers = {
  readonly number: string
  readonly expMonth: string
  readonly expYear: string
  readonly securityCode: string | null
  readonly holder: string | null
}

/** A call to a rail, which the vault makes in place of the worker. */
export type ForwardedCall = {
  readonly tenant: VaultTenant
  readonly method: 'GET' | 'POST'
  /** Below the address of the rail of this mode: the vault calls nobody else. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | null
  readonly timeoutMs: number
  /** The card in the answer becomes a record, and its id stands in the answer in place of the number. */
  readonly seal: (CardPointers & { readonly keepUntil: Date }) | null
}

/**
 * As of a peer: `not_sent` proves that nothing was done, `lost` that nobody knows. `record` is null where no card was to be sealed, or the
 * answer holds none that can be; then its body is empty. `refused`: the vault itself does not make this call, and sent nothing.
 */
export type Forwarded =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: Readonly<Record<string, unknown>>
      readonly retryAfterSeconds: number | null
      readonly record: CardRecord | null
    }
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly reason: ForwardRefusal }

export type ForwardRefusal = 'not_the_rail' | 'no_record' | 'code_lost' | 'not_understood'

/** For whom a number is typed, once. */
export type GrantRequest = {
  readonly tenant: VaultTenant
  readonly record: string
  readonly cart: string
  readonly attempt: number
  /** The exact origin of the frame that the number is typed into: `https://pay.example`. */
  readonly origin: string
  readonly leaseToken: bigint
}

/** `redeemed`: somebody has typed it. `stale`: a worker with a later lease has asked. */
export type Granted =
  | { readonly kind: 'granted'; readonly grant: string }
  | { readonly kind: 'refused'; readonly reason: 'no_record' | 'redeemed' | 'stale' }
  | VaultAway

/** The vault could not be asked, or did not answer. */
export type VaultAway = { readonly kind: 'away' }

/** What the browser types. */
type TypedCard = {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  /** Null: this card is typed without one. */
  readonly securityCode: string | null
  readonly holder: string | null
}

export type RedeemRequest = {
  readonly grant: string
  readonly cart: string
  readonly attempt: number
  readonly origin: string
}

/**
 * `refused` never says why. `unavailable`: the security code cannot be had at this moment, and the grant stays as it was. After `lost`
 * the grant may be redeemed, and is never redeemed again.
 */
export type Redeemed =
  | { readonly kind: 'card'; readonly card: TypedCard }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'lost' }

/** A security code that a person has entered, for one purchase of one profile. */
export type TakeCodeRequest = {
  readonly tenant: VaultTenant
  readonly token: string
  readonly profile: string
  /** Who takes it first keeps it: asked again for the same purchase, the answer is the same. */
  readonly purchase: string
}

/** What is known of a code without a rail: how many digits it had and, in test mode, whether it is that of test cards. */
export type CodeFacts = { readonly digits: 3 | 4; readonly isOfTestCards: boolean }

/** The code itself leaves the vault for a rail alone. `other_purchase`: it was taken for another one. `none`: it is too old, another's, or lost. */
export type TakenCode =
  | ({ readonly kind: 'taken' } & CodeFacts)
  | { readonly kind: 'other_purchase' }
  | { readonly kind: 'none' }

/** What a person seals a ticket to: an X25519 key, as base64url. */
export type SealingKey = { readonly key: string; readonly publicKey: string }

/** What a ticket is for. Whoever seals it binds the ciphertext to this by `ticketInfo`. */
type TicketFacts = {
  readonly tenant: VaultTenant
  readonly ticket: string
  readonly intent: string
  /** The exact host that it is typed at. */
  readonly host: string
  /** The vault keeps it for ten minutes at most. */
  readonly expiresAt: Date
}

/** A name and a password, or a code, that only the vault can open (HPKE, RFC 9180). */
export type SealedTicket = TicketFacts & {
  readonly cart: string
  readonly key: string
  readonly enc: Buffer
  readonly ciphertext: Buffer
}

/** `info` of the HPKE context: a ciphertext that was sealed for something else does not open. */
export function ticketInfo({ tenant, ticket, intent, host, expiresAt }: TicketFacts): string {
  const { accountId, mode } = tenant
  return ['prokura ticket v1', ticket, intent, accountId, mode, host, expiresAt.toISOString()].join('\n')
}

/** `refused`: its key is gone, it is too late for it, or something else is there already. */
export type TicketSealed = { readonly kind: 'sealed' } | { readonly kind: 'refused' } | VaultAway

export type OpenTicketRequest = {
  readonly ticket: string
  readonly cart: string
  /** The exact origin of the page that it is typed into. */
  readonly origin: string
}

/** What is typed at the merchant; null: the ticket has none of it. */
export type TicketSecret = {
  readonly username: string | null
  readonly password: string | null
  readonly code: string | null
}

/** `refused` never says why. A ticket whose answer was lost may be open, and is never opened again. */
export type OpenedTicket =
  | { readonly kind: 'secret'; readonly secret: TicketSecret }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'lost' }

export type VaultHealth = {
  readonly pid: number
  readonly records: number
  readonly openGrants: number
  readonly redeemed: number
  readonly refused: number
  /** Tenants whose keys an older master key still seals. */
  readonly behind: number
  /** Where browsers leave cards; null: nowhere. */
  readonly publicUrl: string | null
}

/** The private doors, in the folder of the vault. */
export const vaultDoors = { worker: 'worker/door', browser: 'browser/door' } as const

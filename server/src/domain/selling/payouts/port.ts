import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

type Asked = { readonly mode: Mode; readonly timeoutMs: number }

/** It did nothing, or it cannot be known whether it did. To ask again under the same key does no harm. */
type Away = { readonly kind: 'away' }

/** The rail knows no such account, or it is none of the operator's. */
type Unknown = { readonly kind: 'unknown_account' }

/** What a rail says of an account. */
export type AccountState = {
  /** It may be charged, and what is charged reaches it. */
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
  readonly requirementsDue: readonly string[]
}

/** The payment rail as the one that pays merchants: it opens an account, and its own page finds out who they are. */
export interface PayoutAccounts {
  /** The modes in which it pays anybody. */
  readonly modes: readonly Mode[]
  /** The account of the key: the same one each time, for as long as the rail remembers the key. `country`: null where nobody has said it. */
  open(
    account: { readonly key: string; readonly country: string | null },
    asked: Asked,
  ): Promise<{ readonly kind: 'opened'; readonly id: string } | Away>
  /** An address of the page. It opens once, within minutes. */
  link(
    link: { readonly account: string; readonly returnUrl: string; readonly refreshUrl: string },
    asked: Asked,
  ): Promise<{ readonly kind: 'linked'; readonly url: string; readonly expiresAt: Date } | Unknown | Away>
  read(
    account: string,
    asked: Asked,
  ): Promise<{ readonly kind: 'read'; readonly state: AccountState } | Unknown | Away>
}

export const PayoutAccounts = definePort<PayoutAccounts>('accounts that merchants are paid to')

/** For a process without a rail that pays merchants. */
export const noPayoutAccounts: PayoutAccounts = {
  modes: [],
  open: async () => ({ kind: 'away' }),
  link: async () => ({ kind: 'away' }),
  read: async () => ({ kind: 'away' }),
}

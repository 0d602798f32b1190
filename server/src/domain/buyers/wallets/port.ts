import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

type Asked = { readonly mode: Mode; readonly timeoutMs: number }

/** By which a wallet is spent from: `access` for so many seconds, and then what `refresh` is exchanged for. */
export type WalletTokens = { readonly access: string; readonly refresh: string; readonly seconds: number }

/** It did nothing, or it cannot be known whether it did. */
type Away = { readonly kind: 'away' }

/** `device`: what the sign-in is asked for with, which nobody else may have. `url` and `code` are for the person, for so many seconds. */
type Begun = {
  readonly kind: 'begun'
  readonly device: string
  readonly url: string
  readonly code: string
  readonly seconds: number
}

/**
 * The payment rail as the keeper of wallets: a person signs us in at a page of it, with a code, and from then on approves each purchase there.
 */
export interface WalletKeeper {
  /** The rail that will ask for the money, by the name of its declaration. */
  readonly rail: string
  readonly modes: readonly Mode[]
  /** Begins a sign-in. To begin again does no harm: what nobody confirms opens nothing. */
  begin(asked: Asked): Promise<Begun | Away>
  /** `open`: its person has not confirmed it. `over`: they have refused, or nobody confirmed it in time, or its tokens were given out before. */
  finish(
    device: string,
    asked: Asked,
  ): Promise<
    { readonly kind: 'signed_in'; readonly tokens: WalletTokens } | { kind: 'open' } | { kind: 'over' } | Away
  >
  /** What the wallet pays with unless its person says otherwise; null: it has nothing to pay with. */
  methodOf(
    access: string,
    asked: Asked,
  ): Promise<{ readonly kind: 'read'; readonly method: string | null } | Away>
  /** `ended`: its person has signed us out, and no token of it is good any more. */
  renew(
    refresh: string,
    asked: Asked,
  ): Promise<{ readonly kind: 'renewed'; readonly tokens: WalletTokens } | { kind: 'ended' } | Away>
  /** The tokens are good no longer. */
  signOut(refresh: string, asked: Asked): Promise<{ readonly kind: 'gone' } | Away>
}

/** `away`: nobody can say at the moment. `ended`: its person has signed us out. */
export type TokenOfWallet = { readonly kind: 'token'; readonly token: string } | { kind: 'away' | 'ended' }

/** The tokens of wallets, for a process that spends from them. */
export type WalletTokensAtHand = {
  /** `refused`: a token that the rail has turned away, and that is therefore renewed before its time. */
  tokenOf(wallet: string, asked: Asked, refused?: string): Promise<TokenOfWallet>
}

export const WalletKeepers = definePort<WalletKeeper>('keeper of wallets')

/** For a process without a rail that keeps wallets. */
export const noWallets: WalletKeeper = {
  rail: 'none',
  modes: [],
  begin: async () => ({ kind: 'away' }),
  finish: async () => ({ kind: 'away' }),
  methodOf: async () => ({ kind: 'away' }),
  renew: async () => ({ kind: 'away' }),
  signOut: async () => ({ kind: 'away' }),
}

/** As long as the rail is waited for: tokens, and what there is to pay with, are two requests. */
export const walletBudgetMs = 8_000

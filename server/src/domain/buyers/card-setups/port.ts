import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'

type Asked = { readonly mode: Mode; readonly timeoutMs: number }

/** A card as a payment rail keeps it: its customer there, its name for the card, and what a person knows the card by. */
export type KeptCard = {
  readonly customer: string
  readonly method: string
  /** As the rail calls it, which may be a brand that we do not know. */
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/** `clientSecret`: what the page of the rail that collects the card needs, and what nobody else may have. */
type Begun = { readonly kind: 'begun'; readonly reference: string; readonly clientSecret: string }

/** It did nothing, or it cannot be known whether it did. To begin again does no harm: what nobody finishes keeps no card. */
type Away = { readonly kind: 'away' }

/**
 * The payment rail as the keeper of cards: a person enters a card on a page of the rail, their bank agrees to payments without them, and
 * from then on the rail charges it by name. No number comes near us.
 */
export interface CardKeeper {
  /** The rail that will charge the cards, by the name of its declaration. */
  readonly rail: string
  /** By mode, what a page needs to have it collect cards; it keeps none of a mode without. */
  readonly publishableKeys: Readonly<Partial<Record<Mode, string>>>
  /** The customer of the key: the same one each time. */
  openCustomer(
    customer: { readonly key: string },
    asked: Asked,
  ): Promise<{ kind: 'opened'; id: string } | Away>
  /** Begins to take a card. */
  begin(setup: { readonly key: string; readonly customer: string }, asked: Asked): Promise<Begun | Away>
  /** The card that was entered. `open`: the person, or their bank, is not through with it. */
  read(
    reference: string,
    asked: Asked,
  ): Promise<{ readonly kind: 'kept'; readonly card: KeptCard } | { readonly kind: 'open' } | Away>
  /** It keeps the card no longer. */
  forget(method: string, asked: Asked): Promise<{ readonly kind: 'gone' } | Away>
}

export const CardKeepers = definePort<CardKeeper>('keeper of cards')

/** For a process without a rail that keeps cards. */
export const noKeeper: CardKeeper = {
  rail: 'none',
  publishableKeys: {},
  openCustomer: async () => ({ kind: 'away' }),
  begin: async () => ({ kind: 'away' }),
  read: async () => ({ kind: 'away' }),
  forget: async () => ({ kind: 'away' }),
}

/** As long as the rail is waited for: a customer and a setup are two requests. */
export const keeperBudgetMs = 8_000

import type { Outcome } from './call.ts'
import type { SessionCalls } from './session.ts'

/** A card that a person is about to enter at the payment processor. */
export type CardSetup = {
  /** The token of the card, once it is entered. */
  readonly id: string
  readonly clientSecret: string
  readonly publishableKey: string
}

export async function beginCard({ ask }: Pick<SessionCalls, 'ask'>): Promise<Outcome<CardSetup>> {
  const begun = await ask('card_setups', { method: 'POST' })
  if (begun.kind !== 'done') return begun
  const { id, client_secret, publishable_key } = begun.value
  return {
    kind: 'done',
    value: {
      id: String(id),
      clientSecret: String(client_secret),
      publishableKey: String(publishable_key),
    },
  }
}

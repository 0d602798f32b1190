import { useEffect, useState } from 'preact/hooks'
import type { Outcome } from '../../calls/call.ts'
import type { PaymentMethod } from '../../calls/payment-method.ts'
import { getPurchase, type Purchase } from '../../calls/purchase.ts'
import type { VerificationCalls } from '../../calls/verifications.ts'
import type { ViewProps } from '../component-view.ts'
import { type Notice, stepAfterOpening } from '../steps.ts'
import { toldError } from '../told-error.ts'
import { anotherCard, inOrder, isOver } from './saved-cards.tsx'

/** What there is to choose from, and for what. */
export type Opened = {
  /** Whether the session may see and prove cards. Without that there is the form alone, and the security code. */
  readonly mayProve: boolean
  readonly mayAdd: boolean
  /** Where the payment processor takes a card; null: our own fields do. */
  readonly cardsUrl: string | null
  readonly purchase: Purchase | null
  readonly cards: readonly PaymentMethod[]
  /** What is chosen at first. */
  readonly chosen: string
}

type Opening =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly notice: Notice }
  | { readonly kind: 'over' }
  | { readonly kind: 'stopped'; readonly message: string }
  | { readonly kind: 'open'; readonly opened: Opened }

type OpeningOptions = Pick<ViewProps, 'session' | 'options' | 'tell'> & {
  readonly proofs: VerificationCalls
  /** What the form waits for, so that nothing of it moves once it is ready. */
  readonly prepare: (opened: Opened) => Promise<void>
}

export function useOpening({ session, options, tell, proofs, prepare }: OpeningOptions) {
  const [opening, setOpening] = useState<Opening>({ kind: 'loading' })

  async function load(): Promise<Outcome<Opened>> {
    const begun = await session.open()
    if (begun.kind !== 'done') return begun
    const { may, cardsUrl } = begun.value
    const mayProve = may.includes('read')
    const mayAdd = may.includes('write')
    const [cards, purchase] = await Promise.all([
      mayProve ? proofs.cards() : none,
      options.purchaseIntentId === null ? nothing : getPurchase(session),
    ])
    if (cards.kind !== 'done') return cards
    if (purchase.kind !== 'done') return purchase
    const ordered = inOrder(cards.value)
    const usable = ordered.filter((card) => !isOver(card))
    const named = usable.find(({ id }) => id === purchase.value?.cardId)
    const chosen = (named ?? usable[0])?.id ?? anotherCard
    const opened = { mayProve, mayAdd, cardsUrl, purchase: purchase.value, cards: ordered, chosen }
    return { kind: 'done', value: opened }
  }

  async function open(): Promise<void> {
    setOpening({ kind: 'loading' })
    const loaded = await load()
    const error = toldError(loaded)
    if (error !== null) tell(error)
    if (loaded.kind === 'done') {
      await prepare(loaded.value)
      return setOpening({ kind: 'open', opened: loaded.value })
    }
    const step = stepAfterOpening(loaded)
    if (step.kind === 'stopped') setOpening(step)
    else if (step.kind === 'form' && step.notice !== null) setOpening({ kind: 'failed', notice: step.notice })
    else setOpening({ kind: 'over' })
  }
  useEffect(() => void open(), [])

  return { opening, open, end: () => setOpening({ kind: 'over' }) }
}

const none: Outcome<readonly PaymentMethod[]> = { kind: 'done', value: [] }
const nothing: Outcome<Purchase | null> = { kind: 'done', value: null }

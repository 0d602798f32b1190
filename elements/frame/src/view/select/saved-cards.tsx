import type { ComponentChildren } from 'preact'
import type { PaymentMethod } from '../../calls/payment-method.ts'
import { brandTitle } from '../../card/brands.ts'
import { hasExpired } from '../../card/expiry.ts'
import type { Words } from '../words.ts'

/** In place of the id of a card: one that is typed. */
export const anotherCard = 'another'

type SavedCardsProps = {
  readonly words: Words
  /** Whether another card is offered. */
  readonly mayAdd: boolean
  readonly cards: readonly PaymentMethod[]
  readonly chosen: string
  readonly isBusy: boolean
  readonly onChoose: (chosen: string) => void
  /** What the chosen card asks for. */
  readonly children: ComponentChildren
}

export function SavedCards({ words, mayAdd, cards, chosen, isBusy, onChoose, children }: SavedCardsProps) {
  const { sentences } = words
  const of = (value: string) => ({ value, chosen, isBusy, onChoose })
  return (
    <fieldset class="choices">
      <legend class="label">{sentences.payWith}</legend>
      {cards.map((card) => (
        <Choice key={card.id} {...of(card.id)} isOver={isOver(card)} asked={children}>
          <SavedCard card={card} words={words} />
        </Choice>
      ))}
      {mayAdd ? (
        <Choice {...of(anotherCard)} isOver={false} asked={null}>
          <span class="card-name">{sentences.anotherCard}</span>
        </Choice>
      ) : null}
    </fieldset>
  )
}

type ChoiceProps = {
  readonly value: string
  readonly chosen: string
  readonly isOver: boolean
  readonly isBusy: boolean
  readonly onChoose: (chosen: string) => void
  readonly asked: ComponentChildren
  readonly children: ComponentChildren
}

function Choice({ value, chosen, isOver, isBusy, onChoose, asked, children }: ChoiceProps) {
  const isChosen = chosen === value
  return (
    <div class={isChosen ? 'choice chosen' : 'choice'}>
      <label>
        <input
          type="radio"
          name="payment-method"
          value={value}
          checked={isChosen}
          disabled={isOver || isBusy}
          onChange={() => onChoose(value)}
        />
        {children}
      </label>
      {isChosen ? <div class="asked">{asked}</div> : null}
    </div>
  )
}

function SavedCard({ card, words }: { readonly card: PaymentMethod; readonly words: Words }) {
  const { sentences } = words
  const { month, year } = card.expiry
  const date = `${String(month).padStart(2, '0')}/${year}`
  return (
    <span class="card-line">
      <span class="card-name">
        <span aria-hidden="true">
          {brandTitle(card.brand)} <span class="digits">•••• {card.last4}</span>
        </span>
        <span class="heard">{sentences.cardEnding(brandTitle(card.brand), card.last4)}</span>
      </span>
      <span class="aside">{isOver(card) ? sentences.expired(date) : sentences.expires(date)}</span>
    </span>
  )
}

export function isOver({ expiry }: PaymentMethod): boolean {
  return hasExpired(expiry, new Date())
}

/** The default first, and at the end what can no longer be chosen. */
export function inOrder(cards: readonly PaymentMethod[]): PaymentMethod[] {
  const rank = (card: PaymentMethod) => (isOver(card) ? 2 : card.isDefault ? 0 : 1)
  return [...cards].sort((one, other) => rank(one) - rank(other))
}

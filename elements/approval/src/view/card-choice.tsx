import type { ComponentChildren } from 'preact'
import { brandTitle } from '../../../frame/src/card/brands.ts'
import { expiryOf, isOver, type SavedCard } from '../calls/saved-card.ts'
import type { PageWords } from '../locales/page-words.ts'

type CardChoiceProps = {
  readonly words: PageWords
  readonly cards: readonly SavedCard[]
  readonly chosen: SavedCard | null
  readonly isBusy: boolean
  readonly onChoose: (card: SavedCard) => void
  /** What the chosen card asks for. */
  readonly children: ComponentChildren
}

export function CardChoice({ words, cards, chosen, isBusy, onChoose, children }: CardChoiceProps) {
  const now = new Date()
  return (
    <fieldset class="choices">
      <legend class="label">{words.payWith}</legend>
      {cards.map((card) => (
        <div class="choice" key={card.id}>
          <label>
            <input
              type="radio"
              name="card"
              checked={card.id === chosen?.id}
              disabled={isOver(card, now) || isBusy}
              onChange={() => onChoose(card)}
            />
            <span>{words.cardEnding(brandTitle(card.brand), card.last4)}</span>
            <span class="hint">{isOver(card, now) ? words.cardOver : words.cardExpiry(expiryOf(card))}</span>
          </label>
          {card.id === chosen?.id ? children : null}
        </div>
      ))}
    </fieldset>
  )
}

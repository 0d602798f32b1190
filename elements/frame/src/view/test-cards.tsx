import type { TestCard } from '../facts.ts'
import type { Words } from './words.ts'

type TestCardsProps = {
  readonly words: Words
  readonly cards: readonly TestCard[]
  readonly onPick: (card: TestCard) => void
}

/** More than these would push the form out of sight. */
const openMax = 3

export function TestCards({ words, cards, onPick }: TestCardsProps) {
  return (
    <details class="test-cards" open={cards.length <= openMax}>
      <summary>{words.sentences.testMode}</summary>
      <p id="test-cards">{words.sentences.testCards}</p>
      <ul aria-labelledby="test-cards" lang="en">
        {cards.map((card) => (
          <li key={card.number}>
            <button class="test-card" type="button" onClick={() => onPick(card)}>
              <b>{card.name}</b> {card.says}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

import { brandOf } from '../card/brands.ts'
import { digitsIn } from '../card/digits.ts'
import type { TestCard } from '../facts.ts'
import { CardFields, type CardFieldsProps } from './card-fields.tsx'
import { NoticeBox } from './notice-box.tsx'
import type { Notice } from './steps.ts'
import { TestCards } from './test-cards.tsx'

type CardFormProps = CardFieldsProps & {
  readonly notice: Notice | null
  readonly testCards: readonly TestCard[]
  readonly isEnrolled: boolean
  readonly onEnroll: (isEnrolled: boolean) => void
  readonly onPick: (card: TestCard) => void
  readonly onSubmit: () => void
}

export function CardForm(props: CardFormProps) {
  const { words, draft, isBusy, notice, testCards, isEnrolled, onEnroll, onPick, onSubmit } = props
  const { sentences } = words
  const isAgentic = brandOf(digitsIn(draft.number))?.isAgentic ?? true
  const button = isBusy
    ? sentences.adding
    : notice?.about === 'offline'
      ? sentences.tryAgain
      : sentences.addCard
  return (
    <form
      class="form"
      noValidate
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      {words.isTest ? <TestCards words={words} cards={testCards} onPick={onPick} /> : null}
      <CardFields {...props} />
      {isAgentic ? (
        <div class="consent">
          <input
            id="consent"
            type="checkbox"
            checked={isEnrolled}
            disabled={isBusy}
            aria-describedby="consent-terms"
            onChange={(event) => onEnroll(event.currentTarget.checked)}
          />
          <div>
            <label for="consent">{sentences.consent}</label>
            <p id="consent-terms">{sentences.consentTerms}</p>
          </div>
        </div>
      ) : (
        <p class="consent">{sentences.consentNotForBrand}</p>
      )}
      {notice === null ? null : <NoticeBox notice={notice} words={words} />}
      <button class="button" type="submit" aria-disabled={isBusy}>
        {isBusy ? <span class="spinner" aria-hidden="true" /> : null}
        {button}
      </button>
      <p class="heard" role="status">
        {isBusy ? sentences.adding : ''}
      </p>
    </form>
  )
}

import { type BillingProps, BillingSection } from '../billing/billing-section.tsx'
import type { Budget } from '../calls/standing-budget.ts'
import { brandOf } from '../card/brands.ts'
import { isNumberWhole } from '../card/card-number.ts'
import { digitsIn } from '../card/digits.ts'
import type { TestCard } from '../facts.ts'
import { budgetText } from './budget.ts'
import { CardFields, type CardFieldsProps } from './card-fields.tsx'
import { ProcessorCard, type ProcessorCardProps } from './processor/processor-card.tsx'
import { TestCards } from './test-cards.tsx'

export type CardEntryProps = CardFieldsProps & {
  /** What the payment processor takes the card by; null: our own fields do. */
  readonly processor?: ProcessorCardProps | null
  readonly testCards: readonly TestCard[]
  readonly isEnrolled: boolean
  readonly onEnroll: (isEnrolled: boolean) => void
  /** What the page asks for beside it; null: nothing. */
  readonly budget?: Budget | null
  readonly isBudgeted?: boolean
  readonly onBudget?: (isBudgeted: boolean) => void
  readonly onPick: (card: TestCard) => void
  /** The address to which its bills go; null: the page asks for none. */
  readonly billing?: BillingProps | null
}

/** All that is asked of a card: its fields, and what its holder consents to. */
export function CardEntry(props: CardEntryProps) {
  const { words, draft, isBusy, testCards, isEnrolled, onEnroll, onPick } = props
  const { processor = null, budget = null, isBudgeted = false, onBudget, billing = null } = props
  const { sentences } = words
  const number = digitsIn(draft.number)
  const isAgentic = brandOf(number)?.isAgentic ?? !isNumberWhole(number)
  return (
    <>
      {words.isTest ? <TestCards words={words} cards={testCards} onPick={onPick} /> : null}
      {processor === null ? <CardFields {...props} /> : <ProcessorCard {...processor} words={words} />}
      {billing === null ? null : <BillingSection {...billing} words={words} isBusy={isBusy} />}
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
      {isAgentic && budget !== null ? (
        <div class="consent">
          <input
            id="budget"
            type="checkbox"
            checked={isBudgeted && isEnrolled}
            disabled={isBusy || !isEnrolled}
            aria-describedby="budget-terms"
            onChange={(event) => onBudget?.(event.currentTarget.checked)}
          />
          <div>
            <label for="budget">{budgetText(budget, words)}</label>
            <p id="budget-terms">{sentences.budgetTerms}</p>
          </div>
        </div>
      ) : null}
    </>
  )
}

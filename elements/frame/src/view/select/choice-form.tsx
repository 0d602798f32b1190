import type { PaymentMethod } from '../../calls/payment-method.ts'
import type { Purchase } from '../../calls/purchase.ts'
import type { ProofMethod } from '../../calls/verifications.ts'
import { CardEntry, type CardEntryProps } from '../card-entry.tsx'
import { NoticeBox } from '../notice-box.tsx'
import type { Notice } from '../steps.ts'
import { AskedProof, type Typed } from './asked-proof.tsx'
import { PurchaseSummary } from './purchase-summary.tsx'
import { SavedCards } from './saved-cards.tsx'

type ChoiceFormProps = CardEntryProps & {
  readonly purchase: Purchase | null
  readonly mayAdd: boolean
  readonly cards: readonly PaymentMethod[]
  /** Null: another card. */
  readonly card: PaymentMethod | null
  readonly chosen: string
  readonly method: ProofMethod | null
  readonly typed: Typed
  readonly notice: Notice | null
  readonly onChoose: (chosen: string) => void
  readonly onType: (text: string) => void
}

/** Has no button: the page's own is pressed. */
export function ChoiceForm(props: ChoiceFormProps) {
  const { words, purchase, mayAdd, cards, card, chosen, method, typed, notice, isBusy, onChoose, onType } =
    props
  return (
    <form class="form" noValidate aria-busy={isBusy} onSubmit={(event) => event.preventDefault()}>
      {purchase === null ? null : <PurchaseSummary purchase={purchase} words={words} />}
      {cards.length === 0 ? null : (
        <SavedCards {...{ words, mayAdd, cards, chosen, isBusy, onChoose }}>
          {card === null ? null : (
            <AskedProof {...{ words, card, method, typed, isBusy, onType }} key={card.id} />
          )}
        </SavedCards>
      )}
      {card === null && mayAdd ? <CardEntry {...props} /> : null}
      {notice === null ? null : <NoticeBox notice={notice} words={words} />}
      <p class="heard" role="status">
        {isBusy ? words.sentences.confirming : ''}
      </p>
    </form>
  )
}

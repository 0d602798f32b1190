import type { PaymentMethod } from '../../calls/payment-method.ts'
import type { Purchase } from '../../calls/purchase.ts'
import type { ProofMethod } from '../../calls/verifications.ts'
import { brandTitle } from '../../card/brands.ts'
import { Title } from '../endings.tsx'
import { NoticeBox } from '../notice-box.tsx'
import type { Notice } from '../steps.ts'
import type { ShownWindow } from '../use-window.ts'
import { WindowStep } from '../window-step.tsx'
import type { Words } from '../words.ts'
import { PurchaseSummary } from './purchase-summary.tsx'

type NotOpenedProps = { readonly words: Words; readonly notice: Notice; readonly onAgain: () => void }

/** Nothing could be asked of the server yet. */
export function NotOpened({ words, notice, onAgain }: NotOpenedProps) {
  return (
    <div class="form">
      <NoticeBox notice={notice} words={words} />
      <button class="button" type="button" onClick={onAgain}>
        {words.sentences.tryAgain}
      </button>
    </div>
  )
}

type InWindowProps = {
  readonly words: Words
  readonly purchase: Purchase | null
  readonly method: ProofMethod
  readonly shown: ShownWindow
  readonly onAgain: () => void
  readonly onCancel: () => void
}

export function InWindow({ words, purchase, method, shown, onAgain, onCancel }: InWindowProps) {
  const { sentences } = words
  const isPasskey = method === 'passkey'
  return (
    <section class="form">
      {purchase === null ? null : <PurchaseSummary purchase={purchase} words={words} />}
      <Title>{isPasskey ? sentences.passkeyConfirm : sentences.popupTitle}</Title>
      <WindowStep words={words} shown={shown} link={sentences.popupButton} onAgain={onAgain} />
      <button class="quiet" type="button" onClick={onCancel}>
        {sentences.cancel}
      </button>
    </section>
  )
}

type ChosenProps = {
  readonly words: Words
  readonly purchase: Purchase | null
  readonly card: PaymentMethod
  readonly onChange: () => void
}

/** The page has what it asked for. What it does with it is its own. */
export function Chosen({ words, purchase, card, onChange }: ChosenProps) {
  const { sentences } = words
  return (
    <section class="form">
      {purchase === null ? null : <PurchaseSummary purchase={purchase} words={words} />}
      <div class="chosen-card">
        <Title>
          <span class="mark" aria-hidden="true">
            ✓
          </span>
          {sentences.cardEnding(brandTitle(card.brand), card.last4)}
        </Title>
        <button class="quiet" type="button" onClick={onChange}>
          {sentences.change}
        </button>
      </div>
    </section>
  )
}

import { digitsIn } from '../../../frame/src/card/digits.ts'
import { onEdit } from '../../../frame/src/view/edited-input.ts'
import { Field } from '../../../frame/src/view/field.tsx'
import type { BegunProof } from '../calls/proof.ts'
import type { SavedCard } from '../calls/saved-card.ts'
import type { PageWords } from '../locales/page-words.ts'

type AskedProofProps = {
  readonly words: PageWords
  readonly card: SavedCard
  /** Null: the server has not said yet what the card needs. */
  readonly begun: BegunProof | null
  readonly typed: string
  readonly error: 'missing' | 'wrong' | null
  readonly isBusy: boolean
  readonly onType: (text: string) => void
}

export const proofId = 'proof'
/** The longest that banks send. */
const bankCodeMax = 8

export function codeLengthOf({ brand }: SavedCard): number {
  return brand === 'amex' ? 4 : 3
}

/** Below the chosen card: what shows that it is the person's. */
export function AskedProof({ words, card, begun, typed, error, isBusy, onType }: AskedProofProps) {
  const { sentences, isTest } = words.card
  if (begun === null) return <div class="bone" />
  if (begun.method === 'passkey' || begun.method === 'popup')
    return <p class="hint">{begun.method === 'passkey' ? words.passkeyNext : words.popupNext}</p>
  const isCode = begun.method === 'cvc'
  const length = isCode ? codeLengthOf(card) : bankCodeMax
  const edit = onEdit(
    typed,
    ({ text }) => {
      const digits = digitsIn(text).slice(0, length)
      return { text: digits, caret: digits.length }
    },
    onType,
  )
  const texts = isCode
    ? {
        label: sentences.code,
        hint: length === 4 ? sentences.codeOnFront : sentences.codeOnBack,
        inTest: words.codeInTest,
        missing: sentences.faults.codeMissing,
        wrong: sentences.faults.codeWrong,
      }
    : {
        label: sentences.otpLabel,
        hint: '',
        inTest: sentences.otpInTest,
        missing: sentences.otpMissing,
        wrong: sentences.otpWrong,
      }
  return (
    <Field
      id={proofId}
      label={texts.label}
      hint={[texts.hint, ...(isTest ? [texts.inTest] : [])].filter((text) => text !== '').join('. ')}
      error={error === null ? null : texts[error]}
      value={typed}
      isBusy={isBusy}
      input={{
        class: 'digits',
        dir: 'ltr',
        inputMode: 'numeric',
        required: true,
        autocomplete: isCode ? 'cc-csc' : 'one-time-code',
        onInput: edit,
        onCompositionEnd: edit,
      }}
    />
  )
}

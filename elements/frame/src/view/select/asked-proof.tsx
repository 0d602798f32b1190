import { useEffect } from 'preact/hooks'
import type { PaymentMethod } from '../../calls/payment-method.ts'
import type { ProofMethod } from '../../calls/verifications.ts'
import { codeLengthOf } from '../../card/brands.ts'
import { editDigits } from '../card-fields.tsx'
import { onEdit } from '../edited-input.ts'
import { Field } from '../field.tsx'
import type { Words } from '../words.ts'

/** What is typed for a card that is saved, and what is wrong with it: a fault, or the words of the server. */
export type Typed = {
  readonly text: string
  readonly error: 'codeMissing' | 'codeWrong' | 'codeRefused' | 'otpMissing' | 'otpWrong' | null
}

export const nothingTyped: Typed = { text: '', error: null }

type AskedProofProps = {
  readonly words: Words
  readonly card: PaymentMethod
  /** Null: the server has not said it yet. */
  readonly method: ProofMethod | null
  readonly typed: Typed
  readonly isBusy: boolean
  readonly onType: (text: string) => void
}

/** Beside the chosen card: what it takes to pay with it. */
export function AskedProof(props: AskedProofProps) {
  const { words, method, typed } = props
  const { sentences } = words
  useEffect(() => {
    if (typed.error !== null) document.getElementById(proofId)?.focus()
  }, [typed])
  if (method === null)
    return (
      <p class="hint" role="status">
        {sentences.askingCard}
      </p>
    )
  if (method === 'cvc') return <CodeAgain {...props} />
  if (method === 'otp') return <BankCode {...props} />
  if (method === 'none') return null
  return <p class="hint">{method === 'passkey' ? sentences.passkeyNext : sentences.popupNext}</p>
}

const proofId = 'proof'
const digits = { class: 'digits', dir: 'ltr', inputMode: 'numeric', required: true } as const
/** The longest that banks send. */
const bankCodeMax = 8

function CodeAgain({ words, card, typed, isBusy, onType }: AskedProofProps) {
  const { sentences } = words
  const length = codeLengthOf(card.brand)
  const edit = onEdit(typed.text, editDigits(length), onType)
  return (
    <Field
      id={proofId}
      label={sentences.code}
      hint={length === 4 ? sentences.codeOnFront : sentences.codeOnBack}
      error={errorText(typed.error, words)}
      value={typed.text}
      isBusy={isBusy}
      input={{ ...digits, autocomplete: 'cc-csc', onInput: edit, onCompositionEnd: edit }}
    />
  )
}

function BankCode({ words, typed, isBusy, onType }: AskedProofProps) {
  const { sentences, isTest } = words
  const edit = onEdit(typed.text, editDigits(bankCodeMax), onType)
  return (
    <Field
      id={proofId}
      label={sentences.otpLabel}
      hint={isTest ? `${sentences.bankCodeText} ${sentences.otpInTest}` : sentences.bankCodeText}
      error={errorText(typed.error, words)}
      value={typed.text}
      isBusy={isBusy}
      input={{ ...digits, autocomplete: 'one-time-code', onInput: edit, onCompositionEnd: edit }}
    />
  )
}

function errorText(error: Typed['error'], { sentences }: Words): string | null {
  if (error === null) return null
  if (error === 'codeRefused') return sentences.refused.code
  return error === 'otpMissing' || error === 'otpWrong' ? sentences[error] : sentences.faults[error]
}

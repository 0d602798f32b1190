import { useEffect, useRef, useState } from 'preact/hooks'
import type { PaymentMethod } from '../calls/payment-method.ts'
import { digitsIn } from '../card/digits.ts'
import { Field } from './field.tsx'
import type { ShownWindow } from './use-window.ts'
import { WindowStep } from './window-step.tsx'
import type { Words } from './words.ts'

type ProofProps = {
  readonly words: Words
  readonly method: PaymentMethod
  /** What was wrong with the last proof, in words. */
  readonly error: string | null
  readonly isBusy: boolean
  /** What was begun, of a step that has a window. */
  readonly window: ShownWindow | null
  readonly onCode: (code: string) => void
  readonly onWindow: () => void
  readonly onSkip: () => void
}

/** What a card's enrollment waits for. */
export function ProofStep(props: ProofProps) {
  const { method, words, isBusy, onWindow, onSkip } = props
  const title = useRef<HTMLHeadingElement>(null)
  // The step takes the place of what had the focus.
  useEffect(
    () => (method.waitsFor === 'otp' ? document.getElementById('otp') : title.current)?.focus(),
    [method.waitsFor],
  )
  useEffect(() => {
    if (method.waitsFor !== 'otp') onWindow()
  }, [method.waitsFor])
  const { sentences } = words
  // A code that is under way may be right; a window that is not there yet can be left.
  const isHeld = isBusy && method.waitsFor === 'otp'
  const texts =
    method.waitsFor === 'passkey' ? passkey(words) : method.waitsFor === 'popup' ? popup(words) : otp(words)
  return (
    <section class="form" aria-labelledby="proof-title" aria-busy={isBusy}>
      <h1 id="proof-title" ref={title} tabIndex={-1}>
        {texts.title}
      </h1>
      <p>{texts.text}</p>
      {method.waitsFor === 'otp' ? <OtpForm {...props} /> : <Ceremony {...props} button={texts.button} />}
      <button class="quiet" type="button" aria-disabled={isHeld} onClick={() => isHeld || onSkip()}>
        {sentences.notNow}
      </button>
    </section>
  )
}

function otp({ sentences }: Words) {
  return { title: sentences.otpTitle, text: sentences.otpText, button: sentences.confirm }
}

function passkey({ sentences }: Words) {
  return { title: sentences.passkeyTitle, text: sentences.passkeyText, button: sentences.passkeyButton }
}

function popup({ sentences }: Words) {
  return { title: sentences.popupTitle, text: sentences.popupText, button: sentences.popupButton }
}

function OtpForm({ words, error, isBusy, onCode }: ProofProps) {
  const { sentences, isTest } = words
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (error !== null) document.getElementById('otp')?.focus()
  }, [error])
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(code === '')
        if (code === '') document.getElementById('otp')?.focus()
        else if (!isBusy) onCode(code)
      }}
    >
      <Field
        id="otp"
        label={sentences.otpLabel}
        hint={isTest ? sentences.otpInTest : undefined}
        error={isMissing ? sentences.otpMissing : error}
        value={code}
        isBusy={isBusy}
        input={{
          class: 'digits',
          dir: 'ltr',
          required: true,
          inputMode: 'numeric',
          autocomplete: 'one-time-code',
          onInput: ({ currentTarget }) => {
            const digits = digitsIn(currentTarget.value).slice(0, 8)
            currentTarget.value = digits
            setMissing(false)
            setCode(digits)
          },
        }}
      />
      <button class="button" type="submit" aria-disabled={isBusy}>
        {isBusy ? sentences.confirming : sentences.confirm}
      </button>
    </form>
  )
}

/** The link comes with the window that it leads to. */
function Ceremony({
  words,
  error,
  isBusy,
  window,
  onWindow,
  button,
}: ProofProps & { readonly button: string }) {
  const { sentences } = words
  if (window !== null) return <WindowStep words={words} shown={window} link={button} onAgain={onWindow} />
  return (
    <>
      {error === null ? null : (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      <button
        class="button"
        type="button"
        aria-disabled={isBusy}
        onClick={() => isBusy || error === null || onWindow()}
      >
        {error === null ? button : sentences.tryAgain}
      </button>
    </>
  )
}

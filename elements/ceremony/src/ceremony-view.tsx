import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { brandTitle } from '../../frame/src/card/brands.ts'
import { moneyText } from '../../frame/src/money.ts'
import type { WindowSentences } from './locales/sentences.ts'
import type { Answered, Asked, WindowCalls } from './window-calls.ts'

type Step =
  | { readonly kind: 'loading' }
  | { readonly kind: 'over' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'asking' | 'working'; readonly asked: Asked }
  | { readonly kind: 'proven' | 'refused'; readonly asked: Asked }

type CeremonyProps = {
  readonly calls: WindowCalls
  readonly sentences: WindowSentences
  /** To a page that leads back here. */
  readonly leave: (url: string) => void
}

/** The window: who asks what, and the button that answers. */
export function CeremonyView({ calls, sentences, leave }: CeremonyProps) {
  const [step, setStep] = useState<Step>({ kind: 'loading' })

  async function open(): Promise<void> {
    setStep({ kind: 'loading' })
    const opened = await calls.open()
    if (opened.kind !== 'done') return setStep({ kind: isAway(opened) ? 'offline' : 'over' })
    const asked = opened.value
    // The person comes back from the bank.
    if (asked.method === 'popup' && asked.bank.answer !== 'pending')
      return setStep(stepAfter(await calls.finish(asked.bank.answer === 'confirmed'), asked))
    setStep({ kind: 'asking', asked })
  }
  useEffect(() => void open(), [])

  async function answer(asked: Asked, isConfirmed: boolean): Promise<void> {
    if (isConfirmed && asked.method === 'popup') return leave(asked.bank.url)
    setStep({ kind: 'working', asked })
    const proof = isConfirmed && asked.method === 'passkey' ? await passkeyFor(asked) : undefined
    // The person has closed the browser's own question, or it found no passkey: the window goes on asking.
    if (proof === null) return setStep({ kind: 'asking', asked })
    setStep(stepAfter(await calls.finish(isConfirmed, proof), asked))
  }

  if (step.kind === 'loading')
    return (
      <p class="heard" role="status">
        {sentences.loading}
      </p>
    )
  if (step.kind === 'over') return <Ending title={sentences.over} text={sentences.overText} />
  if (step.kind === 'offline')
    return (
      <Ending title={sentences.offline} text="">
        <button class="button" type="button" onClick={() => void open()}>
          {sentences.tryAgain}
        </button>
      </Ending>
    )
  const { asked } = step
  const site = new URL(asked.page).host
  if (step.kind === 'proven' || step.kind === 'refused')
    return (
      <Ending
        title={step.kind === 'proven' ? sentences.proven : sentences.refused}
        text={step.kind === 'proven' ? sentences.provenText(site) : sentences.refusedText(site)}
      >
        <Close sentences={sentences} />
      </Ending>
    )
  if (asked.method === 'passkey' && !browserSupportsWebAuthn())
    return (
      <Ending title={sentences.noPasskeys} text={sentences.noPasskeysText}>
        <Close sentences={sentences} />
      </Ending>
    )
  return (
    <Question
      asked={asked}
      sentences={sentences}
      isBusy={step.kind === 'working'}
      onAnswer={(isConfirmed) => void answer(asked, isConfirmed)}
    />
  )
}

function stepAfter(answered: Answered, asked: Asked): Step {
  if (answered.kind === 'done') return { kind: answered.value, asked }
  return { kind: isAway(answered) ? 'offline' : 'over' }
}

/** Whether the same may work in a moment. */
function isAway(answered: Exclude<Answered, { kind: 'done' }>): boolean {
  return answered.kind === 'no_answer' || answered.code === 'unavailable'
}

/** Null: there is none to send. */
async function passkeyFor(asked: Asked & { method: 'passkey' }): Promise<object | null> {
  const optionsJSON = asked.options
  try {
    return asked.purpose === 'approval'
      ? await startAuthentication({ optionsJSON })
      : await startRegistration({ optionsJSON })
  } catch {
    return null
  }
}

type QuestionProps = {
  readonly asked: Asked
  readonly sentences: WindowSentences
  readonly isBusy: boolean
  readonly onAnswer: (isConfirmed: boolean) => void
}

function Question({ asked, sentences, isBusy, onAnswer }: QuestionProps) {
  const { method, purpose, merchants, amount, currency, brand, last4, isTest } = asked
  const isApproval = purpose === 'approval'
  const title = isApproval
    ? sentences.confirmPayment
    : method === 'passkey'
      ? sentences.makePasskey
      : sentences.confirmCard
  useDocumentTitle(title)
  const yes =
    method === 'popup' ? sentences.confirm : isApproval ? sentences.usePasskey : sentences.createPasskey
  return (
    <section class="form" aria-busy={isBusy}>
      <h1>{title}</h1>
      {/* Our own page says itself who asks; its address would say nothing. */}
      {asked.page === location.origin ? null : <p>{sentences.askedBy(new URL(asked.page).host)}</p>}
      <dl class="facts">
        {merchants.length === 0 ? null : <Fact name={sentences.shop}>{merchants.join(', ')}</Fact>}
        {amount === null || currency === null ? null : (
          <Fact name={sentences.atMost}>{moneyText(amount, currency, document.documentElement.lang)}</Fact>
        )}
        <Fact name={sentences.card}>
          {brandTitle(brand)} •• {last4}
        </Fact>
      </dl>
      {method === 'popup' ? <p>{sentences.bankText}</p> : null}
      {method === 'passkey' && !isApproval ? <p>{sentences.passkeyText}</p> : null}
      {isTest && method === 'popup' ? <p class="hint">{sentences.testBank}</p> : null}
      <button class="button" type="button" aria-disabled={isBusy} onClick={() => isBusy || onAnswer(true)}>
        {isBusy ? sentences.working : yes}
      </button>
      <button class="quiet" type="button" aria-disabled={isBusy} onClick={() => isBusy || onAnswer(false)}>
        {sentences.refuse}
      </button>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type EndingProps = { readonly title: string; readonly text: string; readonly children?: ComponentChildren }

function Ending({ title, text, children }: EndingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="form ending">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {text === '' ? null : <p>{text}</p>}
      {children}
    </section>
  )
}

function Close({ sentences }: { readonly sentences: WindowSentences }) {
  return (
    <button class="button" type="button" onClick={() => window.close()}>
      {sentences.close}
    </button>
  )
}

/** The name of the window among others, in the language of what it asks. */
function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

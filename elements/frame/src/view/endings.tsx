import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PaymentMethod } from '../calls/payment-method.ts'
import { brandTitle } from '../card/brands.ts'
import type { Words } from './words.ts'

export function Loading({ words }: { readonly words: Words }) {
  return (
    <div class="form" aria-busy="true">
      <p class="heard" role="status">
        {words.sentences.loading}
      </p>
      <div class="bone" />
      <div class="row">
        <div class="bone" />
        <div class="bone" />
      </div>
      <div class="bone" />
    </div>
  )
}

type AddedProps = {
  readonly method: PaymentMethod
  readonly words: Words
  /** What came of what was asked beside it; null: nothing was. */
  readonly note: string | null
}

export function Added({ method, words, note }: AddedProps) {
  const { sentences } = words
  return (
    <section class="form ending">
      <Title>
        <span class="mark" aria-hidden="true">
          ✓
        </span>
        {sentences.added(brandTitle(method.brand), method.last4)}
      </Title>
      <p>{method.agentic === 'active' ? sentences.addedForAgents : sentences.addedWithCode}</p>
      {note === null ? null : <p>{note}</p>}
    </section>
  )
}

export function SessionOver({ words, onGoOn }: { readonly words: Words; readonly onGoOn: () => void }) {
  const { sentences } = words
  return (
    <section class="form ending">
      <Title>{sentences.sessionOver}</Title>
      <p>{sentences.sessionOverText}</p>
      <button class="button" type="button" onClick={onGoOn}>
        {sentences.goOn}
      </button>
    </section>
  )
}

/** Developers read why; whoever pays reads that it is so. */
export function Stopped({ message, words }: { readonly message: string; readonly words: Words }) {
  return (
    <div class="form">
      <div class="notice" role="alert">
        <p>{words.sentences.notShown}</p>
        {words.isTest ? <p lang="en">{message}</p> : null}
      </div>
    </div>
  )
}

/** Takes the focus from what was there before, never from the page around it. */
export function Title({ children }: { readonly children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.hasFocus()) title.current?.focus()
  }, [])
  return (
    <h1 ref={title} tabIndex={-1}>
      {children}
    </h1>
  )
}

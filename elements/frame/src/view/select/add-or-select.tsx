import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ViewProps } from '../component-view.ts'
import { Loading, SessionOver, Stopped } from '../endings.tsx'
import { ProofStep } from '../proof.tsx'
import { useChange } from '../use-change.ts'
import { Chosen, InWindow, NotOpened } from './after-choice.tsx'
import { ChoiceForm } from './choice-form.tsx'
import { useChoice } from './use-choice.ts'

/** The component: cards that are saved, another one, and what it takes to pay with either. */
export function AddOrSelectPaymentMethod(props: ViewProps) {
  const { words, tell, onReady, renew, answerAuthorize } = props
  const choice = useChoice(props)
  const { opening, authorizing } = choice
  const { progress } = authorizing
  useChange(tell, choice.change)
  useLayoutEffect(() => answerAuthorize(opening.kind === 'open' ? choice.authorize : null))
  const isUsable = opening.kind !== 'loading' && opening.kind !== 'stopped'
  useLayoutEffect(() => {
    if (isUsable) onReady()
  }, [isUsable, onReady])
  useAnnounced(choice.windowUrl, (url) => tell({ kind: 'window', url }))

  if (opening.kind === 'loading') return <Loading words={words} />
  if (opening.kind === 'stopped') return <Stopped message={opening.message} words={words} />
  if (opening.kind === 'failed')
    return <NotOpened words={words} notice={opening.notice} onAgain={() => void choice.open()} />
  if (opening.kind === 'over')
    return <SessionOver words={words} onGoOn={() => void renew().then(choice.open)} />
  const { purchase } = opening.opened
  if (progress.kind === 'enrolling') {
    const { enrollment } = authorizing
    const { method } = progress
    return (
      <ProofStep
        words={words}
        method={method}
        error={enrollment.error(words)}
        isBusy={enrollment.isBusy}
        window={enrollment.window}
        onCode={(code) => void enrollment.proveByCode(method, code)}
        onWindow={() => void enrollment.proveInWindow(method)}
        onSkip={() => authorizing.skip(method)}
      />
    )
  }
  if (progress.kind === 'window' && authorizing.window !== null)
    return (
      <InWindow
        words={words}
        purchase={purchase}
        method={progress.proof.method}
        shown={authorizing.window}
        onAgain={authorizing.again}
        onCancel={authorizing.cancel}
      />
    )
  if (progress.kind === 'done')
    return <Chosen words={words} purchase={purchase} card={progress.card} onChange={authorizing.rest} />
  return (
    <ChoiceForm
      {...choice.form}
      {...choice.shown}
      words={words}
      testCards={props.testCards}
      purchase={purchase}
      isBusy={progress.kind !== 'idle'}
    />
  )
}

/** The page is told of a window when it changes, and hears nothing while there is none. */
function useAnnounced(url: string | null, announce: (url: string | null) => void): void {
  const told = useRef<string | null>(null)
  useEffect(() => {
    if (told.current === url) return
    told.current = url
    announce(url)
  }, [url])
}

import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useBilling } from '../billing/use-billing.ts'
import { createCardCalls } from '../calls/add-card.ts'
import type { Outcome } from '../calls/call.ts'
import type { PaymentMethod } from '../calls/payment-method.ts'
import { createVerificationCalls } from '../calls/verifications.ts'
import { CardForm } from './card-form.tsx'
import type { ViewProps } from './component-view.ts'
import { Added, Loading, SessionOver, Stopped } from './endings.tsx'
import { ProofStep } from './proof.tsx'
import { refusedField, type Step, stepAfterAdding, stepAfterOpening } from './steps.ts'
import { toldError } from './told-error.ts'
import { useBudget } from './use-budget.ts'
import { useCardEntry } from './use-card-entry.ts'
import { useChange } from './use-change.ts'
import { useEnrollment } from './use-enrollment.ts'

/** The component: what is typed, and the steps that it goes through. */
export function AddPaymentMethod({ words, testCards, session, options, tell, onReady, renew }: ViewProps) {
  const [calls] = useState(() => createCardCalls(session))
  const [proofs] = useState(() => createVerificationCalls(session))
  const [step, setStep] = useState<Step>({ kind: 'loading' })
  const form = useCardEntry(session, tell)
  const billing = useBilling(options, tell)
  const budget = useBudget(session, options.settings, tell)
  const change = useChange(tell, { brand: form.brand, complete: form.complete && billing.isComplete })
  const enrollment = useEnrollment(calls, proofs, {
    onNext: (method) => setStep({ kind: 'proving', method }),
    onFinish: (method) => void finish(method),
    onOver: (method) => setStep({ kind: 'over', back: { kind: 'proving', method } }),
  })

  async function open(back?: Step): Promise<void> {
    const opened = await session.open()
    tellError(opened)
    if (opened.kind === 'done') form.follow(opened.value)
    setStep(opened.kind === 'done' && back !== undefined ? back : stepAfterOpening(opened))
  }
  useEffect(() => void open(), [])
  const isUsable = step.kind !== 'loading' && step.kind !== 'stopped'
  useLayoutEffect(() => {
    if (isUsable) onReady()
  }, [isUsable, onReady])

  function tellError(outcome: Outcome<unknown>): void {
    const error = toldError(outcome)
    if (error !== null) tell(error)
  }

  async function submit(): Promise<void> {
    const isWhole = form.isWhole()
    const address = billing.check(isWhole)
    if (!isWhole || address === undefined) return setStep({ kind: 'form', notice: null })
    setStep({ kind: 'submitting' })
    const { letsAgentsPay } = form
    const taken = await form.take()
    if (taken === null) return setStep({ kind: 'form', notice: null })
    const outcome = taken.kind === 'done' ? await calls.add(taken.value, letsAgentsPay, address) : taken
    tellError(outcome)
    if (outcome.kind === 'refused') {
      form.refuse(refusedField(outcome), outcome.message)
      billing.refuse(outcome)
    }
    const next = stepAfterAdding(outcome)
    if (outcome.kind === 'done') {
      budget.take(letsAgentsPay ? outcome.value.codeToken : undefined)
      form.clear()
      billing.clear()
      // That it is gone is no news: the page hears that the card is added.
      change.skip({ brand: null, complete: false })
    }
    if (next.kind === 'added') await finish(next.method)
    else setStep(next)
  }

  async function finish(method: PaymentMethod): Promise<void> {
    enrollment.leave()
    setStep({ kind: 'submitting' })
    const made = await budget.make(method.id)
    tell({ kind: 'complete', result: { payment_method: method.whole, ...made } })
    setStep({ kind: 'added', method })
  }

  if (step.kind === 'loading') return <Loading words={words} />
  if (step.kind === 'stopped') return <Stopped message={step.message} words={words} />
  if (step.kind === 'added') return <Added method={step.method} words={words} note={budget.note(words)} />
  if (step.kind === 'over')
    return <SessionOver words={words} onGoOn={() => void renew().then(() => open(step.back))} />
  if (step.kind === 'proving')
    return (
      <ProofStep
        words={words}
        method={step.method}
        error={enrollment.error(words)}
        isBusy={enrollment.isBusy}
        window={enrollment.window}
        onCode={(code) => void enrollment.proveByCode(step.method, code)}
        onWindow={() => void enrollment.proveInWindow(step.method)}
        onSkip={() => void finish(step.method)}
      />
    )
  return (
    <CardForm
      {...form}
      words={words}
      testCards={testCards}
      billing={billing.shown}
      budget={budget.asked}
      isBudgeted={budget.isApproved}
      onBudget={budget.onApprove}
      isBusy={step.kind === 'submitting'}
      notice={step.kind === 'form' ? step.notice : null}
      onSubmit={() => void submit()}
    />
  )
}

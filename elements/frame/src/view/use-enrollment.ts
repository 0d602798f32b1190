import { useRef, useState } from 'preact/hooks'
import type { CardCalls } from '../calls/add-card.ts'
import type { Outcome } from '../calls/call.ts'
import type { PaymentMethod } from '../calls/payment-method.ts'
import type { Verification, VerificationCalls } from '../calls/verifications.ts'
import { useWindow } from './use-window.ts'
import type { Words } from './words.ts'

type ProofFault = 'otpWrong' | 'verificationFailed' | 'offline' | 'unavailable'

type EnrollmentEnds = {
  /** Another step follows. */
  readonly onNext: (method: PaymentMethod) => void
  readonly onFinish: (method: PaymentMethod) => void
  readonly onOver: (method: PaymentMethod) => void
}

/** The steps of a card's enrollment, each as often as it takes. */
export function useEnrollment(cards: CardCalls, proofs: VerificationCalls, ends: EnrollmentEnds) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<ProofFault | null>(null)
  const window = useWindow(proofs.look)
  /** Counts what was begun: an answer to what was left since is nobody's any more. */
  const turn = useRef(0)

  function goOn(method: PaymentMethod): void {
    if (method.waitsFor === null) ends.onFinish(method)
    else ends.onNext(method)
  }

  /** True: there is nothing more to do about it. */
  function isEnded(method: PaymentMethod, outcome: Outcome<unknown>): boolean {
    if (outcome.kind !== 'refused') return false
    // Nothing is left to prove: it was tried too often, or proven elsewhere.
    if (outcome.code === 'enrollment_not_pending') ends.onFinish(method)
    else if (outcome.code === 'session_expired') ends.onOver(method)
    else return false
    return true
  }

  async function ask<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    setBusy(true)
    setFault(null)
    const outcome = await work()
    setBusy(false)
    return outcome
  }

  return {
    isBusy,
    window: window.shown,
    error: ({ sentences }: Words) => (fault === null ? null : sentences[fault]),
    async proveByCode(method: PaymentMethod, code: string): Promise<void> {
      const outcome = await ask(() => cards.verify(method.id, code))
      if (outcome.kind === 'done') return goOn(outcome.value)
      if (isEnded(method, outcome)) return
      if (outcome.kind === 'no_answer') return setFault('offline')
      setFault(outcome.code === 'verification_failed' ? 'otpWrong' : 'unavailable')
    },
    /** Shows the way to a window, and waits for what comes of it. */
    async proveInWindow(method: PaymentMethod): Promise<void> {
      leave()
      const mine = turn.current
      const begun = await ask(() => proofs.forCard(method.id))
      if (turn.current !== mine || isEnded(method, begun)) return
      if (begun.kind !== 'done') return setFault(begun.kind === 'no_answer' ? 'offline' : 'unavailable')
      const waited = await window.wait(begun.value, false)
      if (waited === null || isEnded(method, waited.ended)) return
      if (isProven(waited.ended)) goOn(waited.ended.value.card ?? method)
      else setFault('verificationFailed')
    },
    leave,
  }

  function leave(): void {
    turn.current += 1
    window.leave()
  }
}

function isProven(ended: Outcome<Verification>): ended is Outcome<Verification> & { kind: 'done' } {
  return ended.kind === 'done' && ended.value.status === 'proven'
}

import { useState } from 'preact/hooks'
import type { CardCalls, Proof } from '../calls/add-card.ts'
import type { PaymentMethod } from '../calls/payment-method.ts'
import type { Step } from './steps.ts'
import type { Words } from './words.ts'

type ProofFault = 'otpWrong' | 'verificationFailed' | 'offline' | 'unavailable'

/** The proof of a card, as often as it takes. */
export function useProof(
  calls: CardCalls,
  setStep: (step: Step) => void,
  finish: (method: PaymentMethod) => void,
) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<ProofFault | null>(null)
  return {
    isBusy,
    error: ({ sentences }: Words) => (fault === null ? null : sentences[fault]),
    async prove(method: PaymentMethod, proof: Proof): Promise<void> {
      setBusy(true)
      setFault(null)
      const outcome = await calls.verify(method.id, proof)
      setBusy(false)
      if (outcome.kind === 'no_answer') return setFault('offline')
      if (outcome.kind === 'done') {
        if (outcome.value.waitsFor === null) finish(outcome.value)
        else setStep({ kind: 'proving', method: outcome.value })
        return
      }
      // Nothing is left to prove: it was tried too often, or proven elsewhere.
      if (outcome.code === 'enrollment_not_pending') return finish(method)
      if (outcome.code === 'session_expired')
        return setStep({ kind: 'over', back: { kind: 'proving', method } })
      if (outcome.code !== 'verification_failed') return setFault('unavailable')
      setFault(proof.method === 'otp' ? 'otpWrong' : 'verificationFailed')
    },
  }
}

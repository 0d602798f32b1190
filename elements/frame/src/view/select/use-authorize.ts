import { useRef, useState } from 'preact/hooks'
import type { AddedCard, CardCalls } from '../../calls/add-card.ts'
import type { Outcome } from '../../calls/call.ts'
import type { PaymentMethod } from '../../calls/payment-method.ts'
import type { Verification, VerificationCalls } from '../../calls/verifications.ts'
import { codeLengthOf } from '../../card/brands.ts'
import { refusedField } from '../steps.ts'
import type { useCardEntry } from '../use-card-entry.ts'
import { useEnrollment } from '../use-enrollment.ts'
import { useWindow } from '../use-window.ts'
import type { Typed } from './asked-proof.tsx'
import { doneOf, incomplete, NotAuthorized, refused } from './not-authorized.ts'
import type { useProofs } from './use-proofs.ts'

/** What is going on since the page's button was pressed. */
type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | { readonly kind: 'enrolling'; readonly method: PaymentMethod }
  | { readonly kind: 'window'; readonly proof: Verification }
  | { readonly kind: 'done'; readonly card: PaymentMethod }

/** What the page's server approves the purchase with. */
type Authorization = {
  readonly profile_payment_method_id: string
  readonly temporary_cvc_token_id: string | null
  readonly agentic_credentials_preference: string | null
  readonly payment_verification: { readonly method: string; readonly assertion: string } | null
}

type Authorized = { readonly card: PaymentMethod; readonly output: Authorization }

type AuthorizeOptions = {
  readonly cards: CardCalls
  readonly calls: VerificationCalls
  readonly proofs: ReturnType<typeof useProofs>
  readonly form: ReturnType<typeof useCardEntry>
  readonly preference: string | null
  readonly proofBy: ProofBy
  readonly typed: Typed
  readonly mark: (error: NonNullable<Typed['error']>) => void
  readonly onAdded: (method: PaymentMethod) => void
}

type Enrolling = {
  readonly resolve: (method: PaymentMethod) => void
  readonly reject: (why: NotAuthorized) => void
}

/** What a card is proven by: asked of the server; or known without it, and then by its code, or by the consent to payments by agents. */
export type ProofBy = 'server' | 'code' | 'consent' | 'nothing'

/** What a card needs where the server is not asked. A card of the payment processor has no code here that anybody could check. */
export function proofUnasked(proofBy: ProofBy, { agentic }: PaymentMethod): 'cvc' | 'none' {
  if (proofBy === 'consent') return agentic === 'active' ? 'none' : 'cvc'
  return proofBy === 'code' ? 'cvc' : 'none'
}

/** A code that the vault has is good for 15 minutes; so long it is offered. */
const codeMs = 14 * 60_000

export function useAuthorize(options: AuthorizeOptions) {
  const { cards, calls, proofs, form, preference, proofBy, typed, mark, onAdded } = options
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' })
  const codes = useRef(new Map<string, { token: string; at: number }>())
  const isAgain = useRef(false)
  const enrolling = useRef<Enrolling | null>(null)
  const window = useWindow(calls.look)
  const enrollment = useEnrollment(cards, calls, {
    onNext: (method) => setProgress({ kind: 'enrolling', method }),
    onFinish: (method) => enrolling.current?.resolve(method),
    onOver: () => enrolling.current?.reject(new NotAuthorized('session_expired', 'The session is over.')),
  })

  function keptCode(cardId: string): string | null {
    const code = codes.current.get(cardId)
    return code !== undefined && Date.now() - code.at < codeMs ? code.token : null
  }

  async function run(saved: PaymentMethod | null, isOpened: boolean): Promise<Authorized> {
    setProgress({ kind: 'working' })
    const card = saved ?? (await addTyped())
    return { card, output: await prove(card, isOpened) }
  }

  async function prove(card: PaymentMethod, isOpened: boolean): Promise<Authorization> {
    const kept = keptCode(card.id)
    const proof = proofBy === 'server' ? doneOf(await proofs.get(card.id)) : null
    const method = proof?.method ?? proofUnasked(proofBy, card)
    const output = {
      profile_payment_method_id: card.id,
      temporary_cvc_token_id: proofBy === 'nothing' ? kept : null,
      agentic_credentials_preference: preference,
      payment_verification: null,
    }
    if (method === 'cvc') return { ...output, temporary_cvc_token_id: kept ?? (await leaveCode(card)) }
    if (method === 'none' || proof === null) return output
    const proven = method === 'otp' ? await giveCode(card, proof) : await showWindow(card, proof, isOpened)
    const { assertion } = proven
    if (assertion === null) throw refused({ kind: 'no_answer' })
    return { ...output, payment_verification: { method: proven.method, assertion } }
  }

  async function addTyped(): Promise<PaymentMethod> {
    const taken = await form.take()
    if (taken === null) throw incomplete()
    const outcome = taken.kind === 'done' ? await cards.add(taken.value, form.letsAgentsPay) : taken
    const { method, codeToken } = addedOf(outcome)
    form.clear()
    if (codeToken !== null) codes.current.set(method.id, { token: codeToken, at: Date.now() })
    onAdded(method)
    if (method.waitsFor === null) return method
    try {
      return await new Promise((resolve, reject) => {
        enrolling.current = { resolve, reject }
        setProgress({ kind: 'enrolling', method })
      })
    } finally {
      enrolling.current = null
      enrollment.leave()
      setProgress({ kind: 'working' })
    }
  }

  function addedOf(outcome: Outcome<AddedCard>): AddedCard {
    if (outcome.kind === 'done') return outcome.value
    if (outcome.kind !== 'refused') throw refused(outcome, outcome, { isNotAdded: true })
    const field = refusedField(outcome)
    form.refuse(field, outcome.message)
    throw refused(outcome, field === null ? outcome : null, { isNotAdded: true })
  }

  async function leaveCode({ brand }: PaymentMethod): Promise<string> {
    if (typed.text.length !== codeLengthOf(brand)) {
      mark(typed.text === '' ? 'codeMissing' : 'codeWrong')
      throw incomplete()
    }
    const outcome = await calls.leaveCode(typed.text, brand)
    if (outcome.kind !== 'refused' || outcome.code !== 'card_refused') return doneOf(outcome)
    mark('codeRefused')
    throw refused(outcome)
  }

  async function giveCode(card: PaymentMethod, proof: Verification): Promise<Verification> {
    if (typed.text === '') {
      mark('otpMissing')
      throw incomplete()
    }
    const outcome = await calls.giveCode(proof.id, typed.text)
    if (outcome.kind !== 'refused') return doneOf(outcome)
    // Too many were wrong, or it has ended: what the card needs now may be something else.
    const seen = await calls.look(proof.id)
    if (seen.kind !== 'done' || seen.value.status !== 'pending') await proofs.renew(card.id)
    if (outcome.code !== 'verification_failed') throw refused(outcome, outcome)
    mark('otpWrong')
    throw refused(outcome)
  }

  async function showWindow(
    card: PaymentMethod,
    begun: Verification,
    isOpenedByPage: boolean,
  ): Promise<Verification> {
    let proof = begun
    for (let isOpened = isOpenedByPage; ; isOpened = false) {
      setProgress({ kind: 'window', proof })
      const waited = await window.wait(proof, isOpened)
      if (waited !== null) return provenOf(card, waited)
      if (!isAgain.current) throw new NotAuthorized('cancelled', 'The person did not want to go on.')
      isAgain.current = false
      proof = doneOf(await proofs.renew(card.id))
      if (proof.windowUrl === null) throw notProven
    }
  }

  function provenOf(
    card: PaymentMethod,
    { ended, wasOpen }: { ended: Outcome<Verification>; wasOpen: boolean },
  ): Verification {
    const proof = doneOf(ended)
    if (proof.status === 'proven') return proof
    // Its window opens no more, so it must not be announced again.
    proofs.drop(card.id)
    if (proof.status === 'refused') throw notProven
    throw wasOpen
      ? new NotAuthorized('verification_expired', 'The person did not finish in the window.', notConfirmed)
      : new NotAuthorized('window_blocked', 'The window was not opened in time.', notConfirmed)
  }

  return {
    progress,
    window: window.shown,
    enrollment,
    hasCode: (cardId: string) => keptCode(cardId) !== null,
    /** The person does not want to enroll the card that was just added. */
    skip: (method: PaymentMethod) => enrolling.current?.resolve(method),
    run,
    finish(card: PaymentMethod): void {
      codes.current.delete(card.id)
      proofs.drop(card.id)
      setProgress({ kind: 'done', card })
    },
    rest: () => setProgress({ kind: 'idle' }),
    cancel: window.leave,
    again(): void {
      isAgain.current = true
      window.leave()
    },
  }
}

const notConfirmed: Outcome<never> = {
  kind: 'refused',
  code: 'verification_failed',
  message: 'It was not confirmed in the window.',
  param: null,
  retryAfterS: null,
}
const notProven = new NotAuthorized('verification_failed', notConfirmed.message, notConfirmed)

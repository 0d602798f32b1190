import { useEffect, useRef, useState } from 'preact/hooks'
import { createCardCalls } from '../../calls/add-card.ts'
import type { PaymentMethod } from '../../calls/payment-method.ts'
import { createVerificationCalls, type ProofMethod } from '../../calls/verifications.ts'
import { codeLengthOf } from '../../card/brands.ts'
import type { AnswerAuthorize, ViewProps } from '../component-view.ts'
import { type Notice, noticeOf } from '../steps.ts'
import { toldError } from '../told-error.ts'
import { useCardEntry } from '../use-card-entry.ts'
import { nothingTyped } from './asked-proof.tsx'
import { NotAuthorized } from './not-authorized.ts'
import { anotherCard } from './saved-cards.tsx'
import { type ProofBy, proofUnasked, useAuthorize } from './use-authorize.ts'
import { type Opened, useOpening } from './use-opening.ts'
import { useProofs } from './use-proofs.ts'

const nothingYet = { brand: null, complete: false }
/** A proof is asked anew this long before it ends. */
const sparedMs = 60_000

/** What there is to choose from, what is chosen, and what comes of the page's button. */
export function useChoice({ session, options, tell }: ViewProps) {
  const [calls] = useState(() => ({
    cards: createCardCalls(session),
    proofs: createVerificationCalls(session),
  }))
  const preference = preferenceOf(options.settings.preference)
  const proofs = useProofs((cardId) => calls.proofs.forPurchase(cardId, preference))
  const form = useCardEntry(session, tell)
  const [cards, setCards] = useState<readonly PaymentMethod[]>([])
  const [chosen, setChosen] = useState<string | null>(null)
  const [typed, setTyped] = useState(nothingTyped)
  const [notice, setNotice] = useState<Notice | null>(null)
  const isRunning = useRef(false)
  const { opening, open, end } = useOpening({ session, options, tell, proofs: calls.proofs, prepare })
  const opened = opening.kind === 'open' ? opening.opened : null
  const card = cards.find(({ id }) => id === chosen) ?? null
  const proofBy = opened === null ? 'nothing' : proofByOf(opened)
  const authorizing = useAuthorize({
    cards: calls.cards,
    calls: calls.proofs,
    proofs,
    form,
    preference,
    proofBy,
    typed,
    mark: (error) => setTyped({ ...typed, error }),
    onAdded(method) {
      setCards((before) => [method, ...before.filter(({ id }) => id !== method.id)])
      setChosen(method.id)
    },
  })
  const isIdle = authorizing.progress.kind === 'idle'
  const known = card === null ? undefined : proofs.known[card.id]
  const knownMethod = known?.kind === 'done' ? known.value.method : null
  const method = card === null ? null : methodNow(card)

  /** Nothing of the form moves any more once it is shown, so the proof of the first card is asked before. */
  async function prepare(now: Opened): Promise<void> {
    const isStill = chosen === anotherCard || now.cards.some(({ id }) => id === chosen)
    const next = isStill && chosen !== null ? chosen : now.chosen
    form.follow(now)
    setCards(now.cards)
    setChosen(next)
    if (proofByOf(now) === 'server' && next !== anotherCard) await proofs.get(next)
  }

  const isAsked = proofBy === 'server' && isIdle && card !== null
  useAsked(proofs, isAsked ? card.id : null)
  const fault = known !== undefined && known.kind !== 'done' ? known : null
  useEffect(() => {
    const error = fault === null ? null : toldError(fault)
    // Whoever waits for `authorize()` hears it from there.
    if (error !== null && !isRunning.current) tell(error)
  }, [fault])

  function methodNow(card: PaymentMethod): ProofMethod | null {
    const asked = proofBy === 'server' ? knownMethod : proofUnasked(proofBy, card)
    return asked === 'cvc' && authorizing.hasCode(card.id) ? 'none' : asked
  }

  const authorize: AnswerAuthorize = ({ id, isOpened }) => {
    if (isRunning.current) return refuse(id, new NotAuthorized('not_ready', 'One is under way.'))
    isRunning.current = true
    setNotice(null)
    void authorizing
      .run(card, isOpened)
      .then(({ card: paying, output }) => {
        authorizing.finish(paying)
        setTyped(nothingTyped)
        tell({ kind: 'complete', result: output })
        tell({ kind: 'authorized', id, output })
      })
      .catch((error: unknown) => {
        authorizing.rest()
        if (error instanceof NotAuthorized) return refuse(id, error)
        refuse(id, new NotAuthorized('unavailable', 'The component has failed.'))
        reportError(error)
      })
      .finally(() => {
        isRunning.current = false
      })
  }

  function refuse(id: string, { code, message, outcome, isNotAdded }: NotAuthorized): void {
    if (outcome !== null) setNotice(noticeOf(outcome, !isNotAdded))
    if (code === 'session_expired') end()
    tell({ kind: 'not_authorized', id, code, message })
  }

  function changeNow() {
    if (card === null) return { brand: form.brand, complete: form.complete }
    return { brand: card.brand, complete: isComplete(card, method, typed.text) }
  }

  return {
    opening,
    open: () => open(),
    authorizing,
    authorize,
    form,
    change: opened === null ? nothingYet : changeNow(),
    windowUrl: isIdle && known?.kind === 'done' ? known.value.windowUrl : null,
    shown: {
      mayAdd: opened?.mayAdd !== false,
      cards,
      card,
      chosen: card?.id ?? anotherCard,
      // Why nothing can be asked stands below.
      method: fault === null ? method : 'none',
      typed,
      notice: notice ?? (fault === null ? null : noticeOf(fault, true)),
      onChoose(next: string) {
        setChosen(next)
        setTyped(nothingTyped)
        setNotice(null)
        if (proofBy === 'server' && next !== anotherCard) void proofs.get(next)
      },
      onType: (text: string) => setTyped({ text, error: null }),
    },
  }
}

/** While a card is chosen, what it needs is known, and anew before it ends. */
function useAsked(proofs: ReturnType<typeof useProofs>, cardId: string | null): void {
  const known = cardId === null ? undefined : proofs.known[cardId]
  const endsAt = known?.kind === 'done' ? known.value.expiresAt : Number.NaN
  useEffect(() => {
    if (cardId !== null) proofs.learn(cardId)
  }, [cardId])
  useEffect(() => {
    if (cardId === null || Number.isNaN(endsAt)) return
    const timer = setTimeout(() => void proofs.renew(cardId), waitMs(endsAt))
    return () => clearTimeout(timer)
  }, [cardId, endsAt])
}

/** A clock that is wrong makes it ask now and then, and not all the time. */
function waitMs(endsAt: number): number {
  return Math.min(Math.max(endsAt - Date.now() - sparedMs, sparedMs), 2 ** 31 - 1)
}

function isComplete({ brand }: PaymentMethod, method: ProofMethod | null, text: string): boolean {
  if (method === 'cvc') return text.length === codeLengthOf(brand)
  return method === 'otp' ? text !== '' : method !== null
}

function proofByOf({ mayProve, purchase, cardsUrl }: Opened): ProofBy {
  if (purchase === null) return 'nothing'
  if (mayProve) return 'server'
  return cardsUrl === null ? 'code' : 'consent'
}

function preferenceOf(asked: unknown): string | null {
  return asked === 'prefer' || asked === 'require' || asked === 'never' ? asked : null
}

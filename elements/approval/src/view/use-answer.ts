import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fetch, Outcome } from '../../../frame/src/calls/call.ts'
import { type Answer, sendAnswer } from '../calls/answer.ts'
import type { OpenedPage } from '../calls/opened-page.ts'
import {
  awaitWindow,
  type BegunProof,
  beginProof,
  giveBankCode,
  leaveCode,
  type ShownProof,
} from '../calls/proof.ts'
import type { Purchase } from '../calls/purchase.ts'
import { cardToBegin, type SavedCard } from '../calls/saved-card.ts'
import { newSecret } from '../random.ts'
import { isOutdated, type Notice, noticeOf } from '../steps.ts'
import { codeLengthOf, proofId } from './asked-proof.tsx'

type Answering = {
  readonly fetch: Fetch
  readonly page: OpenedPage
  readonly begins: Notice | null
  readonly onAnswered: (answer: 'approved' | 'declined', purchase: Purchase) => void
  /** What is shown is no longer what would be approved, or the session is over. */
  readonly onOutdated: () => void
}

type Busy = 'no' | 'sending' | 'window'

/** The choice of a card, its proof, and the two buttons. */
export function useAnswer({ fetch, page, begins, onAnswered, onOutdated }: Answering) {
  const [card, setCard] = useState<SavedCard | null>(() =>
    cardToBegin(page.cards, page.purchase.cardId, new Date()),
  )
  const [begun, setBegun] = useState<BegunProof | null>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<'missing' | 'wrong' | null>(null)
  const [notice, setNotice] = useState<Notice | null>(begins)
  const [busy, setBusy] = useState<Busy>('no')
  // One for what is shown: sent again after an answer that was lost, it is answered once.
  const key = useRef({ of: '', key: '' })
  const wanted = useRef(0)

  useEffect(() => {
    if (card === null) return
    let isWanted = true
    setBegun(null)
    setTyped('')
    setError(null)
    void beginProof(fetch, page, card).then((outcome) => {
      if (!isWanted) return
      if (outcome.kind === 'done') setBegun(outcome.value)
      else refuse(outcome)
    })
    return () => {
      isWanted = false
    }
  }, [card, page])

  function refuse(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): void {
    setBusy('no')
    if (isOutdated(outcome)) {
      onOutdated()
      return
    }
    setNotice(noticeOf(outcome))
    if (outcome.kind !== 'refused' || outcome.code !== 'payment_verification_required') return
    // Another proof of the same card does not help where the card itself does not count.
    if (outcome.param === 'profile_payment_method_id') setNotice('notThisCard')
    else setTyped('')
  }

  async function send(answer: Answer): Promise<void> {
    setBusy('sending')
    const of = JSON.stringify([page.session, answer])
    if (key.current.of !== of) key.current = { of, key: newSecret() }
    const outcome = await sendAnswer(fetch, page, { answer, idempotencyKey: key.current.key })
    if (outcome.kind !== 'done') return refuse(outcome)
    onAnswered(answer === null ? 'declined' : 'approved', outcome.value)
  }

  /** Null: something is missing, or the person has gone back. */
  async function prove(chosen: SavedCard, proof: BegunProof): Promise<Outcome<ShownProof> | null> {
    if (proof.method === 'cvc' || proof.method === 'otp') {
      const isWhole = proof.method === 'otp' || typed.length === codeLengthOf(chosen)
      setError(typed === '' ? 'missing' : isWhole ? null : 'wrong')
      if (typed === '' || !isWhole) {
        document.getElementById(proofId)?.focus()
        return null
      }
      setBusy('sending')
      return proof.method === 'cvc'
        ? leaveCode(fetch, page, { cvc: typed, brand: chosen.brand })
        : giveBankCode(fetch, page, { id: proof.id, code: typed })
    }
    openWindow(proof)
    setBusy('window')
    wanted.current += 1
    const mine = wanted.current
    const isWanted = () => wanted.current === mine
    return awaitWindow(fetch, page, { id: proof.id, method: proof.method, isWanted })
  }

  async function approve(): Promise<void> {
    if (card === null || begun === null || busy !== 'no') return
    setNotice(null)
    const proof = await prove(card, begun)
    if (proof === null) return
    if (proof.kind !== 'done') return refuse(proof)
    await send({ card, proof: proof.value })
  }

  function decline(): void {
    if (busy === 'sending') return
    // A proof that is given after the no approves nothing.
    wanted.current += 1
    void send(null)
  }

  return {
    card,
    begun,
    typed,
    error,
    notice,
    busy,
    choose: setCard,
    type: setTyped,
    approve,
    decline,
    openWindow: () => begun && openWindow(begun),
  }
}

/** A blocked window is opened by the link that stands in the page. */
function openWindow({ windowUrl }: BegunProof): void {
  if (windowUrl !== null) window.open(windowUrl, 'prokura-proof', 'popup,width=460,height=640')
}

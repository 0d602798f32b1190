import { useRef, useState } from 'preact/hooks'
import type { Fetch, Outcome } from '../../../frame/src/calls/call.ts'
import { type Answer, sendAnswer } from '../calls/answer.ts'
import type { OpenedPage } from '../calls/opened-page.ts'
import {
  awaitWindow,
  type BegunProof,
  giveBankCode,
  isPending,
  leaveCode,
  type ShownProof,
} from '../calls/proof.ts'
import type { Purchase } from '../calls/purchase.ts'
import { cardToBegin, type SavedCard } from '../calls/saved-card.ts'
import { newSecret } from '../random.ts'
import { isOfProof, isOutdated, type Notice, noticeOf, noticeOfBeginning } from '../steps.ts'
import { codeLengthOf, proofId } from './asked-proof.tsx'
import { useBegun } from './use-begun.ts'

type Answering = {
  readonly fetch: Fetch
  readonly page: OpenedPage
  readonly begins: Notice | null
  readonly onAnswered: (answer: 'approved' | 'declined', purchase: Purchase) => void
  /** What is shown is no longer what would be approved, or the session is over. */
  readonly onOutdated: () => void
}

type Refused = Exclude<Outcome<unknown>, { kind: 'done' }>
type Busy = 'no' | 'sending' | 'window'

/** The choice of a card, its proof, and the two buttons. */
export function useAnswer({ fetch, page, begins, onAnswered, onOutdated }: Answering) {
  const [card, setCard] = useState<SavedCard | null>(() =>
    cardToBegin(page.cards, page.purchase.cardId, new Date()),
  )
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<'missing' | 'wrong' | null>(null)
  const [notice, setNotice] = useState<Notice | null>(begins)
  const [busy, setBusy] = useState<Busy>('no')
  const { begun, begin, known } = useBegun({ fetch, page, card, onRefused: (outcome) => tell(outcome, true) })
  // One for what is shown: sent again after an answer that was lost, it is answered once.
  const key = useRef({ of: '', key: '' })
  const wanted = useRef(0)

  function tell(outcome: Refused, isOfBeginning = false): void {
    if (isOutdated(outcome)) onOutdated()
    else setNotice(isOfBeginning ? noticeOfBeginning(outcome) : noticeOf(outcome))
  }

  function choose(next: SavedCard): void {
    setCard(next)
    setTyped('')
    setError(null)
    setNotice(null)
  }

  async function send(answer: Answer): Promise<Refused | null> {
    setBusy('sending')
    const of = JSON.stringify([page.session, answer])
    if (key.current.of !== of) key.current = { of, key: newSecret() }
    const outcome = await sendAnswer(fetch, page, { answer, idempotencyKey: key.current.key })
    if (outcome.kind !== 'done') return outcome
    onAnswered(answer === null ? 'declined' : 'approved', outcome.value)
    return null
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

  /** A proof that came to nothing opens no more: another is begun, unless the bank takes another try at its code. */
  async function refuse(refused: Refused, chosen: SavedCard, proof: BegunProof): Promise<void> {
    tell(refused)
    if (isOutdated(refused)) return
    setBusy('sending')
    if (refused.kind === 'refused' && isOfProof(refused)) {
      setTyped('')
      if (proof.method !== 'otp' || !(await isPending(fetch, page, proof))) await begin(chosen)
    }
    setBusy('no')
  }

  async function approve(): Promise<void> {
    if (card === null || busy !== 'no') return
    setNotice(null)
    setBusy('sending')
    const isTold = begun !== null
    const proof = begun ?? (await known(card))
    setBusy('no')
    // What is asked for was not there to be filled in.
    if (proof === null || (!isTold && !hasWindow(proof))) return
    const proven = await prove(card, proof)
    if (proven === null) return
    const refused = proven.kind === 'done' ? await send({ card, proof: proven.value }) : proven
    if (refused !== null) await refuse(refused, card, proof)
  }

  async function decline(): Promise<void> {
    if (busy === 'sending') return
    // A proof that is given after the no approves nothing.
    wanted.current += 1
    const refused = await send(null)
    if (refused === null) return
    setBusy('no')
    tell(refused)
  }

  /** The window may have ended, or cannot go on: the next try has another. */
  async function cancel(): Promise<void> {
    wanted.current += 1
    setBusy('no')
    if (card !== null) await begin(card)
  }

  return { card, begun, typed, error, notice, busy, choose, type: setTyped, approve, decline, cancel }
}

function hasWindow({ method }: BegunProof): boolean {
  return method === 'passkey' || method === 'popup'
}

/** A blocked window is opened by the link that stands in the page. */
function openWindow({ windowUrl }: BegunProof): void {
  if (windowUrl !== null) window.open(windowUrl, 'prokura-proof', 'popup,width=460,height=640')
}

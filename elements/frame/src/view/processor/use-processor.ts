import { useRef, useState } from 'preact/hooks'
import type { CardPageBegin, FromCardPage, ToCardPage } from '../../../../messages/src/card-page-messages.ts'
import type { FrameMessage } from '../../../../messages/src/messages.ts'
import type { EnteredCard } from '../../calls/add-card.ts'
import type { Outcome, Refusal } from '../../calls/call.ts'
import { beginCard, type CardSetup } from '../../calls/card-setup.ts'
import type { Session, SessionCalls } from '../../calls/session.ts'
import { processorParam } from '../steps.ts'
import { toldError } from '../told-error.ts'
import { canHoldProcessor } from './isolated-page.ts'
import { lookForProcessor } from './look-for-processor.ts'
import type { ProcessorCardProps } from './processor-card.tsx'

/** What the page says of what was entered. */
type Said = Extract<FromCardPage, { kind: 'entered' | 'incomplete' | 'refused' | 'failed' }>

const notLoaded: Refusal = {
  kind: 'refused',
  code: 'unavailable',
  message: 'The page of the payment processor did not load.',
  param: null,
  retryAfterS: null,
}

const notHere: Refusal = {
  ...notLoaded,
  message:
    'This page isolates itself (Cross-Origin-Embedder-Policy), and this browser has no frames without credentials, so the fields of the payment processor cannot stand in it. Show the component on a page that is not isolated.',
}

/** The card as it is entered on a page of the payment processor, where the session says that it is. */
export function useProcessor(session: SessionCalls, tell: (message: FrameMessage) => void) {
  const [page, setPage] = useState<string | null>(null)
  const [setup, setSetup] = useState<CardSetup | null>(null)
  const [fault, setFault] = useState<Outcome<unknown> | null>(null)
  const [complete, setComplete] = useState(false)
  const [height, setHeight] = useState(0)
  const port = useRef<MessagePort | null>(null)
  const waiting = useRef<((said: Said) => void) | null>(null)
  const isEntered = useRef(false)

  /** The page hears of it too: it would see a form without fields, and no reason. */
  function failWith(why: Refusal | Outcome<CardSetup>): void {
    setFault(why)
    const error = toldError(why)
    if (error !== null) tell(error)
  }

  async function begin(): Promise<void> {
    if (!canHoldProcessor()) return failWith(notHere)
    setFault(null)
    const begun = await beginCard(session)
    if (begun.kind === 'done') setSetup(begun.value)
    else failWith(begun)
  }

  function hear(message: FromCardPage): void {
    if (message.kind === 'height') setHeight(message.height)
    else if (message.kind === 'change') setComplete(message.complete)
    else if (message.kind !== 'ready') settle(message)
    if (message.kind === 'failed') failWith(notLoaded)
  }

  function settle(said: Said): void {
    waiting.current?.(said)
    waiting.current = null
  }

  /** The page has come, or has come anew: what was asked of the one before is answered by nobody. */
  function connect(next: MessagePort): void {
    settle({ kind: 'failed' })
    port.current = next
  }

  function confirm(): Promise<Said> {
    return new Promise((resolve) => {
      if (port.current === null) return resolve({ kind: 'failed' })
      waiting.current = resolve
      port.current.postMessage({ kind: 'confirm' } satisfies ToCardPage)
    })
  }

  const shown: ProcessorCardProps | null =
    page === null
      ? null
      : {
          page,
          height,
          fault,
          begin: setup === null ? null : beginOf(setup),
          onBegin: () => void begin(),
          onConnect: connect,
          onHear: hear,
        }

  return {
    shown,
    complete,
    /** The session says where cards are entered. */
    follow: ({ cardsUrl }: Pick<Session, 'cardsUrl'>) => setPage(cardsUrl),
    /** Has the processor take what was entered. Null: something is missing there. */
    async take(): Promise<Outcome<EnteredCard> | null> {
      if (setup === null) return notLoaded
      if (!isEntered.current) {
        const said = await confirm()
        if (said.kind === 'incomplete') return null
        if (said.kind === 'failed') return notLoaded
        if (said.kind === 'refused') return refusedByProcessor(said.message)
      }
      isEntered.current = true
      return { kind: 'done', value: { setup: setup.id } }
    },
    /** The card is added, or can never be: the next one is another. */
    clear(): void {
      isEntered.current = false
      port.current = null
      setSetup(null)
      setComplete(false)
      setHeight(0)
    },
  }
}

function beginOf({ clientSecret, publishableKey }: CardSetup): CardPageBegin {
  return {
    clientSecret,
    publishableKey,
    locale: document.documentElement.lang,
    look: lookForProcessor(getComputedStyle(document.documentElement)),
  }
}

function refusedByProcessor(message: string): Refusal {
  return { kind: 'refused', code: 'card_refused', message, param: processorParam, retryAfterS: null }
}

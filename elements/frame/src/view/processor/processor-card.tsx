import { useEffect, useRef } from 'preact/hooks'
import {
  type CardPageBegin,
  cardPageConnect,
  type FromCardPage,
  readCardPageHello,
  readFromCardPage,
} from '../../../../messages/src/card-page-messages.ts'
import type { Outcome } from '../../calls/call.ts'
import { NoticeBox } from '../notice-box.tsx'
import { noticeOf } from '../steps.ts'
import type { Words } from '../words.ts'
import { isIsolatedPage } from './isolated-page.ts'

export type ProcessorCardProps = {
  /** The page of the third origin. */
  readonly page: string
  readonly height: number
  readonly fault: Outcome<unknown> | null
  /** What the page begins with; null: it is not known yet. */
  readonly begin: CardPageBegin | null
  readonly onBegin: () => void
  readonly onConnect: (port: MessagePort) => void
  readonly onHear: (message: FromCardPage) => void
}

/** In place of our fields: those of the payment processor, on a page of another origin that this form cannot read. */
export function ProcessorCard(props: ProcessorCardProps & { readonly words: Words }) {
  const { words, page, height, fault, begin, onBegin } = props
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (begin === null && fault === null) onBegin()
  }, [])
  useEffect(() => {
    if (begin === null) return
    return answerPage(() => frame.current?.contentWindow ?? null, { ...props, begin })
  }, [begin?.clientSecret])
  const notice = fault === null ? null : noticeOf(fault, false)
  if (notice !== null)
    return (
      <>
        <NoticeBox notice={notice} words={words} />
        <button class="quiet" type="button" onClick={onBegin}>
          {words.sentences.tryAgain}
        </button>
      </>
    )
  return (
    <>
      {height === 0 ? <div class="bone" aria-hidden="true" /> : null}
      {begin === null ? null : (
        <iframe
          ref={frame}
          {...(isIsolatedPage() ? { credentialless: true } : {})}
          class="processor"
          src={page}
          title={words.sentences.processorFields}
          style={{ height: `${height}px` }}
        />
      )}
    </>
  )
}

type Answering = Pick<ProcessorCardProps, 'page' | 'onConnect' | 'onHear'> & { readonly begin: CardPageBegin }

/** Answers each greeting of that page, and of no other window or origin. Returns what ends it. */
function answerPage(
  windowNow: () => Window | null,
  { page, begin, onConnect, onHear }: Answering,
): () => void {
  const { origin } = new URL(page)
  let open: MessagePort | null = null
  function answer(event: MessageEvent): void {
    const there = windowNow()
    if (there === null || event.source !== there || event.origin !== origin) return
    const hello = readCardPageHello(event.data)
    if (hello === null) return
    const { port1, port2 } = new MessageChannel()
    open?.close()
    open = port1
    port1.onmessage = ({ data }) => {
      const message = readFromCardPage(data)
      if (message !== null) onHear(message)
    }
    onConnect(port1)
    there.postMessage(cardPageConnect(hello.nonce, begin), origin, [port2])
  }
  addEventListener('message', answer)
  return () => {
    removeEventListener('message', answer)
    open?.close()
  }
}

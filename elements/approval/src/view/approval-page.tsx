import { useEffect, useState } from 'preact/hooks'
import type { Fetch, Outcome } from '../../../frame/src/calls/call.ts'
import { type Asking, lookAtLink, type OpenedPage, openPage } from '../calls/opened-page.ts'
import type { LinkToken } from '../link-token.ts'
import type { PageWords } from '../locales/page-words.ts'
import { backTo, type Notice, noticeOf, overAfter, type Step } from '../steps.ts'
import { Asked } from './asked.tsx'
import { Answered, Loading, Over } from './endings.tsx'
import { Opened } from './opened.tsx'

type ApprovalPageProps = {
  readonly fetch: Fetch
  readonly link: LinkToken | null
  readonly wordsFor: (isTest: boolean) => PageWords
  readonly onLooked: (asking: Asking) => void
}

export function ApprovalPage({ fetch, link, wordsFor, onLooked }: ApprovalPageProps) {
  const [step, setStep] = useState<Step>({ kind: 'loading' })
  const [asking, setAsking] = useState<Asking | null>(null)
  const [isBusy, setBusy] = useState(false)
  const words = wordsFor(asking?.isTest ?? false)
  useTitle(asking === null ? words.loading : words.asks(asking.name), words)

  /** What is not known yet is asked again for as long as the page is open. */
  async function look(): Promise<void> {
    if (link === null) return setStep({ kind: 'over', why: 'incomplete' })
    const looked = await lookAtLink(fetch, link)
    if (looked.kind !== 'done') {
      const over = overAfter(looked)
      if (over !== null) return setStep(over)
      await new Promise((resolve) => setTimeout(resolve, againMs))
      return look()
    }
    setAsking(looked.value)
    onLooked(looked.value)
    const { outcome, name } = looked.value
    if (outcome === null) return setStep({ kind: 'asked', asking: looked.value, notice: null })
    setStep(endedAs(outcome.status, backTo(outcome.returnUrl, { ...outcome, name })))
  }
  useEffect(() => void look(), [])

  async function open(asked: Asking, notice: Notice | null): Promise<void> {
    if (link === null) return
    setBusy(true)
    const opened: Outcome<OpenedPage> = await openPage(fetch, link)
    setBusy(false)
    if (opened.kind === 'done') return setStep({ kind: 'opened', page: opened.value, notice })
    // Where it was answered here, looking tells how.
    if (opened.kind === 'refused' && opened.code === 'link_over') return look()
    setStep(overAfter(opened) ?? { kind: 'asked', asking: asked, notice: noticeOf(opened) })
  }

  if (step.kind === 'over') return <Over words={words} why={step.why} />
  if (step.kind === 'answered') return <Answered words={words} answer={step.answer} back={step.back} />
  if (step.kind === 'loading' || asking === null) return <Loading words={words} />
  if (step.kind === 'asked')
    return (
      <Asked
        words={words}
        asking={asking}
        notice={step.notice}
        isBusy={isBusy}
        onShow={() => void open(asking, null)}
      />
    )
  const { page } = step
  return (
    <Opened
      key={page.session}
      words={words}
      fetch={fetch}
      page={page}
      name={asking.name}
      begins={step.notice}
      onOutdated={() => void open(asking, 'shownAgain')}
      onAnswered={(answer, { id, status }) =>
        setStep({ kind: 'answered', answer, back: backTo(page.returnUrl, { id, status, name: asking.name }) })
      }
    />
  )
}

const againMs = 2_000

/** A purchase that was declined, or that somebody has cancelled, buys nothing; every other one that was answered goes on. */
function endedAs(status: string, back: Extract<Step, { kind: 'answered' }>['back']): Step {
  if (status === 'cancelled') return { kind: 'over', why: 'over' }
  return { kind: 'answered', answer: status === 'declined' ? 'declined' : 'approved', back }
}

function useTitle(title: string, { card }: PageWords): void {
  useEffect(() => {
    document.title = title
    document.documentElement.lang = card.language
    document.documentElement.dir = card.dir
  }, [title, card.language, card.dir])
}

import type { Fetch } from '../../../frame/src/calls/call.ts'
import type { OpenedPage } from '../calls/opened-page.ts'
import type { Purchase } from '../calls/purchase.ts'
import type { PageWords } from '../locales/page-words.ts'
import type { Notice } from '../steps.ts'
import { AskedProof } from './asked-proof.tsx'
import { CardChoice } from './card-choice.tsx'
import { NoticeBox } from './endings.tsx'
import { PurchaseTerms } from './purchase-terms.tsx'
import { Title } from './title.tsx'
import { useAnswer } from './use-answer.ts'

type OpenedProps = {
  readonly words: PageWords
  readonly fetch: Fetch
  readonly page: OpenedPage
  readonly name: string
  readonly begins: Notice | null
  readonly onAnswered: (answer: 'approved' | 'declined', purchase: Purchase) => void
  readonly onOutdated: () => void
}

/** The purchase, and the person's answer. */
export function Opened(props: OpenedProps) {
  const { words, page, name } = props
  const answer = useAnswer(props)
  const isBusy = answer.busy !== 'no'
  const { card, begun, typed, error } = answer
  // Whoever is to look at everything again reads it before everything.
  const isFirst = answer.notice === 'shownAgain'
  return (
    <form
      class="form"
      noValidate
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault()
        void answer.approve()
      }}
    >
      {words.card.isTest ? <p class="test-mode">{words.card.sentences.testMode}</p> : null}
      <Title>{words.asks(name)}</Title>
      <NoticeBox notice={isFirst ? answer.notice : null} words={words} name={name} />
      <PurchaseTerms words={words} page={page} name={name} />
      {card === null ? (
        <p class="notice">{words.noCards(name)}</p>
      ) : (
        <CardChoice words={words} cards={page.cards} chosen={card} isBusy={isBusy} onChoose={answer.choose}>
          <AskedProof {...{ words, card, begun, typed, error, isBusy }} onType={answer.type} />
        </CardChoice>
      )}
      {answer.busy === 'window' && begun?.windowUrl ? (
        <>
          <p role="status">
            {words.window}{' '}
            <a href={begun.windowUrl} target="_blank" rel="noreferrer">
              {words.openWindow}
            </a>
          </p>
          <button class="quiet" type="button" onClick={() => void answer.cancel()}>
            {words.card.sentences.cancel}
          </button>
        </>
      ) : null}
      <NoticeBox notice={isFirst ? null : answer.notice} words={words} name={name} />
      <div class="answers">
        {card === null ? null : (
          <button class="button" type="submit" aria-disabled={isBusy}>
            {answer.busy === 'sending' ? <span class="spinner" aria-hidden="true" /> : null}
            {words.approve}
          </button>
        )}
        <button
          class="button other"
          type="button"
          aria-disabled={answer.busy === 'sending'}
          onClick={() => void answer.decline()}
        >
          {words.decline}
        </button>
      </div>
    </form>
  )
}

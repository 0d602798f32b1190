import type { Asking } from '../calls/opened-page.ts'
import type { PageWords } from '../locales/page-words.ts'
import type { Notice } from '../steps.ts'
import { NoticeBox } from './endings.tsx'

type AskedProps = {
  readonly words: PageWords
  readonly asking: Asking
  readonly notice: Notice | null
  readonly isBusy: boolean
  readonly onShow: () => void
}

/** Programs that look at links before people do come as far as this. */
export function Asked({ words, asking, notice, isBusy, onShow }: AskedProps) {
  return (
    <section class="form">
      {asking.isTest ? <p class="test-mode">{words.card.sentences.testMode}</p> : null}
      <h1>{words.asks(asking.name)}</h1>
      <p>{words.beforeText}</p>
      <NoticeBox notice={notice} words={words} name={asking.name} />
      <button class="button" type="button" aria-disabled={isBusy} onClick={() => isBusy || onShow()}>
        {words.show}
      </button>
      <p class="hint">{words.answerBy(timeIn(words, asking.answerBy))}</p>
    </section>
  )
}

function timeIn({ card }: PageWords, at: Date): string {
  return new Intl.DateTimeFormat(card.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

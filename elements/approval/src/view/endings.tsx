import type { PageWords } from '../locales/page-words.ts'
import type { Back, Notice, Step } from '../steps.ts'
import { Title } from './title.tsx'

export function Loading({ words }: { readonly words: PageWords }) {
  return (
    <div class="form" aria-busy="true">
      <h1 class="heard">{words.loading}</h1>
      <div class="bone" />
      <div class="bone" />
    </div>
  )
}

type NoticeProps = { readonly notice: Notice | null; readonly words: PageWords; readonly name: string }

/** It stands there from the beginning, so that what it comes to say is heard. */
export function NoticeBox({ notice, words, name }: NoticeProps) {
  return (
    <div role="alert" class={notice === null ? 'heard' : 'notice'}>
      {notice === null ? null : (
        <p {...(typeof notice === 'object' && 'said' in notice ? { lang: 'en', dir: 'auto' } : {})}>
          {noticeText(notice, words, name)}
        </p>
      )}
    </div>
  )
}

function noticeText(notice: Notice, words: PageWords, name: string): string {
  if (typeof notice === 'object') return 'said' in notice ? notice.said : words.tooMany(notice.minutes)
  return notice === 'notAllowed' ? words.notAllowed(name) : words[notice]
}

type AnsweredProps = {
  readonly words: PageWords
  readonly answer: 'approved' | 'declined'
  readonly back: Back | null
}

/** What happens next, and the way back. */
export function Answered({ words, answer, back }: AnsweredProps) {
  return (
    <section class="form ending">
      <Title>{words[answer]}</Title>
      <p>{answer === 'approved' ? words.approvedText : words.declinedText}</p>
      {back === null ? (
        <p>{words.close}</p>
      ) : (
        <a class="button" href={back.url}>
          {words.back(back.name ?? new URL(back.url).host)}
        </a>
      )}
    </section>
  )
}

type OverProps = { readonly words: PageWords; readonly why: Extract<Step, { kind: 'over' }>['why'] }

export function Over({ words, why }: OverProps) {
  return (
    <section class="form ending">
      <Title>{words[why]}</Title>
      <p>{words[`${why}Text`]}</p>
    </section>
  )
}

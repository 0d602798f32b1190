import { CardEntry, type CardEntryProps } from './card-entry.tsx'
import { NoticeBox } from './notice-box.tsx'
import type { Notice } from './steps.ts'

type CardFormProps = CardEntryProps & {
  readonly notice: Notice | null
  readonly onSubmit: () => void
}

export function CardForm(props: CardFormProps) {
  const { words, isBusy, notice, onSubmit } = props
  const { sentences } = words
  const button = isBusy
    ? sentences.adding
    : notice?.about === 'offline'
      ? sentences.tryAgain
      : sentences.addCard
  return (
    <form
      class="form"
      noValidate
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      <CardEntry {...props} />
      {notice === null ? null : <NoticeBox notice={notice} words={words} />}
      <button class="button" type="submit" aria-disabled={isBusy}>
        {isBusy ? <span class="spinner" aria-hidden="true" /> : null}
        {button}
      </button>
      <p class="heard" role="status">
        {isBusy ? sentences.adding : ''}
      </p>
    </form>
  )
}

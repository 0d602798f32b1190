import type { ShownWindow } from './use-window.ts'
import type { Words } from './words.ts'

type WindowStepProps = {
  readonly words: Words
  readonly shown: ShownWindow
  /** What the link to the window says. */
  readonly link: string
  /** It was closed too early: another one. */
  readonly onAgain: () => void
}

/** While a window is open, or is to be opened. */
export function WindowStep({ words, shown, link, onAgain }: WindowStepProps) {
  const { sentences } = words
  const { url, isOpened, isOpen, isLate } = shown
  const hasLink = !isOpen && (!isOpened || isLate)
  const told = isOpen || !hasLink ? sentences.windowOpen : isOpened ? sentences.windowLate : ''
  return (
    <>
      <p class={told === '' ? 'heard' : 'waiting'} role="status">
        {hasLink ? null : <span class="spinner" aria-hidden="true" />}
        {told}
      </p>
      {hasLink ? (
        <a class="button" href={url} target="_blank" rel="noopener noreferrer">
          {link}
        </a>
      ) : null}
      {isOpen ? (
        <button class="quiet" type="button" onClick={onAgain}>
          {sentences.startAgain}
        </button>
      ) : null}
    </>
  )
}

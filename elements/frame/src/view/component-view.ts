import type { ComponentType } from 'preact'
import type { ElementOptions, FrameMessage } from '../../../messages/src/messages.ts'
import type { SessionCalls } from '../calls/session.ts'
import type { TestCard } from '../facts.ts'
import type { Sentences } from '../locales/sentences.ts'
import type { Words } from './words.ts'

/** What every component of the frame gets. */
export type ViewProps = {
  readonly words: Words
  readonly testCards: readonly TestCard[]
  readonly session: SessionCalls
  /** What the page has asked for. */
  readonly options: ElementOptions
  readonly tell: (message: FrameMessage) => void
  /** The form stands there. */
  readonly onReady: () => void
  /** Gets what opens another session. */
  readonly renew: () => Promise<void>
  /** Who answers the page's own button while it is shown; null: nobody any more. */
  readonly answerAuthorize: (answer: AnswerAuthorize | null) => void
}

export type AnswerAuthorize = (asked: { readonly id: string; readonly isOpened: boolean }) => void

/** A component: what it shows, and what its document is called. */
export type ComponentView = {
  readonly View: ComponentType<ViewProps>
  readonly title: (sentences: Sentences) => string
}

import type { FrameMessage } from '../../../messages/src/messages.ts'
import type { EnteredCard } from '../calls/add-card.ts'
import type { Outcome } from '../calls/call.ts'
import type { SessionCalls } from '../calls/session.ts'
import type { Card } from '../card/check-card.ts'
import { useProcessor } from './processor/use-processor.ts'
import { useCardDraft } from './use-card-draft.ts'

/** The card that a person enters: in our fields, or in those of the payment processor. */
export function useCardEntry(session: SessionCalls, tell: (message: FrameMessage) => void) {
  const typed = useCardDraft()
  const processor = useProcessor(session, tell)
  const isTyped = processor.shown === null
  return {
    ...typed,
    processor: processor.shown,
    complete: isTyped ? typed.complete : processor.complete,
    letsAgentsPay: isTyped ? typed.letsAgentsPay : typed.isEnrolled,
    follow: processor.follow,
    /** Marks what is missing in our fields; those of the processor mark it when the card is taken. */
    isWhole: () => !isTyped || typed.check().card !== null,
    /** The card that is to be added. Null: something is missing, and is marked. */
    async take(): Promise<Outcome<Card | EnteredCard> | null> {
      if (!isTyped) return processor.take()
      const { card } = typed.check()
      return card === null ? null : { kind: 'done', value: card }
    },
    clear(): void {
      typed.clear()
      processor.clear()
    },
  }
}

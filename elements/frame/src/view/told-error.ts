import type { FrameMessage } from '../../../messages/src/messages.ts'
import type { Outcome } from '../calls/call.ts'

/** What the page hears of what went wrong; null: nothing did. Whatever a server says, no digits of a card go out. */
export function toldError(outcome: Outcome<unknown>): (FrameMessage & { kind: 'error' }) | null {
  if (outcome.kind === 'done') return null
  if (outcome.kind === 'no_answer')
    return {
      kind: 'error',
      code: 'offline',
      message: 'The frame got no answer: this device is offline, or the server is.',
    }
  return { kind: 'error', code: outcome.code, message: withoutNumbers(outcome.message) }
}

function withoutNumbers(text: string): string {
  return text.replace(/\d(?:[\s.-]?\d){7,}/g, '…')
}

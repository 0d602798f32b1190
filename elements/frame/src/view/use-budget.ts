import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fields, FrameMessage } from '../../../messages/src/messages.ts'
import type { SessionCalls } from '../calls/session.ts'
import { budgetOf, makeBudget } from '../calls/standing-budget.ts'
import { budgetText } from './budget.ts'
import { toldError } from './told-error.ts'
import type { Words } from './words.ts'

/** The budget that the page asks for: shown, approved, and made once the card is there. */
export function useBudget(session: SessionCalls, settings: Fields, tell: (message: FrameMessage) => void) {
  const [read] = useState(() => budgetOf(settings))
  const [isApproved, setApproved] = useState(false)
  const [outcome, setOutcome] = useState<'made' | 'refused' | null>(null)
  /** What was approved with the card that was added; undefined: nothing. */
  const approved = useRef<{ readonly codeToken: string | null } | undefined>(undefined)
  const asked = read ?? null
  useEffect(() => {
    if (read === undefined) tell({ kind: 'error', code: 'invalid_budget', message: notOne })
  }, [read, tell])
  return {
    asked,
    isApproved,
    onApprove: setApproved,
    /** The card is added. Undefined: its holder does not let agents pay with it. */
    take(codeToken: string | null | undefined): void {
      approved.current = isApproved && codeToken !== undefined ? { codeToken } : undefined
    },
    /** What the page gets of it, where it has asked for one. */
    async make(id: string): Promise<Fields> {
      if (asked === null) return {}
      if (approved.current === undefined) return { policy: null }
      const made = await makeBudget(session, asked, { id, ...approved.current })
      const error = toldError(made)
      if (error !== null) tell(error)
      setOutcome(made.kind === 'done' ? 'made' : 'refused')
      return { policy: made.kind === 'done' ? made.value : null }
    },
    note(words: Words): string | null {
      if (asked === null || outcome === null) return null
      return outcome === 'made' ? budgetText(asked, words) : words.sentences.budgetRefused
    },
  }
}

const notOne =
  'The option `budget` takes { amount, currency, interval, expires_at? }: a whole number of minor units, an ISO 4217 code, and day, week, month, year or all_time.'

import { useRef, useState } from 'preact/hooks'
import type { Outcome } from '../../calls/call.ts'
import type { Verification } from '../../calls/verifications.ts'

type Known = { readonly [cardId: string]: Outcome<Verification> | undefined }

/** What each card needs for the purchase, asked once for each until it is used or about to end. */
export function useProofs(begin: (cardId: string) => Promise<Outcome<Verification>>) {
  const asked = useRef(new Map<string, Promise<Outcome<Verification>>>())
  const [known, setKnown] = useState<Known>({})

  function know(cardId: string, outcome: Outcome<Verification> | undefined): void {
    setKnown((before) => ({ ...before, [cardId]: outcome }))
  }

  async function ask(cardId: string): Promise<Outcome<Verification>> {
    const asking = begin(cardId)
    asked.current.set(cardId, asking)
    const outcome = await asking
    if (asked.current.get(cardId) !== asking) return outcome
    if (outcome.kind !== 'done') asked.current.delete(cardId)
    know(cardId, outcome)
    return outcome
  }

  return {
    known,
    /** What is known of a card, or will be. */
    get: (cardId: string) => asked.current.get(cardId) ?? ask(cardId),
    /** It was used, or has ended. What is needed is asked anew, and until then the same is thought to be. */
    async renew(cardId: string): Promise<Outcome<Verification>> {
      asked.current.delete(cardId)
      return ask(cardId)
    },
    /** It was used: the next time is another. */
    drop(cardId: string): void {
      asked.current.delete(cardId)
      know(cardId, undefined)
    },
  }
}

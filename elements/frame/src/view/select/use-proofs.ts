import { useRef, useState } from 'preact/hooks'
import type { Outcome } from '../../calls/call.ts'
import type { Verification } from '../../calls/verifications.ts'

type Known = { readonly [cardId: string]: Outcome<Verification> | undefined }

/** What each card needs for the purchase, asked once for each until it is used or about to end. */
export function useProofs(begin: (cardId: string) => Promise<Outcome<Verification>>) {
  const asked = useRef(new Map<string, Promise<Outcome<Verification>>>())
  const refused = useRef(new Set<string>())
  const [known, setKnown] = useState<Known>({})

  function know(cardId: string, outcome: Outcome<Verification> | undefined): void {
    setKnown((before) => ({ ...before, [cardId]: outcome }))
  }

  async function ask(cardId: string): Promise<Outcome<Verification>> {
    const asking = begin(cardId)
    asked.current.set(cardId, asking)
    refused.current.delete(cardId)
    const outcome = await asking
    if (asked.current.get(cardId) !== asking) return outcome
    if (outcome.kind !== 'done') refused.current.add(cardId)
    know(cardId, outcome)
    return outcome
  }

  return {
    known,
    /** Asks what a card needs, unless that was asked. */
    learn(cardId: string): void {
      if (!asked.current.has(cardId)) void ask(cardId)
    },
    /** What is known of a card, or will be. What was refused is tried again. */
    get(cardId: string): Promise<Outcome<Verification>> {
      const asking = refused.current.has(cardId) ? undefined : asked.current.get(cardId)
      return asking ?? ask(cardId)
    },
    /** It has ended. What is needed is asked anew, and until then the same is thought to be. */
    renew: ask,
    /** It was used: the next time is another. */
    drop(cardId: string): void {
      asked.current.delete(cardId)
      know(cardId, undefined)
    },
  }
}

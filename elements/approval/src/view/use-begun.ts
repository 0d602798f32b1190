import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fetch, Outcome } from '../../../frame/src/calls/call.ts'
import type { OpenedPage } from '../calls/opened-page.ts'
import { type BegunProof, beginProof } from '../calls/proof.ts'
import type { SavedCard } from '../calls/saved-card.ts'

type Beginning = {
  readonly fetch: Fetch
  readonly page: OpenedPage
  readonly card: SavedCard | null
  readonly onRefused: (outcome: Exclude<Outcome<unknown>, { kind: 'done' }>) => void
}

/** What the chosen card is proven by. The server says it, and says it anew after each proof that came to nothing. */
export function useBegun({ fetch, page, card, onRefused }: Beginning) {
  const [begun, setBegun] = useState<BegunProof | null>(null)
  const asked = useRef<Promise<BegunProof | null> | null>(null)

  /** Null: it is not known, or another card was chosen meanwhile. */
  function begin(chosen: SavedCard): Promise<BegunProof | null> {
    const asking: Promise<BegunProof | null> = beginProof(fetch, page, chosen).then((outcome) => {
      if (asked.current !== asking) return null
      asked.current = null
      setBegun(outcome.kind === 'done' ? outcome.value : null)
      if (outcome.kind === 'done') return outcome.value
      onRefused(outcome)
      return null
    })
    asked.current = asking
    return asking
  }

  useEffect(() => {
    setBegun(null)
    // A person who is fast has pressed the button already: what that has begun counts.
    if (card !== null && asked.current === null) void begin(card)
    return () => {
      asked.current = null
    }
  }, [card])

  return {
    begun,
    begin,
    /** What is on its way, or else asked once more. */
    known: (chosen: SavedCard): Promise<BegunProof | null> => asked.current ?? begin(chosen),
  }
}

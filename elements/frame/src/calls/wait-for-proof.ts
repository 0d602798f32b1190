import type { Outcome } from './call.ts'
import type { Verification } from './verifications.ts'

const lookMs = 1_000
/** So many looks a window has to open: then the person gets a link to it. */
const looksUntilLate = 10

export type Seen = { readonly isOpen: boolean; readonly isLate: boolean }

type Waiting = {
  readonly look: () => Promise<Outcome<Verification>>
  readonly isWanted: () => boolean
  readonly onSeen: (seen: Seen) => void
}

/**
 * Frame and window share nothing in a browser, so the frame asks the server until the proof has ended. Null: nobody wants it any more. An
 * answer that is lost is asked for again.
 */
export async function waitForProof({
  look,
  isWanted,
  onSeen,
}: Waiting): Promise<Outcome<Verification> | null> {
  for (let looks = 1; ; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (!isWanted()) return null
    const seen = await look()
    if (!isWanted()) return null
    const isLost = seen.kind === 'no_answer' || (seen.kind === 'refused' && mayCome.includes(seen.code))
    if (seen.kind === 'done' && seen.value.status === 'pending')
      onSeen({ isOpen: seen.value.isOpen, isLate: looks >= looksUntilLate })
    else if (!isLost) return seen
  }
}

const mayCome: readonly string[] = ['rate_limited', 'unavailable']

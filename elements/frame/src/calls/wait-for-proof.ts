import type { Outcome } from './call.ts'
import type { Verification } from './verifications.ts'

const lookMs = 1_000
/** So many looks a window has to open: then the person gets a link to it. */
const looksUntilLate = 10
/** No proof is there for longer, whatever the clock of this device says. */
export const proofMs = 15 * 60_000

export type Seen = { readonly isOpen: boolean; readonly isLate: boolean }

type Waiting = {
  readonly look: () => Promise<Outcome<Verification>>
  readonly isWanted: () => boolean
  readonly onSeen: (seen: Seen) => void
}

/**
 * Frame and window share nothing in a browser, so the frame asks the server until the proof has ended. Null: nobody wants it any more. An
 * answer that is lost is asked for again, until the proof's time is over.
 */
export async function waitForProof({
  look,
  isWanted,
  onSeen,
}: Waiting): Promise<Outcome<Verification> | null> {
  const overAt = Date.now() + proofMs
  for (let looks = 1; ; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (!isWanted()) return null
    const seen = await look()
    if (!isWanted()) return null
    if (seen.kind === 'done' && seen.value.status === 'pending')
      onSeen({ isOpen: seen.value.isOpen, isLate: looks >= looksUntilLate })
    else if (!isLost(seen) || Date.now() >= overAt) return seen
  }
}

/** Whether the next look may tell what this one did not. */
export function isLost(seen: Outcome<unknown>): boolean {
  return seen.kind === 'no_answer' || (seen.kind === 'refused' && mayCome.includes(seen.code))
}

const mayCome: readonly string[] = ['rate_limited', 'busy', 'unavailable', 'internal_error']

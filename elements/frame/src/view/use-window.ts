import { useRef, useState } from 'preact/hooks'
import type { Outcome } from '../calls/call.ts'
import type { Verification } from '../calls/verifications.ts'
import { type Seen, waitForProof } from '../calls/wait-for-proof.ts'

/** A window of ours in which a person proves something. */
export type ShownWindow = Seen & {
  readonly url: string
  /** The page has opened it, or has tried to. */
  readonly isOpened: boolean
}

export function useWindow(look: (id: string) => Promise<Outcome<Verification>>) {
  const [shown, setShown] = useState<ShownWindow | null>(null)
  const wanted = useRef<string | null>(null)
  return {
    shown,
    /** What came of it; null: nobody wants it any more. */
    async wait(
      { id, windowUrl }: Verification,
      isOpened: boolean,
    ): Promise<{ readonly ended: Outcome<Verification>; readonly wasOpen: boolean } | null> {
      const url = windowUrl ?? ''
      let wasOpen = false
      wanted.current = id
      setShown({ url, isOpened, isOpen: false, isLate: false })
      const ended = await waitForProof({
        look: () => look(id),
        isWanted: () => wanted.current === id,
        onSeen(seen) {
          wasOpen ||= seen.isOpen
          setShown({ url, isOpened, ...seen })
        },
      })
      if (ended === null) return null
      wanted.current = null
      setShown(null)
      return { ended, wasOpen }
    },
    leave(): void {
      wanted.current = null
      setShown(null)
    },
  }
}

import { useEffect, useState } from 'preact/hooks'
import type { FrameMessage } from '../../../messages/src/messages.ts'

type Change = { readonly brand: string | null; readonly complete: boolean }

/** Tells the page when the form becomes complete, or no longer is, or is about another brand. */
export function useChange(tell: (message: FrameMessage) => void, { brand, complete }: Change) {
  const [told, setTold] = useState({ brand, complete })
  useEffect(() => {
    if (told.brand === brand && told.complete === complete) return
    setTold({ brand, complete })
    tell({ kind: 'change', complete, brand })
  }, [brand, complete, told, tell])
  return {
    /** This is to be no news. */
    skip: setTold,
  }
}

import { useRef, useState } from 'react'

/** What a button does, once at a time, and what went wrong. */
export function usePressing() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const busy = useRef(false)
  async function press(work: () => Promise<unknown>): Promise<void> {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (problem) {
      setError(problem)
    } finally {
      busy.current = false
      setBusy(false)
    }
  }
  return { isBusy, error, press }
}

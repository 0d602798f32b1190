import { useCallback, useEffect, useState } from 'react'
import { useCalls } from './calls.ts'

type Loaded<Answer> = {
  /** The last answer, also while it is asked again: who goes back finds the page as it was. Null: there is none yet. */
  readonly value: Answer | null
  readonly error: unknown
  readonly reload: () => Promise<void>
}

const kept = new Map<string, unknown>()

/** Nothing that one person has seen is there for the next one. */
export function forgetAll(): void {
  kept.clear()
}

/** What the interface answers at a path, in the account and mode of the address. */
export function useLoaded<Answer>(path: string): Loaded<Answer> {
  const { ask, scope } = useCalls()
  const name = `${scope} ${path}`
  const [seen, setSeen] = useState<{ name: string; error: unknown }>({ name, error: null })
  const reload = useCallback(async () => {
    try {
      kept.set(name, await ask<Answer>({ method: 'GET', path }))
      setSeen({ name, error: null })
    } catch (error) {
      setSeen({ name, error })
    }
  }, [name, path, ask])
  useEffect(() => void reload(), [reload])
  return {
    value: (kept.get(name) as Answer | undefined) ?? null, // as it was kept under this name
    error: seen.name === name ? seen.error : null,
    reload,
  }
}

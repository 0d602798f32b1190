import { createContext, useContext } from 'react'
import type { Request } from './api.ts'

/** Calls of the person who has signed in. */
export type Calls = {
  /** The account and mode in which it asks, by one name. */
  readonly scope: string
  /** Leads to the sign-in where nobody is signed in any more. */
  readonly ask: <Answer>(request: Request) => Promise<Answer>
  /** The same, and has the person confirm it by a passkey where they must. Null: they did not. */
  readonly confirm: <Answer>(request: Request) => Promise<Answer | null>
}

export const CallsContext = createContext<Calls | null>(null)

export function useCalls(): Calls {
  const calls = useContext(CallsContext)
  if (calls === null) throw new Error('nobody calls here')
  return calls
}

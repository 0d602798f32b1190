import { createContext, useContext } from 'react'

/** Who has signed in, as the interface says it. */
export type Session = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly has_passkey: boolean
  readonly role: string
  readonly scopes: readonly string[]
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
}

type Known = Session & { readonly reload: () => Promise<void> }

export const SessionContext = createContext<Known | null>(null)

export function useSession(): Known {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody has signed in here')
  return session
}

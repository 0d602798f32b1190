import type { SignIn } from '../../contract/context.ts'
import type { PersonId } from '../../contract/ids.ts'
import type { Role } from '../../contract/scopes.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { Pools } from '../database/pool.ts'

/** A session of a person, as it is found by its hash. */
export type FoundSession = {
  hash: Buffer
  person_id: PersonId
  signed_in_by: SignIn
  is_proven: boolean
  /** Whether nobody has written down for a while that it is used. */
  is_ageing: boolean
  /** Where the person may act, the oldest membership first. */
  accounts: { id: Id<'acct'>; name: string; role: Role }[]
}

/** Statements of the slice that owns sessions. */
export type PersonLookups = {
  session(params: { hash: Buffer }): Statement<FoundSession>
  seen(params: { hash: Buffer }): Statement<never>
}

export interface PersonDoor {
  /** The session of a token, which it keeps alive; null: there is none, or it is over. */
  session(token: string): Promise<FoundSession | null>
}

/** Sessions are looked up at each call: people call rarely, and what was ended has to end at once. */
export function createPersonDoor(
  { pools, hashToken }: { pools: Pools; hashToken: (token: string) => Buffer },
  lookups: PersonLookups,
): PersonDoor {
  return {
    async session(token) {
      const hash = hashToken(token)
      const [found] = await pools.door(lookups.session({ hash }))
      if (!found) return null
      if (found.is_ageing) await pools.single(lookups.seen({ hash }))
      return found
    },
  }
}

import { rateLimited } from '../../contract/limits.ts'
import type { OperationAuth } from '../../contract/operation.ts'
import type { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import type { KeyGrant } from '../doors/key-door.ts'
import { createGuesses, guessWindowSeconds } from '../limits/guesses.ts'
import { type Authenticator, tokenOf, unauthorized } from './authenticate.ts'

/** Who asks, as far as it is known before anything of the request but its head is read. */
export type Asker = { authorization: string | undefined; address: string }

/**
 * Whose key it is, or null for nobody's; throws the 401 or 429 of those whose bodies are not read. Whether the key is still good, and
 * for this operation, is found out with the call.
 */
export type Admit = (need: OperationAuth | 'any', asker: Asker) => Id<'acct'> | null | Promise<Id<'acct'>>

/** The door before the door: what has no key, or one that never was, costs neither memory for its body nor a statement a guess. */
export function createAdmission(auth: Authenticator, limits: { keyGuesses: number }): Admit {
  const guesses = createGuesses(limits.keyGuesses)
  const { keyDoor } = auth

  async function look(token: string, address: string): Promise<Id<'acct'>> {
    if (guesses.isSpent(address)) {
      const grant = await keyDoor.openInCrowd(token)
      if (grant === null || grant === 'crowded') throw tooManyGuesses(address)
      return grant.accountId
    }
    guesses.begin(address)
    const grant = await keyDoor.open(token)
    if (!grant) throw unauthorized()
    guesses.forgive(address)
    return grant.accountId
  }

  function tooManyGuesses(address: string): Problem {
    const retryAfterSeconds = guesses.secondsLeft(address)
    return rateLimited({
      scope: 'ip',
      limit: limits.keyGuesses,
      windowSeconds: guessWindowSeconds,
      retryAfterSeconds,
    })
  }

  return (need, { authorization, address }) => {
    if (need === 'none') return null
    if (authorization === undefined) {
      if (need === 'secret' || (need === 'optional' && !auth.anonymousDiscovery)) throw unauthorized()
      return null
    }
    const token = tokenOf(authorization)
    if (token === null) throw unauthorized()
    const known = keyDoor.recall(token)
    if (known === undefined) return look(token, address)
    return known instanceof Promise ? known.then(accountOf) : accountOf(known)
  }
}

function accountOf(grant: KeyGrant | null): Id<'acct'> {
  if (!grant) throw unauthorized()
  return grant.accountId
}

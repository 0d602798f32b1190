import type { OperationAuth } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { KeyDoor, KeyGrant } from '../../platform/doors/key-door.ts'
import { createGuesses } from '../../platform/limits/guesses.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Edge, Holder } from '../http/edge.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PersonCallers } from '../http/person-callers.ts'
import { tokenOf } from './credentials.ts'

type AdmitThen = { admitted: (holder: Holder) => void; refused: (error: unknown) => void }

/**
 * Looks at the key before more than the head of a request is read. Whether the key is still good, and allows this operation, is checked
 * with the call.
 */
export type Admission = {
  /** Passes on the account of the key, null for a request without a secret key, or the 401 or 429 of a caller whose body is not read. */
  admit(exchange: Exchange, need: OperationAuth | 'any', then: AdmitThen): void
  /** The body of a request with or without a key, for any purpose; throws the refusal of a caller that is not admitted. */
  receive(exchange: Exchange): Promise<Uint8Array>
}

type AdmissionOptions = {
  keyDoor: KeyDoor
  anonymousDiscovery: boolean
  limits: { keyGuesses: number }
  edge: Pick<Edge, 'prove' | 'readBody'>
  people: PersonCallers
}

/**
 * The check before the key is looked up: a request without a key, or with one that never existed, costs neither memory for its body nor a
 * statement for each guess.
 */
export function createAdmission({
  keyDoor,
  anonymousDiscovery,
  limits,
  edge,
  people,
}: AdmissionOptions): Admission {
  const guesses = createGuesses(limits.keyGuesses)

  async function look(token: string, address: string): Promise<Holder> {
    // guard key-guesses: an address that guesses keys costs a statement a moment and no more
    if (guesses.isSpent(address)) {
      const grant = await keyDoor.openInCrowd(token)
      // guard guesses-lock-nobody-out: a valid key works while another client guesses keys
      if (grant === null || grant === 'crowded') throw guesses.refusal(address)
      return holderBy(grant)
    }
    guesses.begin(address)
    const grant = await keyDoor.open(token)
    if (!grant) throw unauthorized()
    guesses.forgive(address)
    return holderBy(grant)
  }

  function holderOf(need: OperationAuth | 'any', exchange: Exchange): Holder | Promise<Holder> {
    const { client, request } = exchange
    const { authorization } = request.headers
    if (need === 'none') return null
    if (authorization === undefined) {
      const person = people.callerOf(exchange)
      if (person !== null) return person.then(({ tenant }) => tenant.accountId)
      // guard no-key-no-body: a client that shows no key sends no body
      if (need === 'secret' || (need === 'optional' && !anonymousDiscovery)) throw unauthorized()
      return null
    }
    const token = tokenOf(authorization)
    if (token === null) throw unauthorized()
    const known = keyDoor.recall(token)
    if (known === undefined) return look(token, countedAddress(client))
    return known instanceof Promise ? known.then(holderBy) : holderBy(known)
  }

  function admit(exchange: Exchange, need: OperationAuth | 'any', { admitted, refused }: AdmitThen): void {
    const known = (holder: Holder) => {
      if (holder !== null) edge.prove(exchange)
      admitted(holder)
    }
    let holder: ReturnType<typeof holderOf>
    try {
      holder = holderOf(need, exchange)
    } catch (error) {
      refused(error)
      return
    }
    // Awaiting a value that is already known would cost every request a turn.
    if (holder instanceof Promise) holder.then(known, refused)
    else known(holder)
  }

  return {
    admit,
    receive: (exchange) =>
      new Promise((read, refused) => {
        const admitted = (holder: Holder) => edge.readBody(exchange, holder, { read, refused })
        admit(exchange, 'any', { admitted, refused })
      }),
  }
}

function unauthorized(): Problem {
  return new Problem('unauthorized')
}

/** Anybody can show a key that stands in a page, so it takes no room from its account and is no proof of anything. */
function holderBy(grant: KeyGrant | null): Holder {
  if (!grant) throw unauthorized()
  return grant.kind === 'publishable' ? null : grant.accountId
}

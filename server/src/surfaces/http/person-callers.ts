import type { Limits } from '../../contract/limits.ts'
import { Problem } from '../../contract/problem.ts'
import type { Scope, ScopeCatalog } from '../../contract/scopes.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import type { FoundSession, PersonDoor } from '../../platform/doors/person-door.ts'
import { sessionTokenIn } from '../../platform/doors/session-cookie.ts'
import { createGuesses } from '../../platform/limits/guesses.ts'
import { countedAddress } from './client-address.ts'
import type { Exchange } from './exchange.ts'

/** Finds out which person calls, in which account and mode. */
export type PersonCallers = {
  /** The person behind a request; null: it comes from no session. Throws what is wrong with the session, its page or its account. */
  callerOf(exchange: Exchange): Promise<Principal> | null
  /** Throws where a request comes from another page than ours: no page signs a person in as somebody else. */
  assertOwnPage(exchange: Exchange): void
}

type CallersOptions = {
  personDoor: PersonDoor
  scopeCatalog: Pick<ScopeCatalog, 'roles'>
  /** Where people reach the API, by which the cookie is named. */
  publicUrl: string
  /** The origin of the console's pages. */
  origin: string
  limits: Pick<Limits, 'keyGuesses'>
}

export function createPersonCallers(options: CallersOptions): PersonCallers {
  const guesses = createGuesses(options.limits.keyGuesses)
  /** A request is admitted before its body is read, and identified after it: it is the same person. */
  const known = new WeakMap<Exchange, Promise<Principal>>()

  async function look(token: string, address: string): Promise<FoundSession> {
    if (guesses.isSpent(address)) throw guesses.refusal(address)
    guesses.begin(address)
    const session = await options.personDoor.session(token)
    if (session === null || session.accounts.length === 0) throw signedOut()
    guesses.forgive(address)
    return session
  }

  async function principalOf(token: string, exchange: Exchange): Promise<Principal> {
    const session = await look(token, countedAddress(exchange.client))
    const { 'prokura-account': named, 'prokura-mode': mode = 'test' } = exchange.request.headers
    // guard session-names-its-account: a session opens the accounts that its person is a member of, and no other
    const account =
      named === undefined ? session.accounts[0] : session.accounts.find(({ id }) => id === named)
    if (account === undefined || (mode !== 'test' && mode !== 'live')) throw new Problem('not_a_member')
    const { role } = account
    const allowed = options.scopeCatalog.roles[role]
    return {
      kind: 'person',
      tenant: { accountId: account.id, mode },
      actor: { type: 'person', id: session.person_id },
      keyId: null,
      profileId: null,
      person: {
        id: session.person_id,
        session: session.hash,
        role,
        signedInBy: session.signed_in_by,
        isProven: session.is_proven,
      },
      // guard link-looks-only: a session that has shown nothing but a link looks, and declines
      scopes: new Set(session.is_proven ? allowed : allowed.filter(looksOrDeclines)),
      renew: () => principalOf(token, exchange).catch(ended),
    }
  }

  return {
    assertOwnPage: (exchange) => assertOwnPage(exchange, options.origin),
    callerOf(exchange) {
      const { authorization, cookie } = exchange.request.headers
      if (authorization !== undefined) return null
      const token = sessionTokenIn(cookie, options.publicUrl)
      if (token === null) return null
      const caller = known.get(exchange)
      if (caller !== undefined) return caller
      assertOwnPage(exchange, options.origin)
      const found = principalOf(token, exchange)
      known.set(exchange, found)
      return found
    },
  }
}

/** To approve takes a passkey besides. */
function looksOrDeclines(scope: Scope): boolean {
  return scope.endsWith(':read') || scope === 'purchase_intents:approve'
}

function ended(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

function signedOut(): Problem {
  return new Problem('unauthorized', { message: 'You are signed out. Sign in again.' })
}

/** Browsers say where a request comes from; other pages of the same site, or of none, do not act for the person. */
function assertOwnPage({ request: { headers, method } }: Exchange, own: string): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = (origin === undefined || origin === own) && (site === undefined || site === 'same-origin')
  const isSaid = origin !== undefined || site !== undefined
  // guard console-acts-alone: no page but the console uses the session of a person
  if (isOwn && (isSaid || method === 'GET' || method === 'HEAD')) return
  throw new Problem('origin_not_allowed', {
    message: `The console is at ${own}. No other page acts for you.`,
  })
}

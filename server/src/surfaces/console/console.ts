import type { Limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import { createGuesses } from '../../platform/limits/guesses.ts'
import type { PersonCallers } from '../http/person-callers.ts'
import { type JsonCaller, type JsonDialect, type ShownCaller, serveJson } from '../http/serve-json.ts'
import type { Surface } from '../http/surface.ts'
import { mountPages } from './pages.ts'

type ConsoleOptions = {
  dialect: JsonDialect
  people: PersonCallers
  nobody: Principal
  limits: Pick<Limits, 'keyGuesses'>
  /** Where people open the console. */
  address: string
}

/** The pages of the console, and what they call besides the interface: signing in, sessions, passkeys. */
export function consoleSurface({ dialect, people, nobody, limits, address }: ConsoleOptions): Surface {
  const tries = createGuesses(limits.keyGuesses)

  /** Whoever signs in costs a row a moment from one address, and no more. */
  function admit(address: string): void {
    // guard sign-ins-are-counted: an address that asks to sign in all the time does not fill the database
    if (tries.isSpent(address)) throw tries.refusal(address)
    tries.begin(address)
  }

  async function callerOf({ auth }: Operation, { exchange, address }: ShownCaller): Promise<JsonCaller> {
    if (auth !== 'none') {
      const principal = await people.callerOf(exchange)
      if (principal === null)
        throw new Problem('unauthorized', { message: 'You are signed out. Sign in again.' })
      return { principal, path: {} }
    }
    people.assertOwnPage(exchange)
    admit(address)
    return { principal: nobody, path: {} }
  }

  return {
    name: 'console',
    mount(http, context) {
      mountPages(http, address, context.onRequest)
      for (const operation of context.operations)
        http.route({
          methods: [operation.method],
          path: operation.path,
          dialect: dialect.refusal,
          serve: (exchange) =>
            serveJson(operation, exchange, http, {
              ...context,
              dialect,
              callerOf,
              onOutcome({ auth, replyHeaders }, { address }, { kind }) {
                const isSignIn = auth === 'none' && replyHeaders[201] !== undefined
                if (isSignIn && kind === 'answered') tries.forgive(address)
              },
            }),
        })
    },
  }
}

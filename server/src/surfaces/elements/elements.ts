import type { Settings } from '../../contract/context.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { ElementDoor } from '../../platform/doors/element-door.ts'
import type { KeyDoor } from '../../platform/doors/key-door.ts'
import { type JsonCaller, type JsonDialect, type ShownCaller, serveJson } from '../http/serve-json.ts'
import type { Surface } from '../http/surface.ts'
import { createElementCallers } from './element-callers.ts'
import type { ElementsHost } from './elements-host.ts'
import { mountFrames } from './frames.ts'

type ElementsOptions = {
  dialect: JsonDialect
  keyDoor: KeyDoor
  elementDoor: ElementDoor
  host: ElementsHost
  /** That of the page on which the payment processor takes cards. */
  cardsHost: ElementsHost
  cards: Settings['cards'] | null
  /** Where frames leave card numbers. */
  vaultUrl: string | null
  now: () => Date | Promise<Date>
  limits: Pick<Limits, 'keyGuesses'>
}

/** What components call: what begins them, and the operations that a session opens for the profile it is of. */
export function elementsSurface(options: ElementsOptions): Surface {
  const callers = createElementCallers(options)
  async function callerOf(
    operation: Operation,
    { exchange, address, body }: ShownCaller,
  ): Promise<JsonCaller> {
    const { authorization, origin } = exchange.request.headers
    const caller = await callers.callerOf(operation, { address, authorization, origin, body })
    // A component that is shown for no purchase has none.
    if (operation.path.includes('{purchase_intent_id}') && !('purchase_intent_id' in caller.path))
      throw new Problem('not_found', { param: 'purchase_intent_id' })
    return caller
  }
  return {
    name: 'elements',
    mount(http, context) {
      mountFrames(http, { ...options, ...context })
      for (const operation of context.operations)
        http.route({
          methods: [operation.method],
          path: elementPath(operation),
          dialect: options.dialect.refusal,
          // The loader asks in a page of the integrator, and the frame in one of ours.
          ...(operation.headers === undefined ? {} : { isForPages: true as const }),
          serve: (exchange) => serveJson(operation, exchange, http, { ...options, ...context, callerOf }),
        })
    },
  }
}

/** An operation of a profile or a purchase stands here without it: the session says which. */
function elementPath({ path }: Operation): Operation['path'] {
  return path
    .replace('/v1/profiles/{profile_id}/', '/elements/v1/')
    .replace('/v1/purchase_intents/{purchase_intent_id}', '/elements/v1/purchase_intent') as Operation['path'] // begins with a slash as before
}

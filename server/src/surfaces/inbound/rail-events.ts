import { Problem } from '../../contract/problem.ts'
import type { Exchange } from '../http/exchange.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { readSigned, type SignedMessage } from './signed-message.ts'

/**
 * What became of a message. `foreign`: it is about money of somebody else at the same account. `passed_over`: nothing here follows it.
 * `unsigned`: it does not come from whom it says. `unknown_account`: it is about an account that is not the operator's. `too_early`: it is
 * to come again.
 */
type MessageOutcome = 'taken' | 'foreign' | 'passed_over' | 'unsigned' | 'unknown_account' | 'too_early'

export type RailEvents = {
  /** With `{account}` in it. */
  readonly path: string
  /** The header that has the signature. */
  readonly signedBy: string
  take(account: string, message: SignedMessage): Promise<MessageOutcome>
}

/** Where a payment rail tells of what has happened there. Null: none does. */
export function railEventsSurface(given: RailEvents | null): Surface {
  return {
    name: 'rail_events',
    mount: (http, context) => {
      if (given !== null) mount(http, context, given)
    },
  }
}

/** Any other answer than 200 has it sent again. */
const statuses: Readonly<Record<MessageOutcome, number>> = {
  taken: 200,
  foreign: 200,
  passed_over: 200,
  unsigned: 400,
  unknown_account: 404,
  too_early: 503,
}

function mount(http: Http, { onRequest }: SurfaceContext, given: RailEvents): void {
  const { path, signedBy } = given

  async function serve(exchange: Exchange): Promise<void> {
    const message = await readSigned(http, exchange, signedBy)
    const outcome = await given.take(exchange.path.account ?? '', message)
    if (outcome === 'unknown_account') throw new Problem('not_found')
    const status = statuses[outcome]
    const code = outcome === 'taken' ? null : outcome === 'unsigned' ? 'signature_invalid' : outcome
    onRequest(plainLineOf(exchange, { route: path, status, code }))
    const said = status === 200 ? { received: true } : { error: { code } }
    http.edge.write(exchange, { status, headers: {}, body: JSON.stringify(said) })
  }

  http.route({
    methods: ['POST'],
    path,
    serve: (exchange) => serve(exchange).catch((error: unknown) => http.edge.refuse(exchange, error)),
  })
}

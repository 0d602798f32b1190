import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { isDatabaseAway, isOutOfTime } from '../../platform/database/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { plainLineOf } from '../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import { readSigned, type SignedMessage } from './signed-message.ts'

/** What is answered to who asks about a charge; `unsigned`: it does not come from whom it says. */
export type ChargeAnswer =
  | { readonly approved: boolean; readonly metadata: Readonly<Record<string, string>> }
  | 'unsigned'

export type CardAuthorizations = {
  readonly path: string
  /** The header that has the signature. */
  readonly signedBy: string
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** `isLate`: no was said meanwhile, and nothing of a yes may stay. It is asked before a yes is written, which is then waited for. */
  answer(message: SignedMessage, isLate: () => boolean): Promise<ChargeAnswer>
}

/** Who has issued a card waits for two seconds, and a merchant's buyer with it: nothing that is late can be yes. */
const answerWithinMs = 1_500

/** What is being written by then is waited for a moment longer, so that what is said is what stands. */
const writtenAfterMs = 250

/** Where the issuer of a card asks whether a merchant may charge it. Null: nobody asks here. */
export function cardAuthorizationsSurface(given: CardAuthorizations | null): Surface {
  return {
    name: 'card_authorizations',
    mount: (http, context) => {
      if (given !== null) mount(http, context, given)
    },
  }
}

function mount(http: Http, { onRequest, onBug }: SurfaceContext, given: CardAuthorizations): void {
  const { path, signedBy, headers } = given

  async function serve(exchange: Exchange): Promise<void> {
    const message = await readSigned(http, exchange, signedBy)
    const answer = await inTime((isLate) => given.answer(message, isLate), onBug)
    const status = answer === 'unsigned' ? 400 : 200
    onRequest(plainLineOf(exchange, { route: path, status, code: codeOf(answer) }))
    const said = answer === 'unsigned' ? { error: { code: 'signature_invalid' } } : answer
    http.edge.write(exchange, { status, headers, body: JSON.stringify(said) })
  }

  http.route({
    methods: ['POST'],
    path,
    serve: (exchange) => serve(exchange).catch((error: unknown) => http.edge.refuse(exchange, error)),
  })
}

/** Whatever fails, and whatever takes too long, is no. */
async function inTime(
  ask: (isLate: () => boolean) => Promise<ChargeAnswer>,
  onBug: (error: unknown) => void,
): Promise<ChargeAnswer> {
  let isOver = false
  let isWritten = false
  const isLate = () => {
    isWritten ||= !isOver
    return isOver
  }
  const asked = ask(isLate).catch((error: unknown): ChargeAnswer => {
    // After its time it ends in any way, and was answered.
    if (!isOver && !isMomentary(error)) onBug(error)
    return declined('unavailable')
  })
  const timer = new AbortController()
  const { signal } = timer
  const late = wait(answerWithinMs, declined('out_of_time'), { signal }).then((no) => {
    isOver = true
    return isWritten ? wait(writtenAfterMs, no, { signal }) : no
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    timer.abort()
  }
}

/** There was no time or place. */
function isMomentary(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'busy' || error.code === 'unavailable'
  return isDatabaseAway(error) || isOutOfTime(error)
}

function declined(reason: string): ChargeAnswer {
  return { approved: false, metadata: { reason } }
}

function codeOf(answer: ChargeAnswer): string | null {
  if (answer === 'unsigned') return 'signature_invalid'
  return answer.approved ? null : (answer.metadata.reason ?? null)
}

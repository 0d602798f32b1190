import type { Release } from '../../protocols/ucp/releases.ts'
import { type ProtocolErrorCode, protocolErrors } from '../../protocols/ucp/ucp-errors.ts'

/** Why a caller is not served. The transports word it. */
export type TurnedAway =
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly content: string
      readonly status: number
      /** Its code over MCP. */
      readonly rpc: number
      readonly retryAfterSeconds?: number
    }
  /** Nothing is wrong with the request, so it is answered: the two have not in common what it needs. */
  | { readonly kind: 'incompatible'; readonly release: Release; readonly capability: string }

export function turnAway(code: ProtocolErrorCode, content: string): TurnedAway {
  return { kind: 'refused', code, content, ...protocolErrors[code] }
}

/** Too much is asked at once to look at the profile of the caller. */
export function comeBack(retryAfterSeconds: number): TurnedAway {
  return notNow('Your profile cannot be fetched right now.', retryAfterSeconds)
}

/** Nothing is wrong with the request, and it is welcome later. */
export function notNow(why: string, retryAfterSeconds: number): TurnedAway {
  const content = `${why} Try again in ${retryAfterSeconds} seconds.`
  return { kind: 'refused', code: 'unavailable', content, status: 503, rpc: -32000, retryAfterSeconds }
}

import type { WalletTokensAtHand } from '../../domain/buyers/wallets/port.ts'
import type { Call, NotNow } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, isRecord, type PeerAnswer, turnedAwayBy } from '../../platform/egress/peer-json.ts'

type Request = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/** Its person has ended what they had let us do: this wallet answers nothing any more. */
type SignedOut = { readonly kind: 'signed_out' }

export type LinkApi = {
  readonly base: string
  /** Who asks; null: nobody is signed in, or it cannot be said at the moment. */
  headersOf(wallet: string, call: Call): Promise<{ readonly authorization: string } | null>
  send(wallet: string, request: Request, call: Call): Promise<PeerAnswer | NotNow | SignedOut>
}

export function openLinkApi({
  url,
  egress,
  wallets,
}: {
  url: string
  egress: Egress
  wallets: WalletTokensAtHand
}): LinkApi {
  const base = url.replace(/\/+$/, '')
  const sendAs = (token: string, { path, ...request }: Request, { mode, timeoutMs }: Call) =>
    callPeer(egress, { ...request, url: base + path, headers: headersFor(token), mode, timeoutMs })
  return {
    base,
    async headersOf(wallet, call) {
      const said = await wallets.tokenOf(wallet, call)
      return said.kind === 'token' ? headersFor(said.token) : null
    },
    async send(wallet, request, call) {
      const first = await wallets.tokenOf(wallet, call)
      if (first.kind !== 'token') return withoutToken(first.kind)
      const said = await sendAs(first.token, request, call)
      if (said.kind !== 'answer' || said.status !== 401) return said
      const renewed = await wallets.tokenOf(wallet, call, first.token)
      if (renewed.kind !== 'token') return withoutToken(renewed.kind)
      return renewed.token === first.token ? said : await sendAs(renewed.token, request, call)
    },
  }
}

function headersFor(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** It is about this wallet alone, and says nothing about Link. */
function withoutToken(kind: 'away' | 'ended'): NotNow | SignedOut {
  return kind === 'ended'
    ? { kind: 'signed_out' }
    : { kind: 'not_now', reason: 'no_object', retryAfterSeconds: 1 }
}

type Answered = Extract<PeerAnswer, { kind: 'answer' }>

/** Why Link did nothing for now; null: its answer says something else. */
export function notNowOf({ status, retryAfterSeconds }: Answered): NotNow | null {
  const reason = turnedAwayBy(status)
  return reason && { kind: 'not_now', reason, retryAfterSeconds }
}

/** The part of an answer that says what is wrong. */
export function errorOf({ body }: Answered): Readonly<Record<string, unknown>> {
  return isRecord(body.error) ? body.error : {}
}

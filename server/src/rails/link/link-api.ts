import type { Call, NotNow } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, isRecord, type PeerAnswer, turnedAwayBy } from '../../platform/egress/peer-json.ts'

/** Whoever keeps the sign-ins of people: an access token of the wallet, renewed if it has to be; null: its person has signed out. */
export type LinkWallets = { tokenOf(wallet: string, call: Call): Promise<string | null> }

type Request = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly key?: string
}

export type LinkApi = {
  readonly base: string
  /** Null: nobody is signed in to the wallet. */
  headersOf(wallet: string, call: Call): Promise<{ readonly authorization: string } | null>
  send(wallet: string, request: Request, call: Call): Promise<PeerAnswer | NotNow>
}

export function openLinkApi({
  url,
  egress,
  wallets,
}: {
  url: string
  egress: Egress
  wallets: LinkWallets
}): LinkApi {
  const base = url.replace(/\/+$/, '')
  async function headersOf(wallet: string, call: Call) {
    const token = await wallets.tokenOf(wallet, call)
    return token === null ? null : { authorization: `Bearer ${token}` }
  }
  return {
    base,
    headersOf,
    async send(wallet, { path, ...request }, call) {
      const headers = await headersOf(wallet, call)
      if (headers === null) return signedOut
      return await callPeer(egress, {
        ...request,
        url: base + path,
        headers,
        mode: call.mode,
        timeoutMs: call.timeoutMs,
      })
    },
  }
}

const signedOut: NotNow = { kind: 'not_now', reason: 'credentials', retryAfterSeconds: null }

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

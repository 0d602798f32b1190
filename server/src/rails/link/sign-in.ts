import type { Mode } from '../../contract/context.ts'
import type { WalletKeeper, WalletTokens } from '../../domain/buyers/wallets/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, isRecord, type PeerAnswer } from '../../platform/egress/peer-json.ts'

/**
 * Where Link is reached. `loginUrl`: where people sign in, by OAuth for programs without a browser (RFC 8628). `clientId`: as whom we are
 * known there.
 */
export type LinkAccount = { readonly url: string; readonly loginUrl: string; readonly clientId: string }

const scope = 'userinfo:read payment_methods.agentic'
const away = { kind: 'away' } as const

type Asked = { readonly mode: Mode; readonly timeoutMs: number }

/** Link as the keeper of wallets. Its tokens are asked for by forms, and never in an address. */
export function createWalletKeeper({
  egress,
  url,
  loginUrl,
  clientId: client_id,
}: LinkAccount & { readonly egress: Egress }): WalletKeeper {
  const login = (path: string, form: Record<string, string>, asked: Asked) =>
    callPeer(egress, {
      method: 'POST',
      url: `${loginUrl.replace(/\/+$/, '')}${path}`,
      form: { client_id, ...form },
      ...asked,
    })
  return {
    rail: 'link',
    modes: ['live'],
    async begin(asked) {
      const name = 'Prokura'
      const said = await login('/device/code', { scope, connection_label: name, client_hint: name }, asked)
      return begunIn(said) ?? away
    },
    async finish(device_code, asked) {
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const said = await login('/device/token', { grant_type, device_code }, asked)
      const tokens = tokensIn(said)
      if (tokens !== null) return { kind: 'signed_in', tokens }
      const why = errorIn(said)
      if (why === 'authorization_pending' || why === 'slow_down') return { kind: 'open' }
      return why === null ? away : { kind: 'over' }
    },
    async methodOf(access, asked) {
      const headers = { authorization: `Bearer ${access}` }
      const at = `${url.replace(/\/+$/, '')}/payment-details`
      const said = await callPeer(egress, { method: 'GET', url: at, headers, ...asked })
      if (said.kind !== 'answer' || said.status !== 200) return away
      const { payment_details: listed } = said.body
      if (!Array.isArray(listed)) return away
      const known = listed.filter(isRecord)
      const { id } = known.find(({ is_default }) => is_default === true) ?? known[0] ?? {}
      return { kind: 'read', method: typeof id === 'string' ? id : null }
    },
    async renew(refresh_token, asked) {
      const said = await login('/device/token', { grant_type: 'refresh_token', refresh_token }, asked)
      const tokens = tokensIn(said)
      if (tokens !== null) return { kind: 'renewed', tokens }
      // guard signed-out-by-a-word: a gateway that refuses does not end the sign-in of a person
      return errorIn(said) === 'invalid_grant' ? { kind: 'ended' } : away
    },
    async signOut(token, asked) {
      const said = await login('/device/revoke', { token }, asked)
      // What is unknown there is good for nothing any more.
      const isOver = said.kind === 'answer' && (said.status < 300 || errorIn(said) !== null)
      return isOver ? { kind: 'gone' } : away
    },
  }
}

/** How OAuth names what is wrong; null: that is not what the answer says. */
function errorIn(said: PeerAnswer): string | null {
  if (said.kind !== 'answer' || said.status !== 400) return null
  return typeof said.body.error === 'string' ? said.body.error : null
}

function begunIn(said: PeerAnswer) {
  if (said.kind !== 'answer' || said.status >= 300) return null
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in } = said.body
  const url = verification_uri_complete ?? verification_uri
  if (typeof device_code !== 'string' || typeof user_code !== 'string' || typeof url !== 'string') return null
  if (!isShown(url)) return null
  return {
    kind: 'begun',
    device: device_code,
    url,
    code: user_code,
    seconds: secondsIn(expires_in, 600),
  } as const
}

function tokensIn(said: PeerAnswer): WalletTokens | null {
  if (said.kind !== 'answer' || said.status >= 300) return null
  const { access_token: access, refresh_token: refresh, expires_in } = said.body
  if (typeof access !== 'string' || typeof refresh !== 'string') return null
  return { access, refresh, seconds: secondsIn(expires_in, 3_600) }
}

function secondsIn(said: unknown, otherwise: number): number {
  return typeof said === 'number' && said > 0 && said <= 31_536_000 ? said : otherwise
}

/** A page that somebody on the way could change asks nobody to sign in, and nobody for money. The simulator's is on this machine. */
export function isShown(page: string): boolean {
  const url = URL.parse(page)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === '127.0.0.1')
}

import { randomBytes } from 'node:crypto'
import { type Answer, type Call, json, type Route } from '../json-server.ts'
import { type Memory, nowOf } from './memory.ts'
import { page } from './pages.ts'

const signInMs = 600_000
const scope = 'payment_methods.agentic'

/** OAuth for programs without a browser (RFC 8628): a program gets a code, a person confirms it on a page, and the program gets tokens. */
export function signInRoutes(memory: Memory, urlOf: () => string): Route[] {
  return [
    { method: 'POST', path: '/device/code', handle: (call) => begin(memory, formOf(call), urlOf()) },
    { method: 'POST', path: '/device/token', handle: (call) => tokens(memory, formOf(call)) },
    { method: 'POST', path: '/device/revoke', handle: (call) => revoke(memory, formOf(call)) },
    {
      method: 'GET',
      path: '/device/:code',
      handle: ({ params }) =>
        page('Do you let this program spend from your wallet?', `/device/${params.code}`),
    },
    {
      method: 'POST',
      path: '/device/:code',
      handle(call) {
        const one = [...memory.signIns.values()].find(({ userCode }) => userCode === call.params.code)
        if (one?.state !== 'pending') return page('There is nothing to confirm.')
        one.state = formOf(call).get('answer') === 'yes' ? 'confirmed' : 'refused'
        return page('You can go back.')
      },
    },
  ]
}

function formOf(call: Call): URLSearchParams {
  return new URLSearchParams(call.raw.toString('utf8'))
}

function wrong(error: string): Answer {
  return json(400, { error })
}

function begin(memory: Memory, form: URLSearchParams, url: string): Answer {
  if (!form.get('client_id') || !form.get('scope')?.split(' ').includes(scope))
    return wrong('invalid_request')
  const [device_code, user_code] = [randomBytes(16).toString('hex'), randomBytes(4).toString('hex')]
  memory.signIns.set(device_code, {
    userCode: user_code,
    state: 'pending',
    untilMs: nowOf(memory) + signInMs,
  })
  return json(200, {
    device_code,
    user_code,
    verification_uri: `${url}/device`,
    verification_uri_complete: `${url}/device/${user_code}`,
    expires_in: signInMs / 1000,
    interval: 5,
  })
}

function tokens(memory: Memory, form: URLSearchParams): Answer {
  if (form.get('grant_type') === 'refresh_token') {
    const given = form.get('refresh_token') ?? ''
    const wallet = memory.refreshTokens.get(given)
    if (wallet === undefined) return wrong('invalid_grant')
    // It is good once: whoever exchanges it twice is signed out.
    memory.refreshTokens.delete(given)
    return issue(memory, wallet)
  }
  const device = form.get('device_code') ?? ''
  const signIn = memory.signIns.get(device)
  if (!signIn) return wrong('invalid_grant')
  if (signIn.state === 'refused') return wrong('access_denied')
  if (nowOf(memory) >= signIn.untilMs) return wrong('expired_token')
  if (signIn.state === 'pending') return wrong('authorization_pending')
  // A code is good once.
  memory.signIns.delete(device)
  return issue(memory, `wallet_${signIn.userCode}`)
}

/** All tokens of the wallet are over. */
function revoke(memory: Memory, form: URLSearchParams): Answer {
  const wallet = memory.refreshTokens.get(form.get('token') ?? '')
  if (wallet === undefined) return wrong('invalid_grant')
  signOut(memory, wallet)
  return json(200, {})
}

export function signOut({ tokens, refreshTokens }: Memory, wallet: string): void {
  for (const known of [tokens, refreshTokens])
    for (const [token, of] of known) if (of === wallet) known.delete(token)
}

function issue(memory: Memory, wallet: string): Answer {
  const [access_token, refresh_token] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  memory.tokens.set(access_token, wallet)
  memory.refreshTokens.set(refresh_token, wallet)
  return json(200, { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600, scope })
}

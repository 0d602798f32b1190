import { type ClientRelease, firstRelease, newestRelease } from './releases.ts'
import { writeUcpAgent } from './ucp-agent.ts'

/** Where and how a business is called. */
export type CheckoutEndpoint = {
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly transport: 'rest' | 'mcp'
  readonly release: ClientRelease
}

/** A call about a checkout. `key`: the same key and the same request have one effect. */
export type CheckoutCall =
  | { readonly operation: 'create'; readonly key: string; readonly body: object }
  | { readonly operation: 'get'; readonly id: string }
  | {
      readonly operation: 'update' | 'complete'
      readonly id: string
      readonly key: string
      readonly body: object
    }
  | { readonly operation: 'cancel'; readonly id: string; readonly key: string }

type Caller = {
  /** The address of our own service, where our profile is. */
  readonly publicUrl: string
  readonly requestId: string
}

type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const methods = { create: 'POST', get: 'GET', update: 'PUT', complete: 'POST', cancel: 'POST' } as const

/** The call as a request, over REST or as a call of a tool. The same call is the same bytes. */
export function checkoutRequest(to: CheckoutEndpoint, call: CheckoutCall, caller: Caller): HttpCall {
  const profile = profileAddress(to.release, caller.publicUrl)
  const key = 'key' in call ? call.key : null
  const body = 'body' in call ? call.body : null
  const headers = {
    'ucp-agent': agentOf(profile, to.release),
    'request-id': caller.requestId,
    ...(key === null ? {} : { 'idempotency-key': key }),
  }
  if (to.transport === 'rest') {
    const method = methods[call.operation]
    return {
      method,
      url: to.endpoint + pathOf(call),
      headers: {
        ...headers,
        accept: 'application/json',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      body: method === 'GET' ? null : JSON.stringify(body ?? {}),
    }
  }
  const meta = { 'ucp-agent': { profile }, ...(key === null ? {} : { 'idempotency-key': key }) }
  const args = {
    meta,
    ...('id' in call ? { id: call.id } : {}),
    ...(body === null ? {} : { checkout: body }),
  }
  return {
    method: 'POST',
    url: to.endpoint,
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `${call.operation}_checkout`, arguments: args },
    }),
  }
}

/** Our profile of the release that the other side speaks: the newest one stands at the well-known place itself. */
function profileAddress(release: ClientRelease, publicUrl: string): string {
  const newest = `${publicUrl}/.well-known/ucp`
  if (release === newestRelease) return newest
  // We have no profile of the first release, whose businesses only ask who calls.
  return `${newest}/${release === firstRelease ? '2026-01-23' : release}`
}

function agentOf(profile: string, release: ClientRelease): string {
  const agent = writeUcpAgent(profile)
  return release === firstRelease ? `${agent};version="${release}"` : agent
}

function pathOf(call: CheckoutCall): string {
  if (!('id' in call)) return '/checkout-sessions'
  const path = `/checkout-sessions/${encodeURIComponent(call.id)}`
  return call.operation === 'complete' || call.operation === 'cancel' ? `${path}/${call.operation}` : path
}

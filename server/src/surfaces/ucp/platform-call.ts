import { createHash } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import type { Call } from '../../platform/calls/dispatch.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import type { UcpCall } from '../../protocols/ucp/ucp-call.ts'
import type { Business } from '../http/businesses.ts'
import type { AdmittedPlatform } from './admit-platform.ts'

type Received = Pick<
  Call,
  'path' | 'query' | 'body' | 'bodyError' | 'rawBody' | 'coerce' | 'address' | 'signal'
> & {
  requestId: Id<'req'>
  /** As the caller sent it. */
  idempotencyKey: string | undefined
  /** The address of the business. */
  business: string
  /** The token of a search of ours, which the caller gives back. */
  attribution: string | undefined
}

/** A platform acts in the account and mode of the business that it buys from, and is known there by its profile. */
export function principalOf({ accountId, mode }: Business, { profileUrl }: AdmittedPlatform): Principal {
  const principal: Principal = {
    kind: 'platform',
    tenant: { accountId, mode },
    actor: { type: 'platform', id: profileUrl },
    keyId: null,
    profileId: null,
    scopes: new Set(),
    renew: () => principal,
  }
  return principal
}

/** The call of an operation, with what was negotiated: handlers declare `ucp_call` among their headers. */
export function callOf(admitted: AdmittedPlatform, received: Received): Call {
  const { idempotencyKey, attribution, business, ...call } = received
  const { profile, profileUrl, release, negotiated, isSigned } = admitted
  const negotiatedCall: UcpCall = {
    release,
    business,
    capabilities: [...negotiated.keys()],
    profile: profileUrl,
    is_signed: isSigned,
    webhook_url: profile.orderWebhookUrl,
    handlers: [...profile.handlers],
  }
  return {
    ...call,
    headers: {
      // Nothing else that the caller sends as a header is an argument.
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': ownKey(profileUrl, idempotencyKey) }),
      ...(attribution === undefined ? {} : { 'service-attribution-id': attribution }),
      'ucp-call': negotiatedCall,
    },
    acceptsStream: false,
    accepts: null,
  }
}

/** Two platforms may choose the same key. */
function ownKey(profileUrl: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([profileUrl, key]))
    .digest('base64url')
}

import type {
  Call,
  PaymentCard,
  RailAuthorize,
  RailCapture,
  RailCharge,
  RailCredential,
} from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, type PeerAnswer } from '../../platform/egress/peer-json.ts'

/** A call that changes something: it is the same whenever it is made again. */
export type Change = { readonly path: string; readonly key: string; readonly body: object }

export type Processor = {
  post(change: Change, call: Call): Promise<PeerAnswer>
  get(path: string, call: Call): Promise<PeerAnswer>
}

export function openProcessor({ url, egress }: { url: string; egress: Egress }): Processor {
  const base = url.replace(/\/+$/, '')
  return {
    post: ({ path, key, body }, call) =>
      callPeer(egress, { method: 'POST', url: base + path, body, key, ...call }),
    get: (path, call) => callPeer(egress, { method: 'GET', url: base + path, ...call }),
  }
}

export function authorizeCall({ key, card, amount, currency, merchant, reference }: RailAuthorize): Change {
  const body = { card: cardOf(card), amount: Number(amount), currency, merchant, reference }
  return { path: '/v1/authorizations', key, body }
}

export function issueCall(input: RailCredential): Change {
  const { key, card, limit, currency, merchant, expiresAt, reference } = input
  const terms = { limit: Number(limit), currency, merchant, expires_at: expiresAt.toISOString(), reference }
  const path = input.vaultOf === undefined ? '/v1/credentials' : '/v1/virtual_cards'
  return { path, key, body: { card: cardOf(card), ...terms } }
}

export function chargeCall({ key, credential, amount, currency, merchant, reference }: RailCharge): Change {
  const body = { amount: Number(amount), currency, merchant, reference }
  return { path: `${pathOf('credential', credential)}/authorizations`, key, body }
}

export function captureCall({ key, reference, amount }: RailCapture): Change {
  return { path: `${pathOf('authorization', reference)}/captures`, key, body: { amount: Number(amount) } }
}

export function refundCall({ key, reference, amount }: RailCapture): Change {
  const path = `/v1/captures/${encodeURIComponent(reference)}/refunds`
  return { path, key, body: { amount: Number(amount) } }
}

type HoldKind = 'authorization' | 'credential'

export function releaseCall(kind: HoldKind, { key, reference }: { key: string; reference: string }): Change {
  const verb = kind === 'authorization' ? 'void' : 'revoke'
  return { path: `${pathOf(kind, reference)}/${verb}`, key, body: {} }
}

export function pathOf(kind: HoldKind, reference: string): string {
  return `/v1/${objectsOf(kind, reference)}/${encodeURIComponent(reference)}`
}

function objectsOf(kind: HoldKind, reference: string): string {
  if (kind === 'authorization') return 'authorizations'
  // The processor begins the ids of cards like this.
  return reference.startsWith('vcard_') ? 'virtual_cards' : 'credentials'
}

/** The sandbox knows only test cards, and a token of the vault must not reach a process outside. */
function cardOf(card: PaymentCard): { test_card: string } {
  return { test_card: card.testCard ?? 'unknown' }
}

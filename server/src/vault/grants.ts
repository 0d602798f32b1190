import { randomBytes } from 'node:crypto'
import { isDatabaseAway } from '../platform/database/errors.ts'
import type { Pools } from '../platform/database/pool.ts'
import type { Egress } from '../platform/egress/egress.ts'
import type { Faults } from '../platform/faults/faults.ts'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { Granted, GrantRequest, Redeemed, RedeemRequest } from '../platform/vault-client/vault-words.ts'
import { type CardRecords, hashOfGrant } from './card-records.ts'
import type { CardSecrets } from './check-card.ts'
import { codeOf } from './code-of-card.ts'
import type { SecurityCodes } from './security-codes.ts'
import { redeemGrant, refuseGrant, selectGrantState, selectRedeemable, upsertGrant } from './vault.sql.ts'
import type { VaultRails } from './vault-rails.ts'

type GrantDeps = {
  readonly pools: Pools
  readonly records: CardRecords
  readonly codes: SecurityCodes
  readonly rails: VaultRails
  readonly egress: Egress
  readonly faults: Faults
}

const grantSeconds = 5 * 60
/** Wrong carts, attempts and origins that a grant survives: a mistake does not end a purchase, and nobody tries many. */
const refusalsMax = 3

/** Permission to type a number once, for one cart, attempt and origin. */
export async function grantCard({ pools }: GrantDeps, request: GrantRequest): Promise<Granted> {
  const { tenant, record: id, cart, attempt, origin, leaseToken: lease_token } = request
  const place = { account_id: tenant.accountId, mode: tenant.mode, id }
  const grant = newToken('vgr_', randomBytes)
  const bound = { cart, attempt, origin, lease_token }
  const { rows } = await pools.single(
    upsertGrant({ ...place, ...bound, hash: hashOfGrant(grant), seconds: grantSeconds }),
  )
  if (rows.length > 0) return { kind: 'granted', grant }
  const [state] = await pools.read(selectGrantState(place))
  if (!state) return { kind: 'refused', reason: 'no_record' }
  return { kind: 'refused', reason: state.is_redeemed ? 'redeemed' : 'stale' }
}

/**
 * Opens the card of a grant, once. The redemption is committed before the answer leaves: an answer that is lost after it is not repeated,
 * whoever asks. Whatever is wrong with the request, the refusal is the same.
 */
export async function redeemCard(
  deps: GrantDeps,
  { grant, cart, attempt, origin }: RedeemRequest,
): Promise<Exclude<Redeemed, { kind: 'lost' }>> {
  const { pools, codes, faults } = deps
  const asked = { hash: hashOfGrant(grant), cart, attempt, origin, refusals_max: refusalsMax }
  // Before the redemption: what cannot be had now costs no grant.
  const found = await cardFor(deps, asked)
  if (found === 'unavailable') return { kind: found }
  await faults.at('redeem.before')
  if (found === null || (await pools.single(redeemGrant(asked))).rows.length === 0) {
    await pools.single(refuseGrant({ hash: asked.hash }))
    return { kind: 'refused' }
  }
  await faults.at('redeem.after')
  codes.forget(found.place)
  return { kind: 'card', card: found.card }
}

type Found = {
  readonly place: { readonly accountId: string; readonly mode: string; readonly id: string }
  readonly card: CardSecrets & { readonly securityCode: string | null }
}

async function cardFor(
  deps: GrantDeps,
  asked: Parameters<typeof selectRedeemable>[0],
): Promise<Found | 'unavailable' | null> {
  try {
    const [row] = await deps.pools.read(selectRedeemable(asked))
    if (!row) return null
    const secrets = await deps.records.secretsOf(row)
    const securityCode = row.has_code ? await codeOf(deps, row, secrets) : null
    if (row.has_code && securityCode === null) return 'unavailable'
    const { account_id: accountId, mode, id } = row
    return { place: { accountId, mode, id }, card: { ...secrets, securityCode } }
  } catch (error) {
    if (isDatabaseAway(error)) return 'unavailable'
    throw error
  }
}

import { createHash } from 'node:crypto'
import type { Sealer, Tenant } from '../../../contract/context.ts'
import type { Statement } from '../../../contract/statement.ts'
import type { Id, IdPrefix } from '../../../core/id.ts'
import { insertEvidence } from './evidence.sql.ts'
import { type PageEvidence, pictureBytesMax, picturesPerAttempt } from './port.ts'
import { sealPicture } from './seal-picture.ts'

type EvidenceDeps = {
  single<Row>(statement: Statement<Row>): Promise<Row[]>
  readonly sealer: Sealer
  newId<P extends IdPrefix>(prefix: P): Id<P>
}

/** Which purchase it is evidence of, and by which lease its cart is held. */
type EvidenceOf = {
  readonly intentId: Id<'pi'>
  readonly cartId: Id<'cart'>
  readonly attempt: number
  readonly leaseToken: bigint
}

/**
 * Keeps a picture while a cart is being bought, by one statement that is no part of any transaction of the cart. The statement compares
 * the token of the lease: `not_held`, the cart is somebody else's by now, or its profile was archived. `dropped`: the picture is too
 * large, no picture, or one too many.
 */
export async function recordEvidence(
  { single, sealer, newId }: EvidenceDeps,
  tenant: Tenant,
  of: EvidenceOf,
  evidence: PageEvidence,
): Promise<'kept' | 'dropped' | 'not_held'> {
  const { picture } = evidence
  if (picture.length > pictureBytesMax || !isPng(picture)) return 'dropped'
  const id = newId('evd')
  const [answer] = await single(
    insertEvidence({
      account_id: tenant.accountId,
      mode: tenant.mode,
      id,
      intent_id: of.intentId,
      cart_id: of.cartId,
      attempt: of.attempt,
      stage: evidence.stage,
      taken_at: evidence.at,
      url_host: hostOf(evidence.urlHost) ?? '',
      bytes: picture.length,
      sha256: createHash('sha256').update(picture).digest(),
      total_text: totalOf(evidence.totalText),
      hosts: hostsOf(evidence.hosts),
      sealed: sealPicture(sealer, picture, id),
      lease_token: of.leaseToken,
      most: picturesPerAttempt,
    }),
  )
  if (!answer?.is_held) return 'not_held'
  return answer.is_kept ? 'kept' : 'dropped'
}

const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function isPng(picture: Uint8Array): boolean {
  return pngHead.equals(picture.subarray(0, pngHead.length))
}

const hostsMax = 200

/** Only what has the form of a host: a page chooses the names. */
function hostsOf(hosts: readonly string[]): string[] {
  const named = hosts.flatMap((host) => hostOf(host) ?? [])
  return [...new Set(named)].slice(0, hostsMax)
}

function hostOf(host: string): string | null {
  const text = host.toLowerCase()
  return text.length <= 253 && /^[a-z0-9.\-_]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/.test(text)
    ? text
    : null
}

const totalLengthMax = 64

/** A total as the page writes it. What is long, or has a long number, is none. */
function totalOf(written: string | null): string | null {
  // PostgreSQL stores no null character.
  const text = written?.replaceAll('\0', '').trim() ?? ''
  if (text === '' || text.length > totalLengthMax) return null
  return text.replaceAll(/\D/g, '').length < 12 ? text : null
}

import type { ActingContext, Sealer } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { newToken, tokenPrefix } from '../../../platform/secrets/keyed-hash.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import { insertSecret } from './destinations.sql.ts'

export const sealedAs = 'destination.secret'

/** How long the secret before a rotation goes on signing. */
export const overlapHours = 24

/** A secret as stored: opened only to sign and to verify. */
type SealedSecret = { destinationId: string; position: number; sealed: Buffer }

/** Queues a new secret of a destination. What it reads is answered this once. */
export function issueSecret(
  ctx: ActingContext,
  destinationId: Id<'dest'>,
  position: number,
): { secret: string; prefix: string } {
  const secret = newToken('whsec_', ctx.random)
  const prefix = tokenPrefix(secret)
  ctx.tx.write(
    insertSecret({
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      destination_id: destinationId,
      position,
      sealed: ctx.sealer.seal(secret, sealedAs, `${destinationId}/${position}`),
      prefix,
      now: ctx.now,
    }),
  )
  return { secret, prefix }
}

/** A destination's secrets as they sign: `1:5f0a… 2:77c1…`, each position with its sealed bytes in hexadecimal. */
export type SigningSecrets = { destination_id: string; secrets: string }

const keptMs = 60_000
const keptMax = 1_000

/**
 * Opens the secrets that sign, and keeps them for a minute at most: opening costs more than signing. They are known by their sealed
 * bytes, so a rotation takes effect at once.
 */
export function createSecretOpener(): (sealer: Sealer, signing: SigningSecrets) => readonly Secret[] {
  let kept = new Map<string, readonly Secret[]>()
  let since = performance.now()
  return (sealer, { destination_id, secrets }) => {
    if (kept.size >= keptMax || performance.now() - since > keptMs) {
      kept = new Map()
      since = performance.now()
    }
    const key = `${destination_id} ${secrets}`
    const opened = kept.get(key) ?? secrets.split(' ').map((one) => openOne(sealer, destination_id, one))
    kept.set(key, opened)
    return opened
  }
}

function openOne(sealer: Sealer, destinationId: string, written: string): Secret {
  const [position = '', sealed = ''] = written.split(':')
  return openSecret(sealer, { destinationId, position: Number(position), sealed: Buffer.from(sealed, 'hex') })
}

function openSecret(sealer: Sealer, { destinationId, position, sealed }: SealedSecret): Secret {
  return new Secret(sealer.open(sealed, sealedAs, `${destinationId}/${position}`))
}

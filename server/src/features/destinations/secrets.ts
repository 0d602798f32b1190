import type { ActingContext, Sealer } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { newToken, tokenPrefix } from '../../platform/secrets/keyed-hash.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { insertSecret } from './destinations.sql.ts'

const sealedAs = 'destination.secret'

/** How long the secret before a rotation goes on signing. */
export const overlapHours = 24

/** A secret as stored: opened only to sign and to verify. */
export type SealedSecret = { destinationId: string; position: number; sealed: Buffer }

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

export function openSecret(sealer: Sealer, { destinationId, position, sealed }: SealedSecret): Secret {
  return new Secret(sealer.open(sealed, sealedAs, `${destinationId}/${position}`))
}

import type { ActingContext, Sealer } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { newToken, tokenPrefix } from '../../../platform/secrets/keyed-hash.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import type { ClaimedDelivery, ClaimedDestination } from './delivery-work.sql.ts'
import { insertSecret } from './destinations.sql.ts'

export const sealedAs = 'destination.secret'

/** How many hours the secret before a rotation still signs. */
export const overlapHours = 24

/** A secret as stored: opened only to sign and to verify. */
type SealedSecret = { destinationId: string; position: number; sealed: Buffer }

/** Queues a new secret of a destination. It is returned readable only here. */
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
type SigningSecrets = { destination_id: string; secrets: string }

/**
 * Opens the secrets that sign. They are looked up by their sealed bytes, so a rotation takes effect at once.
 */
export function createSecretOpener(): (sealer: Sealer, signing: SigningSecrets) => readonly Secret[] {
  const kept = keepForAMinute<readonly Secret[]>()
  return (sealer, signing) =>
    kept(`${signing.destination_id} ${signing.secrets}`, () => openAll(sealer, signing))
}

/** A destination as a claim has told it, with its open secrets. */
type KnownDestination = { facts: ClaimedDestination; secrets: readonly Secret[] }

/** Reads the destinations of claimed deliveries. They are looked up by all that is told of them, so a change takes effect at once. */
export function readDestinations(): (
  sealer: Sealer,
  delivery: Pick<ClaimedDelivery, 'destination_id' | 'destination'>,
) => KnownDestination {
  const kept = keepForAMinute<KnownDestination>()
  return (sealer, { destination_id, destination }) =>
    kept(destination, () => {
      const facts = JSON.parse(destination) as ClaimedDestination // as the claim makes it
      return { facts, secrets: openAll(sealer, { destination_id, secrets: facts.secrets }) }
    })
}

const keptMs = 60_000
const keptMax = 1_000

/** Keeps what was made for a key for at most a minute: opening a secret costs more than signing with it. */
function keepForAMinute<T>(): (key: string, make: () => T) => T {
  let kept = new Map<string, T>()
  let since = performance.now()
  return (key, make) => {
    if (kept.size >= keptMax || performance.now() - since > keptMs) {
      kept = new Map()
      since = performance.now()
    }
    const found = kept.get(key)
    if (found !== undefined) return found
    const made = make()
    kept.set(key, made)
    return made
  }
}

function openAll(sealer: Sealer, { destination_id, secrets }: SigningSecrets): readonly Secret[] {
  return secrets.split(' ').map((one) => openOne(sealer, destination_id, one))
}

function openOne(sealer: Sealer, destinationId: string, written: string): Secret {
  const [position = '', sealed = ''] = written.split(':')
  return openSecret(sealer, { destinationId, position: Number(position), sealed: Buffer.from(sealed, 'hex') })
}

function openSecret(sealer: Sealer, { destinationId, position, sealed }: SealedSecret): Secret {
  return new Secret(sealer.open(sealed, sealedAs, `${destinationId}/${position}`))
}

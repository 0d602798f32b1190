import { createHash } from 'node:crypto'
import type { CallContext } from '../../../contract/context.ts'
import type { WantedDelivery } from '../checkouts/public.ts'
import { type KnownAddress, selectAddresses, writeAddress } from './addresses.sql.ts'

type Wanted = WantedDelivery['destinations'][number]

/** A buyer has no more than a checkout can show. */
const addressesMax = 20

/**
 * The destinations of a checkout whose buyer is known by e-mail: with none, those that the merchant remembers; a new one is remembered
 * under an id, and one that is remembered has its id.
 */
export async function withKnownAddresses(
  ctx: CallContext,
  email: string | null,
  sent: readonly Wanted[],
): Promise<readonly Wanted[]> {
  if (!email) return sent
  const { accountId: account_id, mode } = ctx.tenant
  const key = { account_id, mode, email: email.toLowerCase() }
  const known = await ctx.reads.rows(selectAddresses({ ...key, limit: addressesMax }))
  if (sent.length === 0) return known.map(({ id, address }) => ({ ...address, id }))
  return sent.map((one) => {
    if (one.id !== null) return one
    const found = known.find(({ address }) => isSamePlace(address, one))
    if (found) return { ...one, id: found.id }
    const { id: _, ...address } = one
    const id = idOf(key.email, address)
    if (known.length < addressesMax)
      ctx.tx.write(
        writeAddress({ ...key, id, address: JSON.stringify(address), is_seeded: false, now: ctx.now }),
      )
    return { ...one, id }
  })
}

const parts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const

function isSamePlace(one: Omit<Wanted, 'id'>, other: Omit<Wanted, 'id'>): boolean {
  return parts.every((part) => one[part] === other[part])
}

/** The same for the same place, so that a repeat adds nothing. */
function idOf(email: string, address: KnownAddress): string {
  const said = JSON.stringify([email, ...parts.map((part) => address[part])])
  return `addr_${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
}

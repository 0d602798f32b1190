import { createHash } from 'node:crypto'
import type { Tenant } from '../../src/contract/context.ts'
import { sealPicture } from '../../src/domain/buying/evidence/seal-picture.ts'
import type { TestApp } from './app.ts'
import { pngOf } from './pictures.ts'

/** A picture of a page of this purchase, with this text in it and beside it. Its cart has never been begun. */
export async function keptEvidence(
  { parts, sql }: Pick<TestApp, 'parts' | 'sql'>,
  tenant: Tenant,
  intentId: string,
  text: string,
): Promise<string> {
  const now = Date.now()
  const id = parts.newId('evd', now)
  const picture = pngOf(text)
  await sql(
    `insert into purchase_evidence (account_id, mode, id, intent_id, cart_id, profile_id, attempt, stage, taken_at, url_host, bytes,
       sha256, total_text, hosts, sealed, created_at)
     select account_id, mode, $3, id, $4, profile_id, 1, 'review', prokura_now(), 'shop.example', $5, $6, $7, '{shop.example}', $8,
       prokura_now()
     from purchase_intents where account_id = $1 and mode = $2 and id = $9`,
    [
      tenant.accountId,
      tenant.mode,
      id,
      parts.newId('cart', now),
      picture.length,
      createHash('sha256').update(picture).digest(),
      text,
      sealPicture(parts.sealer(tenant), picture, id),
      intentId,
    ],
  )
  return id
}

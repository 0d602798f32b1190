import { createHash } from 'node:crypto'
import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { writeResult } from './cart-results.sql.ts'
import { type ReceivedResult, resultBytesMax } from './port.ts'
import { sealResult } from './seal-result.ts'

/** Keeps what a merchant answered, in the transaction that says that the order was placed. A later attempt replaces it. */
export function keepResult(
  { tx, tenant, sealer, now }: Pick<ActingContext, 'tx' | 'tenant' | 'sealer' | 'now'>,
  of: { readonly intentId: Id<'pi'>; readonly cartId: Id<'cart'> },
  received: ReceivedResult,
): void {
  const { bytes, contentType } = received
  if (bytes.length > resultBytesMax) throw new Error('a result that is larger than a channel may answer')
  tx.write(
    writeResult({
      account_id: tenant.accountId,
      mode: tenant.mode,
      cart_id: of.cartId,
      intent_id: of.intentId,
      content_type: mediaTypeOf(contentType),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      sealed: sealResult(sealer, received, of.cartId),
      created_at: now,
    }),
  )
}

/** Only what has the form of a media type: it is said again in a header of ours. */
function mediaTypeOf(named: string | null): string | null {
  const text = named?.trim() ?? ''
  return text.length <= 255 && mediaType.test(text) ? text : null
}

const mediaType = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}(?: *; *[\x21-\x7e]{1,200})*$/

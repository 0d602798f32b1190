import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, IdOf, Named, Nullable } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'

/** For how many days a result can be read. */
const resultDays = 30
const dayMs = 86_400_000
/** Larger results are downloaded: what carries the object carries it whole, and a model reads it. */
const shownBytesMax = 65_536

export const CartResult = Named(
  'CartResult',
  Closed(
    {
      object: Type.Literal('cart_result', { description: 'The type of this object.' }),
      purchase_intent_id: IdOf('pi', 'The purchase intent.'),
      cart_id: IdOf('cart', 'The cart that it was bought with.'),
      content_type: Nullable(
        Type.String({ description: 'What the merchant calls its form; null if it does not say.' }),
      ),
      bytes: Type.Integer({ minimum: 0, description: 'How many bytes it has.' }),
      sha256: Type.String({ description: 'The SHA-256 of its bytes, in hexadecimal digits.' }),
      content: Nullable(
        Type.String({
          description:
            'Its bytes in base64; null if there are more than 65,536 of them: then download them instead.',
        }),
      ),
      receipt: Nullable(
        Type.String({ description: 'What the merchant gave as proof of the payment; null if it gave none.' }),
      ),
      created_at: At('When it was received.'),
      expires_at: At('Until when it can be read.'),
    },
    { description: 'What a merchant answered to a paid request.' },
  ),
)
type CartResult = Static<typeof CartResult>

export type ResultRow = {
  account_id: Id<'acct'>
  mode: Mode
  cart_id: Id<'cart'>
  intent_id: Id<'pi'>
  content_type: string | null
  bytes: number
  sha256: Buffer
  /** Null: its time is over. */
  sealed: Buffer | null
  created_at: Date
}

export function expiresAt({ created_at }: Pick<ResultRow, 'created_at'>): Date {
  return new Date(created_at.getTime() + resultDays * dayMs)
}

export function renderResult(
  row: ResultRow,
  { bytes, receipt }: { bytes: Buffer; receipt: string | null },
): CartResult {
  return {
    object: 'cart_result',
    purchase_intent_id: row.intent_id,
    cart_id: row.cart_id,
    content_type: row.content_type,
    bytes: row.bytes,
    sha256: row.sha256.toString('hex'),
    content: bytes.length > shownBytesMax ? null : bytes.toString('base64'),
    receipt,
    created_at: row.created_at.toISOString(),
    expires_at: expiresAt(row).toISOString(),
  }
}

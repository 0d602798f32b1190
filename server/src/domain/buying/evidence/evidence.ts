import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, IdOf, Named, Nullable, OneOf } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { evidenceStages, type PageEvidence } from './port.ts'

/** For how many days a picture can be read. */
const evidenceDays = 30
const dayMs = 86_400_000

/** Every picture has this form. */
export const png = 'image/png'

export const PurchaseIntentEvidence = Named(
  'PurchaseIntentEvidence',
  Closed(
    {
      id: IdOf('evd', 'The id of this object.'),
      object: Type.Literal('purchase_intent_evidence', { description: 'The type of this object.' }),
      purchase_intent_id: IdOf('pi', 'The purchase intent.'),
      cart_id: IdOf('cart', 'The cart that was being bought.'),
      attempt: Type.Integer({ minimum: 1, description: 'Which attempt of the cart it was, from 1.' }),
      stage: OneOf(evidenceStages, { description: 'At which point of the purchase the picture was taken.' }),
      at: At('When the picture was taken.'),
      url_host: Type.String({ description: 'The host of the page.' }),
      media_type: Type.Literal(png, { description: 'The form of the picture.' }),
      bytes: Type.Integer({ minimum: 0, description: 'How many bytes the picture has.' }),
      sha256: Type.String({ description: 'The SHA-256 of its bytes, in hexadecimal digits.' }),
      total_text: Nullable(
        Type.String({
          description: 'The total that the page shows, as it writes it; null where none was read.',
        }),
      ),
      hosts: Type.Array(Type.String(), {
        description: 'The hosts that the page and its parts had contacted until then.',
      }),
      expires_at: At('Until when it can be read.'),
    },
    { description: 'A picture of a page that something was bought on.' },
  ),
)

export type EvidenceRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'evd'>
  intent_id: Id<'pi'>
  cart_id: Id<'cart'>
  attempt: number
  stage: PageEvidence['stage']
  taken_at: Date
  url_host: string
  bytes: number
  sha256: Buffer
  total_text: string | null
  hosts: string[]
  created_at: Date
}

export function expiresAt({ created_at }: Pick<EvidenceRow, 'created_at'>): Date {
  return new Date(created_at.getTime() + evidenceDays * dayMs)
}

/** What was kept before this can be read no more. */
export function readableSince(now: Date): Date {
  return new Date(now.getTime() - evidenceDays * dayMs)
}

export function renderEvidence(row: EvidenceRow): Static<typeof PurchaseIntentEvidence> {
  return {
    id: row.id,
    object: 'purchase_intent_evidence',
    purchase_intent_id: row.intent_id,
    cart_id: row.cart_id,
    attempt: row.attempt,
    stage: row.stage,
    at: row.taken_at.toISOString(),
    url_host: row.url_host,
    media_type: png,
    bytes: row.bytes,
    sha256: row.sha256.toString('hex'),
    total_text: row.total_text,
    hosts: row.hosts,
    expires_at: expiresAt(row).toISOString(),
  }
}

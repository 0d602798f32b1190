import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import type { ProfileId } from '../../../contract/ids.ts'
import { At, Closed, IdOf, Named, Nullable, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'

export const ApprovalLink = Named(
  'ApprovalLink',
  Closed(
    {
      ...objectHead('link', 'approval_link'),
      purchase_intent_id: IdOf('pi', 'The purchase that it is about.'),
      url: Type.String({
        description:
          'What to send to the person. A repeat shows its beginning; `next_action.url` of the purchase has it whole.',
        examples: ['https://elements.example.com/elements/v1/approve#pr_al_test_…'],
      }),
      return_url: Nullable(
        Type.String({ description: 'Where the page leads the person afterwards; null if nowhere.' }),
      ),
      expires_at: At('Until when it works: as long as the purchase can be approved.'),
    },
    { description: 'A link to a page of ours on which a person approves or declines one purchase.' },
  ),
)
export type ApprovalLink = Static<typeof ApprovalLink>

export type ApprovalLinkRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'link'>
  hash: Buffer
  purchase_intent_id: Id<'pi'>
  profile_id: ProfileId
  key_id: Id<'key'>
  return_url: string | null
  created_at: Date
  expires_at: Date
  claimed_at: Date | null
  /** Of what the browser shows that has claimed it. */
  secret_hash: Buffer | null
}

export function renderLink(row: ApprovalLinkRow, url: string): ApprovalLink {
  return {
    id: row.id,
    object: 'approval_link',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: (row.claimed_at ?? row.created_at).toISOString(),
    purchase_intent_id: row.purchase_intent_id,
    url,
    return_url: row.return_url,
    expires_at: row.expires_at.toISOString(),
  }
}

import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { tokenPrefix } from '../../../platform/secrets/keyed-hash.ts'
import { Ruled } from '../../../schema/rules.ts'
import { checkReturnUrl, returnRules } from '../../accounts/api-keys/public.ts'
import { readIntentWithCarts, whyNotApprovable } from '../intents/public.ts'
import { ApprovalLink, type ApprovalLinkRow, renderLink } from './approval-link.ts'
import { insertLink } from './approval-links.sql.ts'
import { linkAddress, linkToken } from './link-address.ts'

export const createApprovalLink = defineOperation({
  id: 'v1_create_approval_link',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/approval_links',
  auth: 'secret',
  // Who may ask for a purchase may ask a person to approve it: on the page nothing is approved without what only that person has.
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Approval links',
  summary: 'Create a link by which a person approves a purchase',
  description:
    'Send its `url` to the person: a hosted page shows what is bought and the most that can be charged, and takes their yes, with a ' +
    'proof that only they can give, or their no. Next, wait with v1_get_purchase_intent.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  body: Closed({
    return_url: Type.Optional(
      Ruled(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description:
            'Where the person goes afterwards: on an origin of a publishable key for components. It gets `purchase_intent_id` and `status`.',
        }),
        returnRules,
      ),
    ),
  }),
  bodyOptional: true,
  examples: {
    link: { summary: 'Ask a person to approve', body: {} },
  },
  responses: { 201: ApprovalLink },
  problems: ['not_found', 'not_approvable', 'shipping_address_required', 'approval_pages_not_configured'],
  async handle(ctx, { path, body }) {
    const { elements } = ctx.settings
    if (elements === undefined) throw new Problem('approval_pages_not_configured')
    const loaded = await readIntentWithCarts(ctx, path.purchase_intent_id)
    if (loaded === null || ctx.keyId === null) throw new Problem('not_found', { param: 'purchase_intent_id' })
    const { profile_id, status, approval_expires_at: until, next_action } = loaded.intent
    // guard link-for-a-question: a link is made only where a person is asked, and for as long as they are
    if (status !== 'awaiting_approval' || until === null || until <= ctx.now)
      throw new Problem('not_approvable', { message: whyNotApprovable(loaded.intent) })
    if (next_action?.type === 'provide_input')
      throw new Problem('shipping_address_required', { extra: { next_action } })
    const { accountId: account_id, mode } = ctx.tenant
    const id = ctx.newId('link')
    const token = linkToken(ctx.sealer, { id, mode })
    const row: ApprovalLinkRow = {
      account_id,
      mode,
      id,
      hash: elementHash(token),
      purchase_intent_id: loaded.intent.id,
      profile_id,
      key_id: ctx.keyId,
      return_url:
        body.return_url === undefined ? null : await checkReturnUrl(ctx, 'return_url', body.return_url),
      created_at: ctx.now,
      expires_at: until,
      claimed_at: null,
      secret_hash: null,
    }
    ctx.tx.write(insertLink(row))
    return reply(201, renderLink(row, linkAddress(elements, tokenPrefix(token))), {
      reveal: { url: linkAddress(elements, token) },
    })
  },
})

import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, Described, IdOf, ModeSchema, Nullable } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { PurchaseIntentStatus } from '../intents/public.ts'
import { selectLink } from './approval-links.sql.ts'
import { LinkBody } from './link-body.ts'
import { isClaimedBy, readAsked } from './read-asked.ts'

export const lookAtApprovalLink = defineOperation({
  id: 'elements_look_at_approval_link',
  method: 'POST',
  path: '/elements/v1/approval_links/look',
  auth: 'link',
  scope: null,
  tag: 'Approval links',
  summary: 'See who asks, before going on',
  description:
    'Our page shows it beside the button with which the person goes on. It changes nothing, and says of the purchase only how it stands, ' +
    'to the browser in which it was answered.',
  readOnly: true,
  surfaces: ['elements'],
  body: Closed(LinkBody),
  responses: {
    200: Closed({
      account_name: Type.String({ description: 'Who asks.' }),
      mode: ModeSchema,
      answer_by: At('Until when the person can answer.'),
      outcome: Nullable(
        Closed(
          {
            purchase_intent_id: IdOf('pi', 'The purchase.'),
            status: Described(PurchaseIntentStatus, 'How it stands.'),
            return_url: Nullable(Type.String({ description: 'Where the page leads; null if nowhere.' })),
          },
          { description: 'What became of it; null while the person is asked.' },
        ),
      ),
    }),
  },
  problems: ['link_over', 'link_claimed'],
  forBound: 'refused',
  async handle(ctx, { body }) {
    const { accountId: account_id, mode } = ctx.tenant
    const link = await ctx.reads.maybe(selectLink({ account_id, mode, hash: elementHash(body.token) }))
    if (link === null) throw new Problem('link_over')
    const isOwn = isClaimedBy(link, body.claim_secret)
    const { intent, isAsked } = await readAsked(ctx, link)
    // guard outcome-to-who-opened: how a purchase ended is told in the browser in which it was answered
    if (!isAsked && !isOwn) throw new Problem('link_over')
    const { account_name, expires_at, return_url, purchase_intent_id } = link
    return reply(200, {
      account_name,
      mode,
      answer_by: expires_at.toISOString(),
      outcome: isAsked ? null : { purchase_intent_id, status: intent.status, return_url },
    })
  },
})

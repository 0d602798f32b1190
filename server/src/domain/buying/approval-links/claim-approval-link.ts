import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, Nullable } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { openSession, sessionFields, takePageRates } from '../../buyers/elements/public.ts'
import { type Address, personName, readProfile } from '../../buyers/profiles/public.ts'
import { buyerToApprove, termsDigest } from '../intents/public.ts'
import { claimLink, lockLink } from './approval-links.sql.ts'
import { LinkBody } from './link-body.ts'
import { isClaimedBy, readAsked } from './read-asked.ts'

const Shown = Type.String({ description: 'As it is shown to the person.' })

export const claimApprovalLink = defineOperation({
  id: 'elements_claim_approval_link',
  method: 'POST',
  path: '/elements/v1/approval_links/claim',
  auth: 'link',
  scope: null,
  tag: 'Approval links',
  summary: 'Open the page of an approval link',
  description:
    'Our page asks for it when the person goes on. From then on the link is of the browser that has said `claim_secret`; there it can be ' +
    'claimed again, which makes another session and shows the terms anew.',
  surfaces: ['elements'],
  body: Closed(LinkBody),
  responses: {
    201: Closed({
      ...sessionFields,
      component: Type.Literal('ApprovalPage', { description: 'Always `ApprovalPage`.' }),
      account_name: Type.String({ description: 'Who asks.' }),
      return_url: Nullable(Type.String({ description: 'Where the page leads afterwards; null if nowhere.' })),
      answer_by: At('Until when the person can answer.'),
      buyer: Closed(
        { name: Shown, email: Nullable(Shown), phone: Nullable(Shown) },
        { description: 'For whom it is bought.' },
      ),
      ship_to: Nullable(
        Closed(
          {
            recipient_name: Shown,
            line1: Shown,
            line2: Nullable(Shown),
            city: Shown,
            state: Nullable(Shown),
            postal_code: Nullable(Shown),
            country: Shown,
          },
          { description: 'Where it goes; null if nothing is shipped.' },
        ),
      ),
    }),
  },
  problems: ['link_over', 'link_claimed'],
  forBound: 'refused',
  async handle(ctx, { body }) {
    const { elements } = ctx.settings
    if (ctx.keyId === null || elements === undefined) throw new Problem('not_found')
    await takePageRates(ctx, ctx.keyId)
    const { accountId: account_id, mode } = ctx.tenant
    const link = await ctx.tx.maybe(lockLink({ account_id, mode, hash: elementHash(body.token) }))
    if (link === null) throw new Problem('link_over')
    const isOwn = isClaimedBy(link, body.claim_secret)
    const [{ intent, isAsked }, profile] = await Promise.all([
      readAsked(ctx, link),
      readProfile(ctx.reads, ctx.tenant, link.profile_id),
    ])
    if (!isAsked || profile === null) throw new Problem('link_over')
    const buyer = buyerToApprove(intent, profile)
    const claimed = { claimed_at: ctx.now, secret_hash: elementHash(body.claim_secret) }
    if (!isOwn) ctx.tx.write(claimLink({ account_id, mode, id: link.id, ...claimed }))
    const session = openSession(ctx, {
      component: 'ApprovalPage',
      keyId: link.key_id,
      origin: elements.url,
      profileId: link.profile_id,
      intentId: link.purchase_intent_id,
      may: ['read', 'approve'],
      isVouched: false,
      answers: { terms: termsDigest(intent, buyer), until: link.expires_at },
    })
    const { account_name, return_url, expires_at } = link
    return reply(201, {
      ...session,
      account_name,
      return_url,
      answer_by: expires_at.toISOString(),
      buyer: { name: personName(buyer), email: buyer.email, phone: buyer.phone },
      ship_to: shownPlace(intent.fulfillment.address),
    })
  },
})

function shownPlace(address: Address | null) {
  if (address === null) return null
  const { recipient_name, line1, line2, city, state, postal_code, country } = address
  return { recipient_name, line1, line2, city, state, postal_code, country }
}

import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdOf, IdParam } from '../../../contract/schemas.ts'
import { addBillingAddressOf, BillingAddress } from '../profiles/public.ts'

export const addBillingAddress = defineOperation({
  id: 'elements_add_billing_address',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/billing_addresses',
  auth: 'secret',
  scope: 'payment_methods:write',
  // Servers have v1_create_profile_address.
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Add the billing address of a card',
  description:
    'The holder of a card types it in a component whose session was opened with a client secret. It becomes an address of the ' +
    'profile, and the answer names it; one that the profile has is not added again. Nothing that the profile has is shown.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  body: BillingAddress,
  responses: {
    201: Closed(
      { id: IdOf('addr', 'For `billing_address` of the card.') },
      { description: 'The address, by its id alone.' },
    ),
  },
  problems: ['not_found', 'client_secret_required', 'profile_archived', 'object_limit_reached'],
  async handle(ctx, { path, body }) {
    if (ctx.component === null) throw new Problem('not_found')
    // guard addresses-by-the-server-of-the-page: who has only copied a key changes nothing that bills other purchases
    if (!ctx.component.isVouched) throw new Problem('client_secret_required')
    return reply(201, { id: await addBillingAddressOf(ctx, path.profile_id, body) })
  },
})

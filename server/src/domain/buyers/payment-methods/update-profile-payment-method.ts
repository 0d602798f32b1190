import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Changes, Closed, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'
import { PaymentMethod, type PaymentMethodRow } from './payment-method.ts'
import { clearDefault, findMethod, lockMethodsOf, writeMethod } from './write-payment-method.ts'

const otherDefault = 'is_default cannot be set to false: make another payment method the default'

export const updateProfilePaymentMethod = defineOperation({
  id: 'v1_update_profile_payment_method',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}',
  auth: 'secret',
  scope: 'payment_methods:write',
  tag: 'Payment methods',
  summary: 'Update a payment method',
  description:
    'Changes its label or billing address, or makes it the default. Fields you leave out stay as they are.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  }),
  body: Changes({
    is_default: Ruled(
      Type.Boolean({
        description:
          'True makes it the default. False is refused for the default: make another method the default instead.',
      }),
      { otherDefault },
    ),
    label: Nullable(Text(255, { description: 'A name to tell it from others; null removes it.' })),
    billing_address: Nullable(
      Closed(
        { id: IdParam('An address of the profile.', 'addr') },
        { description: 'The billing address; null removes it.' },
      ),
    ),
  }),
  examples: {
    make_default: { summary: 'Make it the default', body: { is_default: true } },
    label: { summary: 'Give it another name', body: { label: 'Travel card' } },
  },
  responses: { 200: PaymentMethod },
  problems: ['not_found'],
  async handle(ctx, { path, body }) {
    const { owner, methods } = await lockMethodsOf(ctx, path.profile_id)
    const row = findMethod(methods, path.payment_method_id)
    if (body.is_default === false && row.is_default) throw invalid(['body', 'is_default'], otherDefault)
    const address = body.billing_address
    // What it has can be written back, also when the profile has it no longer.
    const isKept = address?.id === row.billing_address_id
    if (address && !isKept && !owner.addresses.some(({ id }) => id === address.id)) {
      throw new Problem('not_found', { param: 'billing_address.id' })
    }
    if (body.is_default) clearDefault(ctx, methods, row.id)
    const changes = {
      ...(body.is_default ? { is_default: true } : {}),
      ...(body.label === undefined ? {} : { label: body.label }),
      // One of the owner's, checked above.
      ...(address === undefined
        ? {}
        : { billing_address_id: (address?.id ?? null) as PaymentMethodRow['billing_address_id'] }),
    }
    return reply(200, writeMethod(ctx, row, changes, 'payment_method.updated').object)
  },
})

import type { CallContext } from '../../../contract/context.ts'
import { type Reply, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Text } from '../../../contract/schemas.ts'
import { type RequestRates, takeRequestRates } from '../../../platform/limits/rates.ts'
import type { UcpCall } from '../../../protocols/ucp/ucp-call.ts'
import { readMerchant } from '../merchant/public.ts'
import type { Asking, CheckoutAnswer } from './change-checkout.ts'
import { checkoutDocument, refusalDocument } from './checkout-document.ts'
import type { CheckoutMerchant } from './write-checkout.ts'

/** What all operations of a checkout are. */
export const ofPlatforms = {
  auth: 'platform',
  scope: null,
  surfaces: ['ucp'],
  forBound: 'refused',
  tag: 'UCP checkout',
} as const

export const CheckoutParams = Closed({ id: Text(64, { description: 'The checkout.' }) })

const rates: RequestRates = {
  anonymous: ['checkoutsAddressMinute', 'checkoutsAddressHour'],
  live: 'checkoutsAddressMinute',
  test: 'checkoutsAddressMinute',
}

/** Strangers make rows here. */
export function takeCheckoutRate(ctx: CallContext): Promise<void> {
  return takeRequestRates(ctx, rates)
}

/** The merchant that the platform calls: the account whose rows this call sees. */
export async function readBusiness(ctx: CallContext): Promise<CheckoutMerchant> {
  const merchant = await readMerchant(ctx.reads, ctx.tenant)
  if (!merchant) throw new Problem('not_found')
  const { name, slug, domain, tax_basis_points: taxBasisPoints } = merchant
  return { tenant: ctx.tenant, name, slug, domain, taxBasisPoints }
}

type CheckoutReply<Status extends number> = Reply<
  Status,
  ReturnType<typeof checkoutDocument> | ReturnType<typeof refusalDocument>
>

/** An answer in the words of the protocol. `status`: of a checkout that was made. */
export function say<const Status extends 200 | 201>(
  call: UcpCall,
  answer: CheckoutAnswer,
  status: Status,
): CheckoutReply<Status | 200> {
  switch (answer.kind) {
    case 'checkout':
      return reply(status, checkoutDocument(answer.checkout, call))
    case 'refused':
      return reply(200, refusalDocument(answer.messages))
    case 'not_found':
      return reply(200, refusalDocument([notFound]))
    case 'not_open':
      throw new Problem('checkout_not_open', {
        message: `The checkout is ${answer.checkout.status}, and does not change any more. Read it, or create another one.`,
      })
    default:
      return answer satisfies never
  }
}

const notFound = {
  type: 'error',
  code: 'not_found',
  content: 'There is no such checkout.',
  severity: 'unrecoverable',
} as const

/** Who asks, by what the surface says of the call. */
export function askingOf({ profile: platform, is_signed: isSigned }: UcpCall): Asking {
  return { platform, isSigned }
}

import type { Call, HoldPage, PaymentRail } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { intentOf, keyField } from './payment-intent.ts'
import type { StripeApi } from './stripe-api.ts'

type Query = Parameters<NonNullable<PaymentRail['list']>>[0]

/** The intents that hold money at this moment. Those of others at the same account have no key of ours. */
export async function listHolds(
  api: StripeApi,
  { since, until, page }: Query,
  call: Call,
): Promise<HoldPage | null> {
  const said = await api.send(
    (stripe, options) =>
      stripe.paymentIntents.list(
        {
          limit: 100,
          created: {
            ...(since === null ? {} : { gte: Math.floor(since.getTime() / 1000) }),
            lte: Math.max(0, Math.floor(until.getTime() / 1000)),
          },
          ...(page === null ? {} : { starting_after: page }),
        },
        options,
      ),
    call,
  )
  if (said.kind !== 'answer' || said.status !== 200 || !Array.isArray(said.body.data)) return null
  const all: readonly unknown[] = said.body.data
  const holds = all.flatMap((one) => {
    const metadata = isRecord(one) && isRecord(one.metadata) ? one.metadata : {}
    const key = metadata[keyField]
    const intent = intentOf(one)
    return intent?.state === 'held' && typeof key === 'string' ? [{ key, object: intent.object }] : []
  })
  const last = all.at(-1)
  const next = said.body.has_more === true && isRecord(last) ? last.id : null
  return { holds, next: typeof next === 'string' ? next : null }
}

import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdOf, IdParam, ModeSchema, Named } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { readChainedEvents } from '../../../platform/audit/read-chained-events.ts'
import { canonical } from '../../../platform/idempotency/request-digest.ts'
import { signFlattened } from '../../../platform/signatures/flattened-jws.ts'
import { readBoughtOrders } from '../../trade/orders/public.ts'
import { type LoadedIntent, readIntentWithCarts, renderIntentEvent } from '../intents/public.ts'
import { selectCalls, selectCards, selectHolds, selectPictures, selectRefunds } from './bundle.sql.ts'
import { type BundleFacts, bundleOf } from './bundle.ts'
import { emptyHistory, type History, noteEvent } from './history.ts'
import { BundleSigner, bundleType } from './port.ts'

const EvidenceBundle = Named(
  'EvidenceBundle',
  Closed(
    {
      object: Type.Literal('evidence_bundle', { description: 'The type of this object.' }),
      mode: ModeSchema,
      purchase_intent_id: IdOf('pi', 'The purchase intent.'),
      payload: Type.String({ description: 'What is signed: a document of JSON in base64url.' }),
      protected: Type.String({
        description: 'In base64url, `alg` (ES256), `kid` (which key has signed) and `typ`.',
      }),
      signature: Type.String({ description: 'The signature in base64url.' }),
    },
    { description: 'What is known of a purchase, as a JSON Web Signature in its flattened form.' },
  ),
)

/** The key is in memory mostly. */
const signerBudgetMs = 2_000

export const getPurchaseIntentEvidenceBundle = defineOperation({
  id: 'v1_get_purchase_intent_evidence_bundle',
  method: 'GET',
  path: '/v1/purchase_intents/{purchase_intent_id}/evidence_bundle',
  auth: 'secret',
  scope: 'evidence:read',
  forBound: 'refused',
  reads: 'long',
  tag: 'Purchase intents',
  summary: 'Read the signed evidence of a purchase',
  description:
    'For a bank whose customer disputes a charge: who decided, which terms were shown, what shops offered and answered, digests of the ' +
    'pictures, and what was held, charged and given back. It shows the person and the address. Anybody can verify it by ' +
    '`/.well-known/jwks.json`.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  responses: { 200: EvidenceBundle },
  problems: ['not_found'],
  outside: { ports: [BundleSigner], budgetMs: signerBudgetMs },
  async handle(ctx, { path }) {
    const purchase = await readIntentWithCarts(ctx, path.purchase_intent_id)
    if (!purchase) throw new Problem('not_found', { param: 'purchase_intent_id' })
    const [facts, { kid, key }] = await Promise.all([
      readFacts(ctx, purchase),
      ctx.port(BundleSigner).signer(),
    ])
    return reply(200, {
      object: 'evidence_bundle' as const,
      mode: ctx.tenant.mode,
      purchase_intent_id: purchase.intent.id,
      ...signFlattened(Buffer.from(canonical(bundleOf(facts))), { kid, key, typ: bundleType }),
    })
  },
})

async function readFacts(ctx: CallContext, purchase: LoadedIntent): Promise<BundleFacts> {
  const { tenant, reads, now } = ctx
  const { accountId: account_id, mode } = tenant
  const { intent, carts } = purchase
  const ofCarts = { account_id, mode, cart_ids: carts.map(({ id }) => id) }
  const order_ids = carts.flatMap(({ order_row_id, attempts_data }) =>
    [order_row_id, ...attempts_data.map((attempt) => attempt.order_row_id)].filter((id) => id !== null),
  )
  const cards = [intent.payment_method_id, intent.payment_proof?.payment_method_id]
  const payment_method_ids = cards.filter((id) => id !== null && id !== undefined)
  const [history, orders, pictures, holds, calls, refunds, named] = await Promise.all([
    readHistory(ctx, purchase),
    readBoughtOrders(reads, tenant, order_ids),
    reads.rows(selectPictures({ account_id, mode, intent_id: intent.id })),
    reads.rows(selectHolds(ofCarts)),
    reads.rows(selectCalls(ofCarts)),
    reads.rows(selectRefunds({ account_id, mode, order_ids })),
    reads.rows(selectCards({ account_id, mode, payment_method_ids })),
  ])
  const traces = { pictures, holds, calls, refunds, cards: named }
  return { tenant, purchase, history, traces, orders, publicUrl: ctx.settings.publicUrl, now }
}

/** Up to the last event of the purchase as it was read: what happens meanwhile is for the next bundle. */
async function readHistory({ reads, tenant }: CallContext, { intent }: LoadedIntent): Promise<History> {
  const history = emptyHistory()
  const events = readChainedEvents(reads, tenant, { aggregateId: intent.id, upTo: intent.seq })
  for await (const { event, digest } of events) {
    const ofPurchase = {
      ...event,
      aggregate_id: intent.id,
      cart_id: event.cart_id as Id<'cart'> | null, // it was written with a cart's event
    }
    noteEvent(history, renderIntentEvent(ofPurchase), digest)
  }
  return history
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { holding, runningPurchase } from '../../../../test/harness/hand-worker.ts'
import type { ActingContext } from '../../../contract/context.ts'
import { atStage, type StageColumns, stageOf } from './cart-stage.ts'
import { selectCarts } from './carts.sql.ts'
import { changeIntent } from './change-intent.ts'
import type { LoadedIntent } from './intent.ts'

const [now, later] = [new Date('2026-11-26T12:00:00Z'), new Date('2026-11-26T12:00:01.234Z')]
const tickets = [null, { ticket: 'ticket_1', session: null }, { ticket: 'ticket_1', session: 'bvp_1' }]

/** One stage of each form. */
const stages = [
  { kind: 'none' },
  ...tickets.flatMap(
    (signIn) =>
      [
        { kind: 'offer', tries: 2, since: now, signIn },
        { kind: 'room', tries: 0, since: now, until: later, count: 3, signIn },
      ] as const,
  ),
  ...['shop.example', null].flatMap((host) =>
    [null, { until: later, session: 'bvp_1' }].map(
      (code) => ({ kind: 'sign_in', until: now, host, code }) as const,
    ),
  ),
  { kind: 'rail', since: later },
  { kind: 'cleanup' },
] as const

let app: TestApp
let id: string
beforeAll(async () => {
  app = await startTestApp()
  id = (await runningPurchase(app, await newBuyer(app))).id
})
afterAll(() => app.stop())

function write({ carts, ...loaded }: LoadedIntent, ctx: ActingContext, changes: Partial<StageColumns>): void {
  const [cart] = carts
  if (cart) changeIntent(ctx, { carts, ...loaded }, { carts: [{ id: cart.id, changes }], events: [] })
}

test('a stage is read as it was written, whatever the cart was about before', async () => {
  for (const stage of stages.flatMap((one) => stages.flatMap((before) => [before, one]))) {
    await holding(app, id, async (ctx, loaded) => write(loaded, ctx, atStage(stage)))
    const read = await holding(
      app,
      id,
      async ({ tx, tenant: { accountId: account_id, mode } }, { carts }) => [
        ...carts,
        ...(await tx.rows(selectCarts({ account_id, mode, intent_id: id }))),
      ],
    )
    expect(read.map(stageOf)).toEqual([stage, stage])
  }
})

const offer = {
  kind: 'offer',
  tries: 0,
  since: now,
  signIn: { ticket: 'ticket_1', session: 'bvp_1' },
} as const
const room = { ...offer, kind: 'room', until: later, count: 1 } as const
const code = { kind: 'sign_in', until: now, host: null, code: { until: later, session: 'bvp_1' } } as const

test.each<[string, Partial<StageColumns>]>([
  ['a rail that is away since no time', { ...atStage({ kind: 'rail', since: now }), stage_since: null }],
  ['room that is looked for until no time', { ...atStage(room), stage_until: null }],
  ['room that was never looked for', { ...atStage(room), room_tries: null }],
  ['an offer that was asked for no number of times', { ...atStage(offer), offer_tries: null }],
  ['an offer with a host that asks', { ...atStage(offer), sign_in_host: 'shop.example' }],
  ['a page for a ticket that is not there', { ...atStage(offer), credential_ticket_id: null }],
  ['a code without its page', { ...atStage(code), page_session: null }],
  ['a page without its code', { ...atStage(code), code_until: null }],
  ['a sign-in that waits with a ticket', { ...atStage(code), credential_ticket_id: 'ticket_1' }],
  ['a cleanup with what was before', { ...atStage(code), stage: 'cleanup' }],
  ['a part of no stage', { ...atStage({ kind: 'none' }), offer_tries: 1 }],
])('%s is not kept', async (_, columns) => {
  const writing = holding(app, id, async (ctx, loaded) => write(loaded, ctx, columns))
  await expect(writing).rejects.toThrow('carts_stage')
})

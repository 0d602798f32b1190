import { shardCount } from '../../src/platform/events/append-events.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { createFaults } from '../../src/platform/faults/faults.ts'
import { topics } from '../../src/platform/hints/hints.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { openWork } from '../../src/work.ts'
import { answerSigned } from './answers.ts'
import { startTestApp, type TestApp } from './app.ts'
import { intentBody, newTestBuyer } from './buying.ts'
import type { TestServer } from './database.ts'
import { newDestination, startReceiver } from './deliveries.ts'
import { openNativeShop } from './native-shops.ts'
import { type Recorder, recordPools } from './recorded-pools.ts'
import { startSandbox } from './sandbox.ts'

/** One thing that one process does for a purchase. */
type Stage = { name: string; run(): Promise<void> }

export type PurchaseByHand = {
  app: TestApp
  /** Records what API, relay and worker send. */
  record: Recorder['record']
  /** The stages of one more purchase, to be run in this order: API, relay and worker each do what is due, and then wait. */
  stages(): Stage[]
  stop(): Promise<void>
}

/** A buyer and a merchant in accounts of their own, and everything between them, where nothing happens but what a test asks for. */
export async function startPurchaseByHand(server: TestServer): Promise<PurchaseByHand> {
  const sandbox = await startSandbox()
  let recorder: Recorder | undefined
  const app = await startTestApp({
    server,
    wrapPools: (pools) => {
      recorder = recordPools(pools)
      return recorder.pools
    },
  })
  if (!recorder) throw new Error('the application has no pools')
  const { record, apart } = recorder
  const receiver = await startReceiver()
  const shop = await openNativeShop({ app, sql: app.sql })
  const key = shop.seller.keys.secret_test
  const event_types = ['quote.requested', 'order.requested', 'order.confirmed', 'order.rejected']
  const destination = await newDestination(app, receiver.url, { responds_to_quotes: true, event_types }, key)
  const buyer = await newTestBuyer(app)
  const metrics = createMetrics()
  const log = silentLog()
  const work = openWork({
    railUrl: sandbox.processorUrl,
    sandboxUrl: sandbox.shopsUrl,
    allowLoopback: true,
    ownPorts: [],
    sandboxMerchantUrl: null,
    log,
    metrics,
  })
  const faults = createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null })
  const deps = { ...app.parts, apart: apart(app.parts.apart), log, metrics, faults }
  const relay = createRelay({ ...deps, followers: work.followers })
  const worker = createWorker({ ...deps, kinds: work.kinds })
  let made = 0
  let isHinted = false
  for (let shard = 0; shard < shardCount; shard++)
    app.parts.hints.on(topics.relay(shard), () => {
      isHinted = true
    })

  async function call(path: string, body: object, idempotencyKey: string): Promise<{ id: string }> {
    const headers = { 'idempotency-key': idempotencyKey }
    const { status, body: answer } = await app.post(path, body, { key: buyer.key, headers })
    if (status >= 300) throw new Error(`${path} answered ${status} ${JSON.stringify(answer)}`)
    return answer
  }

  function stages(): Stage[] {
    const number = ++made
    let id = ''
    // It looks at its shards when it gets a hint, and otherwise within a second.
    const relayed = async () => {
      if (isHinted) await relay.runOnce()
      isHinted = false
    }
    const worked = (kind: string) => async () => void (await worker.runOnce(kind))
    return [
      {
        name: 'create',
        run: async () => {
          const more = { reference_id: `order-${number}`, metadata: { order: 'by hand' } }
          const body = intentBody(buyer, [{ url: shop.url }], more)
          id = (await call('/v1/purchase_intents', body, `create-${number}`)).id
        },
      },
      { name: 'relay after create', run: relayed },
      {
        name: 'approve',
        run: async () => {
          await call(`/v1/purchase_intents/${id}/approve`, { approve: true }, `approve-${number}`)
        },
      },
      { name: 'relay after approve', run: relayed },
      { name: 'begin, authorize, order', run: worked('intents') },
      { name: 'relay after order', run: relayed },
      { name: 'deliver the request', run: worked('deliveries') },
      {
        name: 'answer of the merchant',
        run: async () => {
          const body = { outcome: 'confirmed', confirmation_reference: `C-${number}` }
          const { status } = await answerSigned(
            app,
            receiver.received.at(-1),
            destination.secret.secret,
            body,
          )
          if (status !== 200) throw new Error(`the answer of the merchant was refused with ${status}`)
        },
      },
      { name: 'relay after the answer', run: relayed },
      { name: 'deliver the confirmation', run: worked('deliveries') },
      { name: 'capture, settle', run: worked('carts') },
      { name: 'relay at its next look', run: async () => void (await relay.runOnce()) },
    ]
  }

  return {
    app,
    record,
    stages,
    async stop() {
      await relay.stop()
      await worker.stop()
      await work.close()
      await receiver.stop()
      await app.stop()
      await sandbox.stop()
    },
  }
}

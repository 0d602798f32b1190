import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { applyLine, type Checkout, emptyMemory } from './checkout.ts'
import { placeOrder, type Shops } from './place-order.ts'
import type { Offer } from './price-offer.ts'

const offer: Offer = {
  offer_id: 'off_1',
  cart_key: 'cart_1',
  merchant: 'shop.example',
  items: [],
  subtotal: 1000,
  fulfillment: 0,
  tax: 80,
  total: 1080,
  currency: 'USD',
}

const checkout: Checkout = {
  key: 'k',
  digest: '',
  offerId: offer.offer_id,
  credential: 'cred_1',
  orderId: 'SHOP-1',
  reference: 'cart_1',
  state: { kind: 'charging' },
}

test('a charge is sent after its checkout is on disk, and once for all calls that wait for it', async () => {
  const seen: string[] = []
  const processor = createServer((request, response) => {
    seen.push(`charge ${request.headers['idempotency-key']}`)
    response.writeHead(201).end(JSON.stringify({ id: 'capt_1' }))
  })
  processor.listen(0, '127.0.0.1')
  await once(processor, 'listening')
  const address = processor.address()
  const port = typeof address === 'object' ? address?.port : undefined

  const memory = emptyMemory()
  memory.offers.set(offer.offer_id, { offer, scenarios: [] })
  memory.checkouts.set(checkout.key, checkout)
  const disk = Promise.withResolvers<void>()
  const shops: Shops = {
    memory,
    processorUrl: `http://127.0.0.1:${port}`,
    signal: new AbortController().signal,
    commit: (line) => applyLine(memory, line),
    durable: () => {
      seen.push('asked the disk')
      return disk.promise
    },
    running: new Map(),
  }
  const placing = Promise.all([placeOrder(shops, 'k'), placeOrder(shops, 'k')])
  // A round trip to the processor: a charge that did not wait for the disk would have arrived by now.
  await fetch(shops.processorUrl)
  seen.push('on disk')
  disk.resolve()
  await placing

  expect(seen).toEqual(['asked the disk', 'charge undefined', 'on disk', 'charge shop:k'])
  expect(memory.checkouts.get('k')?.state).toEqual({ kind: 'placed', transactionId: 'capt_1' })
  processor.closeAllConnections()
  processor.close()
})

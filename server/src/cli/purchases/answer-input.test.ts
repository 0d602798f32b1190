import { expect, test } from 'vitest'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { answerInput } from './answer-input.ts'
import type { ProductApi } from './product-api.ts'

const field = { name: 'floor', label: 'Floor', kind: 'number', host: 'shop.example' }

/** A purchase of a shop elsewhere that asks one thing. */
const asking = {
  id: 'pi_1',
  next_action: { type: 'provide_input', cart_id: 'cart_1', fields: [field] },
  carts: [{ id: 'cart_1', channel: 'browser' }],
} as unknown as PurchaseIntent

async function told(more: { keep?: boolean }): Promise<unknown> {
  const sent: unknown[] = []
  const api = {
    post: async (path: string, body: unknown) => sent.push([path, body]),
  } as unknown as ProductApi
  await answerInput(api, asking, { given: new Map([['floor', '4']]), mayAsk: false, ...more })
  return sent
}

test('what is given is sent to the cart that asks, and kept only where the person says so', async () => {
  const body = { cart_id: 'cart_1', values: { floor: 4 } }
  expect(await told({})).toEqual([['/v1/purchase_intents/pi_1/input', body]])
  expect(await told({ keep: false })).toEqual([['/v1/purchase_intents/pi_1/input', body]])
  expect(await told({ keep: true })).toEqual([['/v1/purchase_intents/pi_1/input', { ...body, keep: true }]])
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { budget, type OpenProcessor, openProcessor, payment } from '../../test/open-processor.ts'
import { get, post } from '../../test/run-sandbox.ts'

let processor: OpenProcessor
beforeEach(async () => {
  processor = await openProcessor()
})
afterEach(() => processor.close())

const card = 'visa_3ds_required'
const kinds: [path: string, call: object, standing: string][] = [
  ['/v1/authorizations', { ...payment, card }, 'authorized'],
  ['/v1/credentials', { ...budget, card }, 'active'],
  ['/v1/virtual_cards', { ...budget, card }, 'active'],
]

/** Where the holder of a card is asked. */
function pageOf({ next_action }: { next_action?: unknown }): string {
  return (next_action as { url: string }).url // what the processor says of it
}

function say(answer: string, url: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })
}

test.each(kinds)(
  '%s of a card that asks its holder holds nothing before they confirm',
  async (path, call, standing) => {
    const asked = await processor.call(path, call, { key: 'k' })
    expect(asked).toMatchObject({ status: 202, body: { status: 'requires_action' } })
    const { id } = asked.body
    const url = pageOf(asked.body)
    const holds = () => get(`${processor.url}/v1/holds`)
    expect((await holds()).body.data).toEqual([])
    expect(await (await fetch(url)).text()).toContain('10.00')
    await say('confirmed', url)
    expect((await get(`${processor.url}${path}/${id}`)).body).toMatchObject({
      status: standing,
      next_action: null,
    })
    expect((await holds()).body.data).toHaveLength(1)
    // What was said once stays said.
    await say('refused', url)
    expect((await get(`${processor.url}/v1/operations?key=k`)).body.current).toMatchObject({
      status: standing,
    })
  },
)

test.each(kinds)('%s that its holder refuses is declined', async (path, call) => {
  const { body } = await processor.call(path, call, { key: 'k' })
  await say('refused', pageOf(body))
  expect((await get(`${processor.url}/v1/operations?key=k`)).body.current).toMatchObject({
    status: 'declined',
    decline_code: 'authentication_failed',
  })
})

test.each(kinds)('%s that was closed can be confirmed no more', async (path, call) => {
  const { body } = await processor.call(path, call, { key: 'k' })
  const closed = await post(`${processor.url}/v1/operations/close`, { key: 'k' })
  expect(closed.status).toBe(200)
  await say('confirmed', pageOf(body))
  expect((await get(`${processor.url}/v1/holds`)).body.data).toEqual([])
})

test('what waits for its holder is not captured, and is released like a hold', async () => {
  const { body } = await processor.call('/v1/authorizations', { ...payment, card })
  const path = `/v1/authorizations/${body.id}`
  expect((await processor.call(`${path}/captures`, { amount: 1 })).body).toMatchObject({
    error: { code: 'authorization_declined' },
  })
  expect((await processor.call(`${path}/void`, {})).body.status).toBe('voided')
})

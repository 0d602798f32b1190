import { expect, test } from 'vitest'
import { payment } from '../../test/open-processor.ts'
import {
  control,
  get,
  post,
  type Reply,
  readLog,
  runSandbox,
  temporaryFolder,
} from '../../test/run-sandbox.ts'

/** Two process starts and some fifty round trips: a minute on a machine with ten times more to do than it has cores. */
const RESTART_WITHIN_MS = 120_000

test(
  'everything acknowledged before kill -9 is there after it, tombstones and remaining faults included',
  async () => {
    const state = temporaryFolder()
    const args = ['--state', state.path, '--role', 'processor']
    const before = await runSandbox(args)
    const pay = (url: string, key: string) =>
      post(`${url}/v1/authorizations`, payment, { 'idempotency-key': key })
    const first = await pay(before.processor, 'first')
    await post(`${before.processor}/v1/operations/close`, { key: 'tomb' })
    const rule = { match: { operation: 'void' }, fault: 'error_500_once' }
    expect((await control(`${before.processor}/control/faults`, rule, before.controlToken)).status).toBe(201)

    const answered = new Map<string, Reply['body']>()
    const enough = Promise.withResolvers<void>()
    // Each caller sends its next call at once, so that the kill always meets calls that are under way.
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let index = 0; ; index++) {
        const key = `k${caller}-${index}`
        const reply = await pay(before.processor, key).catch(() => undefined)
        if (reply === undefined) return key
        answered.set(key, reply.body)
        if (answered.size === 40) enough.resolve()
      }
    })
    await enough.promise
    await before.kill()
    const underWay = await Promise.all(callers)

    const after = await runSandbox(args)
    const lookUp = (key: string) => get(`${after.processor}/v1/operations?key=${key}`)
    for (const [key, body] of answered) expect((await lookUp(key)).body.answer).toEqual(body)
    // A call without an answer has happened entirely or not at all, and the same key finds out which.
    for (const key of underWay) {
      const found = await lookUp(key)
      const repeated = await pay(after.processor, key)
      expect(repeated.status).toBe(201)
      if (found.status === 200) expect(repeated.body).toEqual(found.body.answer)
    }
    const log = await readLog(after.processor)
    expect(new Set(log.map((entry) => entry.key)).size).toBe(log.length)
    const late = await pay(after.processor, 'tomb')
    expect(late.body).toMatchObject({ error: { code: 'closed' } })
    const voidPath = `${after.processor}/v1/authorizations/${first.body.id}/void`
    expect((await post(voidPath, {}, { 'idempotency-key': 'v0' })).status).toBe(500)
    expect((await post(voidPath, {}, { 'idempotency-key': 'v0' })).body).toMatchObject({ status: 'voided' })
    await after.stop()
    state.remove()
  },
  RESTART_WITHIN_MS,
)

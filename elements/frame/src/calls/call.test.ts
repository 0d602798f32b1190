import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from './call.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => vi.useRealTimers())

/** Ends when it is told to, as `fetch` does. */
const never = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

test('a call that nobody answers is lost after a minute, and so is an answer that stops halfway', async () => {
  for (const fetch of [
    async (_url: unknown, init?: RequestInit) => never(init?.signal),
    async (_url: unknown, init?: RequestInit) =>
      ({
        ok: true,
        status: 200,
        headers: new Headers(),
        json: () => never(init?.signal),
      }) as unknown as Response, // what `call` reads of one
  ]) {
    const ended = vi.fn()
    void call(fetch as typeof globalThis.fetch, { url: '/here' }).then(ended)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(ended).toHaveBeenCalledWith({ kind: 'no_answer' })
  }
})

test('a call that was answered leaves no timer behind', async () => {
  const answer = async () => new Response('{"id":"a"}')
  expect(await call(answer as typeof globalThis.fetch, { url: '/here' })).toEqual({
    kind: 'done',
    value: { id: 'a' },
  })
  expect(vi.getTimerCount()).toBe(0)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Outcome } from './call.ts'
import type { Verification } from './verifications.ts'
import { type Seen, waitForProof } from './wait-for-proof.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => vi.useRealTimers())

function proof(change: Partial<Verification> = {}): Outcome<Verification> {
  const none = { windowUrl: null, assertion: null, isOpen: false, expiresAt: 0, card: null }
  return { kind: 'done', value: { id: 'pver_1', method: 'passkey', status: 'pending', ...none, ...change } }
}

const refusal = (code: string) =>
  ({ kind: 'refused', code, message: '', param: null, retryAfterS: null }) as const

test('it is looked at each second, whatever gets lost, until it has ended', async () => {
  const answers = [
    proof(),
    { kind: 'no_answer' } as const,
    refusal('rate_limited'),
    refusal('busy'),
    proof({ isOpen: true }),
  ]
  const seen: Seen[] = []
  const waiting = waitForProof({
    look: async () => answers.shift() ?? proof({ status: 'proven', assertion: 'pv_1' }),
    isWanted: () => true,
    onSeen: (each) => seen.push(each),
  })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(await waiting).toMatchObject({ value: { status: 'proven', assertion: 'pv_1' } })
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([false, true])
})

test('a window that is not open after ten seconds is late; what the server refuses ends it, and who does not want it too', async () => {
  const seen: Seen[] = []
  let isWanted = true
  let answer = proof()
  const wait = () =>
    waitForProof({ look: async () => answer, isWanted: () => isWanted, onSeen: (each) => seen.push(each) })
  const first = wait()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(seen.map(({ isLate }) => isLate)).toEqual([...Array(9).fill(false), true])
  answer = refusal('session_expired')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await first).toEqual(answer)
  const second = wait()
  isWanted = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await second).toBeNull()
})

test('looks that are lost go on until the time of a proof is over, and no longer', async () => {
  let looks = 0
  const ended = vi.fn()
  const look = async () => {
    looks += 1
    return { kind: 'no_answer' } as const
  }
  void waitForProof({ look, isWanted: () => true, onSeen: () => {} }).then(ended)
  await vi.advanceTimersByTimeAsync(14 * 60_000)
  expect([looks, ended.mock.calls]).toEqual([14 * 60, []])
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  expect(ended.mock.calls).toEqual([[{ kind: 'no_answer' }]])
})

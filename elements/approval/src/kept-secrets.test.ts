import { expect, test } from 'vitest'
import { keepUntil, keptSecret } from './kept-secrets.ts'

function browser() {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
    key: (index: number) => [...stored.keys()][index] ?? null,
    get length() {
      return stored.size
    },
  }
  let at = 1_000
  return { stored, keeping: { storage: () => storage, now: () => at }, passUntil: (to: number) => (at = to) }
}

test('every tab of a browser has the same secret for a link, and nothing that is kept opens it', async () => {
  const { stored, keeping } = browser()
  const secret = await keptSecret('pr_al_test_one', keeping)
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  expect(await keptSecret('pr_al_test_one', keeping)).toBe(secret)
  expect(await keptSecret('pr_al_test_two', keeping)).not.toBe(secret)
  expect(JSON.stringify([...stored])).not.toContain('pr_al_test')
})

test('a secret is kept until the link can no longer be answered', async () => {
  const { stored, keeping, passUntil } = browser()
  stored.set('of others', 'x')
  const secret = await keptSecret('pr_al_test_one', keeping)
  await keepUntil('pr_al_test_one', new Date(5_000), keeping)
  passUntil(4_999)
  expect(await keptSecret('pr_al_test_one', keeping)).toBe(secret)
  passUntil(5_000)
  await keptSecret('pr_al_test_two', keeping)
  expect([stored.size, [...stored.values()].some((kept) => kept.includes(secret))]).toEqual([2, false])
})

test('a browser that keeps nothing has a secret of its own for each tab', async () => {
  const storage = () => {
    throw new Error('SecurityError')
  }
  expect(await keptSecret('pr_al_test_one', { storage, now: Date.now })).toMatch(/^[0-9a-f]{48}$/)
  await keepUntil('pr_al_test_one', new Date(), { storage, now: Date.now })
})

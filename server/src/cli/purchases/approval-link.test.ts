import { expect, test } from 'vitest'
import { linkLines } from './approval-link.ts'

const expires_at = '2026-03-01T12:00:00.000Z'
const token = 'pr_al_live_0123456789abcdefghijklmnopqrstuvw'
const linesOf = (origin: string) => linkLines({ url: `${origin}/elements/v1/approve#${token}`, expires_at })

test('a link that phones reach is shown as address and QR code', () => {
  const lines = linesOf('https://elements.example.com')
  expect(lines).toContain(`https://elements.example.com/elements/v1/approve#${token}`)
  expect(lines[0]).toContain('until 2026-03-01 12:00 (UTC)')
  const code = lines.filter((line) => /[█▀▄]/.test(line))
  expect(code.length).toBeGreaterThan(15)
  expect(new Set(code.map((line) => line.length)).size).toBe(1)
  expect(Math.max(...code.map((line) => line.length))).toBeLessThanOrEqual(60)
})

test.each([
  'http://elements.localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'http://localhost',
])('one at %s has no QR code, and says how to get one', (origin) => {
  const lines = linesOf(origin)
  expect(lines.join('\n')).not.toMatch(/[█▀▄]/)
  expect(lines.at(-1)).toMatch(/PROKURA_PUBLIC_URL and PROKURA_ELEMENTS_URL/)
})

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ publicUrl: 'https://shop.example/prokura/' })
})
afterAll(() => app.stop())

/** As a proxy asks that takes its own path away. */
const at = (path: string, init: RequestInit = {}) => fetch(`${app.url}${path}`, init)

async function shell(path = '/console') {
  const text = await (await at(path)).text()
  const [, css = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
  const [, js = ''] = /<script type="module" src="([^"]+)"/.exec(text) ?? []
  return { text, css, js }
}

test('every address below the console has one document, and none but its calls and files', async () => {
  const { text } = await shell()
  for (const path of ['/console/', '/console/sign-in', '/console/approvals/pi_1?mode=live', '/console/a/b/c'])
    expect((await shell(path)).text).toBe(text)
  for (const path of ['/console/v1/nothing', '/console/files/old/console.js', '/console/files/x'])
    expect([path, (await at(path)).status]).toEqual([path, 404])
  expect((await at('/console/v1/sign_out')).status).toBe(405)
  expect((await at('/console/sign-in', { method: 'POST' })).status).toBe(405)
})

test('a document lets in what is of its own origin, and stands in no page of others', async () => {
  const { headers } = await at('/console/approvals')
  const policy = String(headers.get('content-security-policy')).split('; ')
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy.join()).not.toMatch(/unsafe|data:|https?:|\*/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('behind a proxy its files are below the path of the proxy, and a browser keeps them for ever', async () => {
  const { text, js, css } = await shell('/console/approvals')
  expect(text).toContain('data-home="https://shop.example/prokura/console"')
  for (const path of [js, css]) {
    expect(path).toMatch(/^\/prokura\/console\/files\//)
    const { status, headers } = await at(path.slice('/prokura'.length))
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
})

test('the first page is 180 kB at most', async () => {
  const { text, js, css } = await shell()
  const files = await Promise.all(
    [js, css].map(async (path) => (await at(path.slice('/prokura'.length))).arrayBuffer()),
  )
  const sizes = [Buffer.from(text), ...files].map((file) => gzipSync(file).length)
  expect(sizes.every((size) => size > 300)).toBe(true)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(180_000)
})

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
  const read = async (path: string) => (await at(path.slice('/prokura'.length))).text()
  const code = await read(js)
  // What its code loads before it begins.
  const parts = [...code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
  const before = await Promise.all(parts.map((name) => read(js.replace('console.js', name))))
  const sizes = [text, code, await read(css), ...before].map((file) => gzipSync(file).length)
  expect(gzipSync(code).length).toBeGreaterThan(30_000)
  expect(parts.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(180_000)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareRequest } from '../../../test/harness/bare-request.ts'
import { pageAssets } from '../../platform/pages/assets.ts'
import { html } from '../../platform/pages/html.ts'
import { pageOf } from '../../platform/pages/layout.ts'

const folder = 'browser/shopper/in-page'
const scripts = pageAssets(folder, ['seen-elements.js', 'page-of-world.js'])
const sheet = pageAssets('../../sandbox/src/strangers/app', ['app-client.css'])

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const path = (href: string) => href.slice('https://api.example'.length)

test('a file of a page is kept for ever, with its type, and may be loaded from elsewhere', async () => {
  const href = scripts.at('https://api.example').href('seen-elements.js')
  expect(href).toMatch(/^https:\/\/api\.example\/assets\/[\w-]{22}\/seen-elements\.js$/)
  const answer = await fetch(`${app.url}${path(href)}`)
  const file = join(import.meta.dirname, '../..', folder, 'seen-elements.js')
  expect([answer.status, await answer.text()]).toEqual([200, readFileSync(file, 'utf8')])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  })
  const styles = await fetch(`${app.url}${path(sheet.at('https://api.example').href('app-client.css'))}`)
  expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})

test('another hash, another name and a way out of the folder lead nowhere', async () => {
  const known = path(scripts.at('https://api.example').href('seen-elements.js'))
  const [, , hash = ''] = known.split('/')
  const statuses = await Promise.all(
    [
      known.replace(hash, 'A'.repeat(22)),
      `/assets/${hash}/values-of-world.js`,
      `/assets/${hash}/../../package.json`,
      `/assets/${hash}/..%2Fpage-script.ts`,
      `/assets/${hash}/`,
      '/assets/',
    ].map(async (asked) => (await bareRequest(`${app.url}`, { path: asked })).status),
  )
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
  expect((await bareRequest(app.url, { path: known })).status).toBe(200)
})

test('without one of its files a page ends the start, and says which', () => {
  expect(() => pageAssets(folder, ['nowhere.js'])).toThrow(/ENOENT.*in-page[\\/]nowhere\.js/)
})

test('a page allows its own files, of the kinds that it has, and nobody to frame it but whom it names', () => {
  const page = { status: 200, title: 'Toy', body: html`<h1>Toy</h1>` }
  const policyOf = (more: Partial<Parameters<typeof pageOf>[0]>) =>
    pageOf({ ...page, ...more }).headers['content-security-policy']?.replace(/'sha256-[^']+'/, 'INLINE')
  const source = /^.*\//.exec(scripts.at('https://api.example').href('seen-elements.js'))?.[0]
  expect(policyOf({})).toBe(
    "default-src 'none'; style-src INLINE; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  expect(policyOf({ assets: scripts.at('https://api.example'), framedBy: ['https://shop.example'] })).toBe(
    `default-src 'none'; style-src INLINE; script-src ${source}; form-action 'self'; ` +
      "frame-ancestors https://shop.example; base-uri 'none'",
  )
  expect(policyOf({ assets: sheet.at('https://api.example') })).toMatch(
    /^default-src 'none'; style-src INLINE https:\/\/api\.example\/assets\/[\w-]{22}\/; form-action/,
  )
  expect(pageOf(page).headers['x-frame-options']).toBe('DENY')
  expect(pageOf({ ...page, framedBy: ['https://shop.example'] }).headers).not.toHaveProperty(
    'x-frame-options',
  )
  const { html: text } = pageOf({ ...page, assets: scripts.at('https://api.example') })
  expect(text).toContain(`<script type="module" src="${source}page-of-world.js"></script>`)
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareRequest } from '../../../test/harness/bare-request.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ publicUrl: 'https://api.example' })
})
afterAll(() => app.stop())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const ask = (accept: string, method = 'GET') => bareRequest(`${app.url}/`, { method, headers: { accept } })

test('a browser gets a page that loads nothing, runs nothing and leads on', async () => {
  const page = await ask(browser)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const text = page.body.toString()
  expect(text).not.toMatch(/<script|<link|<img|<form|\son\w+=/)
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? ''
  const policy = page.headers['content-security-policy']
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
      `form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  )
  const leads = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
  expect(leads).toEqual(expect.arrayContaining(['docs', 'openapi.json', 'readyz']))
  for (const href of leads) expect([href, (await fetch(`${app.url}/${href}`)).status]).toEqual([href, 200])
})

test('the page shows an MCP configuration that can be pasted, with the address that agents reach, and no key', async () => {
  const text = (await ask(browser)).body.toString()
  const shown = /<pre[^>]*>([^<]*)<\/pre>/.exec(text)?.[1] ?? ''
  expect(JSON.parse(shown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))).toEqual({
    mcpServers: {
      prokura: {
        type: 'http',
        url: 'https://api.example/mcp/v1',
        headers: { Authorization: 'Bearer YOUR_AGENT_KEY' },
      },
    },
  })
  expect(text).not.toMatch(/pr_[sp]k_/)
})

test('a program gets JSON whose links lead on', async () => {
  for (const accept of ['*/*', 'application/json', 'text/plain']) {
    const { status, headers, body } = await ask(accept)
    expect([accept, status, headers['content-type']]).toEqual([
      accept,
      200,
      'application/json; charset=utf-8',
    ])
    expect(headers.vary).toBe('Accept, Accept-Encoding')
    const { name, version, links } = JSON.parse(body.toString())
    expect([name, version]).toEqual(['Prokura', expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    const { mcp, health, ...documents } = links
    for (const href of [...Object.values(documents), ...Object.values(health)])
      expect([href, (await fetch(`${app.url}/${href}`)).status]).toEqual([href, 200])
    expect((await fetch(`${app.url}/${mcp}`)).headers.get('allow')).toBe('POST')
  }
})

test('each of the two has a tag and a length of its own, which HEAD tells', async () => {
  const [page, json] = [await ask(browser), await ask('*/*')]
  expect(page.headers.etag).not.toBe(json.headers.etag)
  for (const [accept, got] of [
    [browser, page],
    ['*/*', json],
  ] as const) {
    const { headers, body } = await ask(accept, 'HEAD')
    expect([headers.etag, headers['content-type'], headers['content-length'], body.length]).toEqual([
      got.headers.etag,
      got.headers['content-type'],
      String(got.body.length),
      0,
    ])
  }
})

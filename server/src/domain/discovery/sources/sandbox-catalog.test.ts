import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '../../../platform/egress/egress.ts'
import { createCatalogSources } from './catalog-sources.ts'

const program = fileURLToPath(new URL('../../../../../sandbox/bin/prokura-sandbox.js', import.meta.url))
let url: string
let token: string
let stop: () => void

beforeAll(async () => {
  const state = mkdtempSync(join(tmpdir(), 'prokura-catalog-'))
  const args = [program, '--role', 'catalog', '--state', state, '--json', '--parent-pipe']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const started: Record<string, string> = JSON.parse(String(line))
  url = started.catalog_url ?? ''
  token = started.control_token ?? ''
  stop = () => {
    child.kill('SIGKILL')
    rmSync(state, { recursive: true, force: true })
  }
})
afterAll(() => stop())

/** Each with a circuit of its own. */
async function withCatalog<T>(
  transport: 'rest' | 'mcp',
  version: string,
  work: (sources: ReturnType<typeof createCatalogSources>) => Promise<T>,
): Promise<T> {
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [url] })
  const endpoint = transport === 'rest' ? url : `${url}/mcp`
  const sources = createCatalogSources({
    egress,
    publicUrl: 'https://prokura.example',
    newRequestId: randomUUID,
    readCatalogs: async () => [],
    globalCatalogs: { live: null, test: { endpoint, transport, version, token: null } },
    sourcesMax: 0,
    isBoughtElsewhere: () => false,
  })
  return work(sources).finally(() => egress.close())
}

const from = [{ id: 'global_catalog', cursor: null }]

test.each([
  ['rest', '2026-08-25'],
  ['rest', '2026-04-08'],
  ['mcp', '2026-08-25'],
  ['mcp', '2026-04-08'],
] as const)(
  'a stranger answers over %s in the release %s: search, lookup, product',
  async (transport, version) => {
    await withCatalog(transport, version, async (sources) => {
      const [page] = await sources.search('test', from, { query: 'brass lamps' })
      expect(page).toMatchObject({ status: 'ok', errorCode: null })
      expect(page?.products.length).toBe(20)
      expect(page?.next).not.toBeNull()
      const [first] = page?.products ?? []
      const id = first?.variants[0]?.id ?? ''
      const looked = await sources.lookup('test', 'global_catalog', [id, 'nothing'])
      expect(looked.products.map((one) => one.id)).toEqual([first?.id])
      const whole = await sources.product('test', 'global_catalog', id)
      expect(whole.products).toEqual([first])
      expect(await sources.product('test', 'global_catalog', 'nothing')).toMatchObject({
        errorCode: 'refused',
      })
    })
  },
)

test('nothing hostile that it says is left in what is read', async () => {
  await withCatalog('rest', '2026-08-25', async (sources) => {
    const said: string[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < 20; pages++) {
      const [page] = await sources.search('test', [{ id: 'global_catalog', cursor }], {
        filters: { available: true },
      })
      expect(page?.status).toBe('ok')
      said.push(...(page?.products ?? []).map(({ description }) => description))
      cursor = page?.next ?? null
    }
    expect(said).toHaveLength(400)
    expect(said.filter((text) => /<[a-z/!]|\]\(|[\u202a-\u202e]|\u{e0049}/iu.test(text))).toEqual([])
    // As data it stays.
    expect(said.some((text) => text.includes('Ignore all previous instructions'))).toBe(true)
  })
})

test.each([
  ['garbage', 'error', 'bad_answer'],
  ['huge', 'error', 'too_large'],
  ['endless', 'timeout', 'timeout'],
  ['hang', 'timeout', 'timeout'],
  ['redirect', 'error', 'bad_status'],
  ['wrong_schema', 'error', 'bad_answer'],
  ['wrong_currency', 'partial', 'products_left_out'],
  ['error', 'error', 'bad_status'],
  ['broken', 'error', 'unreachable'],
  ['slow', 'ok', null],
])('where it is %s, its status is %s', async (behavior, status, errorCode) => {
  const told = await fetch(`${url}/control/behavior`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ behavior, slow_ms: 100 }),
  })
  expect(told.status).toBe(200)
  const [answer] = await withCatalog('rest', '2026-08-25', (sources) =>
    sources.search('test', from, { query: 'tea' }),
  )
  expect(answer).toMatchObject({ status, errorCode })
})

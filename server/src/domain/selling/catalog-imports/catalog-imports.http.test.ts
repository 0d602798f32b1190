import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../../../../test/harness/app.ts'
import { runImports } from '../../../../test/harness/imports.ts'
import { type Faults, noFaults } from '../../../platform/faults/faults.ts'

let app: TestApp
let seller: TestAccount
beforeAll(async () => {
  app = await startTestApp({ contentBytesMax: 3_000_000 })
  seller = app.account
  await app.post('/v1/merchant', { slug: 'tea', domain: 'tea.example', currency: 'EUR' })
})
afterAll(() => app.stop())

const path = '/v1/merchant/catalog_items'
type Sent = { type?: string; query?: string; key?: string; idempotencyKey?: string }

async function send(file: string | Uint8Array, { type, query = '', key, idempotencyKey }: Sent = {}) {
  return app.post(`${path}/import${query}`, undefined, {
    raw: file,
    ...(key ? { key } : {}),
    headers: {
      'content-type': type ?? 'application/x-ndjson',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
  })
}

/** Sends a file, has it worked through, and answers what became of it. */
async function imported(file: string | Uint8Array, sent: Sent = {}) {
  const { status, body } = await send(file, sent)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'catalog_import',
    status: 'queued',
    progress: { rows: 0 },
    errors: [],
  })
  await runImports(app)
  const done = await app.get(`/v1/merchant/catalog_imports/${body.id}`, sent.key ? { key: sent.key } : {})
  expect(done.status).toBe(200)
  return done.body
}

const lines = (...items: object[]) => items.map((item) => JSON.stringify(item)).join('\n')
const progress = (created: number, updated: number, unchanged: number, failed: number) =>
  expect.objectContaining({
    rows: created + updated + unchanged + failed,
    created,
    updated,
    unchanged,
    failed,
  })
test('rows create items, and the same file a second time changes nothing', async () => {
  const file = lines(
    {
      handle: 'green',
      title: 'Green tea',
      url: 'https://tea.example/green',
      status: 'published',
      options: [{ name: 'Weight', values: ['100 g', '500 g'] }],
      variants: [
        { sku: 'G-1', price: 590, quantity: 4, options: [{ name: 'Weight', value: '100 g' }] },
        { sku: 'G-5', price: 2400, options: [{ name: 'Weight', value: '500 g' }] },
      ],
      media: [{ url: 'https://cdn.example/green.jpg' }],
      metadata: { shelf: '7' },
    },
    { handle: 'black', title: 'Black tea' },
  )
  const first = await imported(file)
  expect(first).toMatchObject({ status: 'completed', progress: progress(2, 0, 0, 0), failure: null })
  expect(first.progress.bytes).toBe(first.bytes)
  const { data } = (await app.get(`${path}?q=green`)).body
  expect(data[0]).toMatchObject({ status: 'published', handle: 'green', url: 'https://tea.example/green' })
  expect(data[0].variants[0]).toMatchObject({ sku: 'G-1', price: 590, currency: 'EUR', quantity: 4 })
  expect(await imported(file)).toMatchObject({ status: 'completed', progress: progress(0, 0, 2, 0) })
  expect((await app.get(`${path}?q=green`)).body.data).toEqual(data)
  expect(await app.sql('select from catalog_import_pieces')).toEqual([])
})

test('a row for an item that is there changes what it names, keeps the ids of variants, and leaves the rest', async () => {
  await imported(
    lines({
      handle: 'mug',
      title: 'Mug',
      variants: [
        { sku: 'M-1', price: 100 },
        { sku: 'M-2', price: 200 },
      ],
    }),
  )
  const before = (await app.get(`${path}?q=mug`)).body.data[0]
  const changed = await imported(
    lines(
      {
        handle: 'mug',
        variants: [
          { sku: 'M-2', price: 250 },
          { sku: 'M-3', price: 300 },
        ],
      },
      { id: before.id, description: 'Blue' },
    ),
  )
  expect(changed.progress).toEqual(progress(0, 2, 0, 0))
  const after = (await app.get(`${path}/${before.id}`)).body
  expect(after).toMatchObject({ title: 'Mug', description: 'Blue', handle: 'mug' })
  expect(after.variants.map(({ id, sku, price }: Record<string, unknown>) => [id, sku, price])).toEqual([
    [before.variants[1].id, 'M-2', 250],
    [expect.any(String), 'M-3', 300],
  ])
  // It is changed by itself again like any other, and its events begin here.
  expect((await app.post(`${path}/${before.id}`, { title: 'Cup' })).status).toBe(200)
})

test('a bad row is reported with its line and field and without its text, and no other row is lost', async () => {
  const secret = 'never-shown'
  const file = [
    '{"handle":"good-1"}',
    `{"handle":"bad-1","variants":[{"price":"${secret}"}],"colour":"${secret}"}`,
    `{"handle":`,
    '',
    `{"title":"${secret}"}`,
    '{"handle":"bad-2","url":"https://elsewhere.example/x"}',
    '{"handle":"bad-3","status":"published"}',
    '{"handle":"good-2"}',
  ].join('\n')
  const done = await imported(file)
  expect(done).toMatchObject({ status: 'completed', progress: progress(2, 0, 0, 5) })
  expect(done.errors.map(({ line, loc, type }: Record<string, unknown>) => [line, loc, type])).toEqual([
    [2, ['variants', 0, 'price'], 'int_type'],
    [2, ['colour'], 'extra_forbidden'],
    [3, [], 'json_invalid'],
    [5, ['id'], 'missing'],
    [6, ['url'], 'value_error'],
    [7, ['status'], 'item_not_publishable'],
  ])
  const paged = (await app.get(`/v1/merchant/catalog_imports/${done.id}/errors?limit=2&offset=4`)).body
  expect(paged).toMatchObject({ total: 6, has_more: false, data: done.errors.slice(4) })
  expect(JSON.stringify([done, paged])).not.toContain(secret)
})

test('handles and URLs belong to one item, within a file and beside it, and may pass from one to the next', async () => {
  await imported(
    lines(
      { handle: 'own-1', url: 'https://tea.example/1' },
      { handle: 'own-2', url: 'https://tea.example/2' },
    ),
  )
  const [two, one] = (await app.get(`${path}?q=own-`)).body.data
  const done = await imported(
    lines(
      { handle: 'own-3', url: 'https://tea.example/1' },
      { id: two.id, url: 'https://tea.example/3' },
      { id: one.id, url: 'https://tea.example/2' },
      { handle: 'own-4', url: 'https://tea.example/1' },
      { id: one.id, handle: 'own-2' },
    ),
  )
  expect(done.progress).toEqual(progress(1, 2, 0, 2))
  expect(done.errors.map(({ line, loc, type }: Record<string, unknown>) => [line, loc, type])).toEqual([
    [1, ['url'], 'handle_in_use'],
    [5, ['handle'], 'handle_in_use'],
  ])
})

test('CSV is read by its Content-Type, and a file whose columns make no sense fails as a whole', async () => {
  const done = await imported(
    '\uFEFFhandle,title,variant_price,variant_quantity\r\ncsv-1,"One, and ""only""",590,3\r\n',
    {
      type: 'text/csv; charset=utf-8',
      query: '?publish=true',
    },
  )
  expect(done).toMatchObject({ format: 'csv', publish: true, progress: progress(1, 0, 0, 0) })
  expect((await app.get(`${path}?q=csv-1`)).body.data[0]).toMatchObject({
    title: 'One, and "only"',
    status: 'published',
    variants: [{ price: 590, quantity: 3 }],
  })
  const failed = await imported('name;price\n', { type: 'text/csv' })
  expect(failed).toMatchObject({
    status: 'failed',
    failure: expect.stringContaining('Separate all cells by commas'),
  })
})

test('a file that is packed, or in another encoding than UTF-8, is refused with that reason', async () => {
  const file = 'handle,title\noolong,Oolong\n'
  const encoded = await imported(Buffer.from(`\ufeff${file}`, 'utf16le'), { type: 'text/csv' })
  expect(encoded).toMatchObject({ status: 'failed', progress: progress(0, 0, 0, 0) })
  expect(encoded.failure).toBe('The file is in UTF-16. Save it as UTF-8, and import that file.')
  const packed = await app.post(`${path}/import`, undefined, {
    raw: gzipSync(file),
    headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
  })
  expect([packed.status, packed.body.detail.message]).toEqual([
    415,
    'Send the file as it is, without a Content-Encoding.',
  ])
  const mistyped = await send(file, { type: 'text/plain' })
  expect([mistyped.status, mistyped.body.detail.message]).toEqual([
    415,
    'Send the file as `application/x-ndjson` or `application/jsonl` or `text/csv`.',
  ])
})

test('an export can be imported unchanged, page by page and as a whole file', async () => {
  for (const [type, format] of [
    ['application/x-ndjson', 'json_lines'],
    ['text/csv', 'csv'],
  ] as const) {
    const file = await app.request('GET', `${path}/export`, { headers: { accept: type } })
    expect(file.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="catalog-items\.(csv|ndjson)"$/,
    )
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.headers.get('cache-control')).toBe('private, no-store')
    const { progress: whole } = await imported(file.body, { type })
    expect(whole).toEqual(progress(0, 0, whole.rows, 0))
    expect(whole.rows).toBeGreaterThan(5)
    let rows = 0
    for (let after: string | null = ''; after !== null; ) {
      const page: Awaited<ReturnType<TestApp['get']>> = await app.get(
        `${path}/export?format=${format}&limit=3${after && `&after=${after}`}`,
      )
      const done = await imported(page.body.content, { type })
      expect(done.progress).toEqual(progress(0, 0, page.body.items, 0))
      rows += page.body.items
      after = page.body.next_after
    }
    expect(rows).toBe(whole.rows)
  }
})

test('no cell of an exported table is a formula, and it imports as the same items', async () => {
  const other = await app.newAccount('Formulas')
  const given = { key: other.keys.secret_test }
  const texts = ['=HYPERLINK("https://evil.example")', '+1', '-1', '@SUM(A1)', "'=1", "'tis", 'plain']
  for (const [n, text] of texts.entries()) {
    const item = { handle: `formula-${n}`, title: text, description: `${text} more`, categories: [text] }
    const created = await app.post('/v1/merchant/catalog_items', item, given)
    expect(created.status).toBe(201)
  }
  const { body: file } = await app.request('GET', `${path}/export`, {
    ...given,
    headers: { accept: 'text/csv' },
  })
  for (const cell of String(file).split(/\r\n|,/)) expect(cell).not.toMatch(/^"?[=+\-@\t\r]/)
  const before = await app.get('/v1/merchant/catalog_items', given)
  const { progress: done } = await imported(file, { type: 'text/csv', key: given.key })
  expect(done).toEqual(progress(0, 0, texts.length, 0))
  const after = await app.get('/v1/merchant/catalog_items', given)
  expect(after.body.data).toEqual(before.body.data)
  expect(after.body.data.map(({ title }: { title: string }) => title).sort()).toEqual([...texts].sort())
})

test('a file of many pieces and batches that dies again and again repeats nothing and loses nothing', async () => {
  const other = await app.newAccount('Large')
  const key = other.keys.secret_test
  const count = 2600
  const file = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      handle: `item-${n}`,
      title: `Item ${n}`,
      description: 'x'.repeat(300),
      variants: [{ sku: `S-${n}` }],
    }),
  )
  file[1234] = '{"broken'
  const { body } = await send(file.join('\r\n'), { key })
  let passed = 0
  // Before a commit or after it: what was not committed is done again, and what was is not.
  const dying = (point: string): Faults => ({
    at: async (name) => {
      if (name === point && ++passed % 3 === 0) throw new Error('killed')
    },
    pause: noFaults.pause,
  })
  for (const point of ['step.commit.before', 'step.commit.after', 'step.commit.before', 'step.commit.after'])
    await runImports(app, dying(point))
  await runImports(app)
  const done = (await app.get(`/v1/merchant/catalog_imports/${body.id}`, { key })).body
  expect(done).toMatchObject({ status: 'completed', progress: progress(count - 1, 0, 0, 1) })
  expect(done.errors.map(({ line }: { line: number }) => line)).toEqual([1235])
  const [{ counted, handles } = { counted: 0, handles: 0 }] = await app.sql<{
    counted: number
    handles: number
  }>(
    'select count(*)::int as counted, count(distinct handle)::int as handles from catalog_items where account_id = $1',
    [other.accountId],
  )
  expect([counted, handles]).toEqual([count - 1, count - 1])
  const events = await app.sql<{ type: string; sequence: number; object: string }>(
    'select type, sequence, object from events where aggregate_id = $1 order by sequence',
    [body.id],
  )
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  const batches = events.filter(({ type }) => type === 'catalog_import.progressed')
  expect(batches.flatMap(({ object }) => JSON.parse(object).created)).toHaveLength(count - 1)
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      'catalog_import.created',
      'catalog_import.started',
      'catalog_import.progressed',
      'catalog_import.completed',
    ]),
  )
})

test('imports of one catalogue run in the order in which they came, and a cancelled one leaves the rest', async () => {
  const first = (await send(lines({ handle: 'turn', title: 'First' }))).body
  const second = (await send(lines({ handle: 'turn', title: 'Second' }))).body
  const third = (await send(lines({ handle: 'turn', title: 'Third' }))).body
  const cancelled = await app.post(`/v1/merchant/catalog_imports/${third.id}/cancel`)
  expect(cancelled.body).toMatchObject({ status: 'cancelled' })
  expect((await app.post(`/v1/merchant/catalog_imports/${third.id}/cancel`)).body).toEqual(cancelled.body)
  await runImports(app)
  expect((await app.get(`${path}?q=turn`)).body.data[0].title).toBe('Second')
  const list = (await app.get(`/v1/merchant/catalog_imports?limit=3`)).body
  expect(list.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    [third.id, 'cancelled'],
    [second.id, 'completed'],
    [first.id, 'completed'],
  ])
  expect((await app.get(`/v1/merchant/catalog_imports?status=queued`)).body.data).toEqual([])
  expect((await app.post(`/v1/merchant/catalog_imports/${first.id}/cancel`)).body.status).toBe('completed')
})

test('an idempotency key makes one import and compares the bytes of the file, over REST and MCP', async () => {
  const file = lines({ handle: 'once' })
  const first = await send(file, { idempotencyKey: 'file-1' })
  const again = await send(file, { idempotencyKey: 'file-1' })
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await send(`${file}\n`, { idempotencyKey: 'file-1' })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
  const args = { body: file, format: 'json_lines', idempotency_key: 'file-1' }
  expect((await app.mcp('v1_create_merchant_catalog_import', args)).body).toEqual(first.body)
  await runImports(app)
})

test('a tool takes a file as text', async () => {
  const made = await app.mcp('v1_create_merchant_catalog_import', {
    body: 'handle,title\ntool,By a tool\n',
    format: 'csv',
  })
  expect([made.status, made.body.format]).toEqual([201, 'csv'])
  await runImports(app)
  const done = await app.mcp('v1_get_merchant_catalog_import', { import_id: made.body.id })
  expect(done.body).toMatchObject({ status: 'completed', progress: progress(1, 0, 0, 0) })
  const refused = await app.mcp('v1_create_merchant_catalog_import', { body: {}, format: 'csv' })
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body']])
})

test('another content type and a file over the limit are refused, said beforehand or not, and leave nothing', async () => {
  const before = await app.sql('select from catalog_imports')
  const json = await send('{}', { type: 'application/json' })
  expect([json.status, json.body.detail.code]).toEqual([415, 'unsupported_media_type'])
  const large = Buffer.alloc(3_000_001, 0x20)
  const announced = await send(large)
  expect([announced.status, announced.body.detail.code]).toEqual([413, 'payload_too_large'])
  const chunked = await fetch(`${app.url}${path}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seller.keys.secret_test}`, 'content-type': 'text/csv' },
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(chunked.status).toBe(413)
  expect(await app.sql('select from catalog_imports')).toHaveLength(before.length)
  expect(await app.sql('select from catalog_import_pieces')).toEqual([])
})

test("another account's import, or one of another mode, is unknown", async () => {
  const { body } = await send(lines({ handle: 'mine' }))
  for (const key of [app.stranger.keys.secret_test, app.account.keys.secret_live]) {
    for (const answer of [
      await app.get(`/v1/merchant/catalog_imports/${body.id}`, { key }),
      await app.get(`/v1/merchant/catalog_imports/${body.id}/errors`, { key }),
      await app.post(`/v1/merchant/catalog_imports/${body.id}/cancel`, undefined, { key }),
    ]) {
      expect([answer.status, answer.body.detail.code, answer.body.detail.param]).toEqual([
        404,
        'not_found',
        'import_id',
      ])
    }
    expect((await app.get(`/v1/merchant/catalog_imports`, { key })).body.data).toEqual([])
  }
  await runImports(app)
})

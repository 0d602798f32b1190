import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { ItemImport } from '../../src/domain/selling/catalog/public.ts'
import { readSchema, type SchemaNode } from '../../src/schema/schema-node.ts'
import { compileSchema } from '../../src/schema/validation.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { formatSamples, sampleOf } from '../suites/sample.ts'

const card = '4242-4242-4242-4242'

/** Texts that are not checked, each with its reason. All other texts of callers are. */
const exempt: readonly { reason: string; isExempt: (place: Place) => boolean }[] = [
  {
    reason: 'its format or pattern takes no such number',
    isExempt: ({ node }) => node.format !== undefined && shortFormats.has(node.format),
  },
  { reason: 'its format or pattern takes no such number', isExempt: ({ node }) => !takesDigits(node) },
  {
    reason: 'an identifier of ours or of the caller, or a filter by one',
    isExempt: ({ name }) =>
      /(?:^|_)ids?$|^(?:handle|slug|merchant_slug|idempotency_key|after)$/.test(name) ||
      ['last_event_id', 'service_webhook_id'].includes(name),
  },
  {
    reason: 'a reference',
    isExempt: ({ name }) => /(?:_reference|^reference_id|^tracking_number)$/.test(name),
  },
  { reason: 'a barcode or SKU', isExempt: ({ name }) => name === 'barcode' || name === 'sku' },
  {
    reason: 'an address on the web',
    isExempt: ({ name, node }) =>
      name === 'return_url' || name === 'refresh_url' || /url$|^domain$/.test(node.format ?? ''),
  },
  { reason: 'a phone number', isExempt: ({ node }) => node.format === 'phone' },
  {
    reason: 'a token or proof, which is compared and never stored as it is',
    isExempt: ({ name, path }) =>
      name === 'assertion' || name === 'cursor' || /payment_verification\.code$|^body\.code$/.test(path),
  },
  {
    reason: 'a file, whose rows are looked at one by one',
    isExempt: ({ operation, path }) => operation === 'v1_create_merchant_catalog_import' && path === 'body',
  },
  {
    reason: 'an amount in units so small that prices have as many digits',
    isExempt: ({ path }) => path === 'body.offers[].amount',
  },
  {
    reason: 'what a client repeats of a chat: only its last text is read, and that is looked at by itself',
    isExempt: ({ operation, path }) =>
      operation === 'v1_create_chat_message' && /^body\.(?:\*|messageId|messages\[\]\.\*)$/.test(path),
  },
  {
    reason: 'only looked for, never stored',
    isExempt: ({ path }) => ['query.q', 'query.mpp_category'].includes(path),
  },
]

const shortFormats = new Set(['country', 'currency', 'date-time', 'timezone', 'locale', 'mcc'])

function takesDigits({ pattern }: Text): boolean {
  if (pattern === undefined) return true
  return ['4242424242424242', 'x4242424242424242', card].some((text) => new RegExp(pattern, 'u').test(text))
}

type Text = Extract<SchemaNode, { kind: 'string' }>
type Place = { operation: string; path: string; name: string; node: Text; isKey: boolean }

function* textsOf(node: SchemaNode, place: Omit<Place, 'node'>): Generator<Place> {
  const within = (name: string) => ({ ...place, path: `${place.path}.${name}`, name })
  switch (node.kind) {
    case 'string':
      yield { ...place, node }
      return
    case 'any':
      yield { ...place, node: anyText }
      return
    case 'array':
      yield* textsOf(node.items, { ...place, path: `${place.path}[]` })
      return
    case 'object':
      for (const [name, { node: property }] of node.properties) yield* textsOf(property, within(name))
      // What is looked at as a whole needs no mark within.
      if (node.noCardNumber) return
      if (node.keys) yield* textsOf(node.keys, { ...within('*key'), isKey: true })
      if (node.extras) yield* textsOf(node.extras, within('*'))
      return
    case 'union':
      for (const variant of node.variants) yield* textsOf(variant, place)
      return
    case 'all':
      for (const part of node.parts) yield* textsOf(part, place)
      return
    default:
  }
}

const anyText: Text = {
  kind: 'string',
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  format: undefined,
  noCardNumber: false,
}

const requests = operations.flatMap(({ id, params, query, headers, body }) =>
  Object.entries({ params, query, headers, body }).flatMap(([section, schema]) =>
    schema ? [{ operation: id, section, schema }] : [],
  ),
)
// Rows of a file that is imported are no request of their own.
const rows = { operation: 'a row of an import', section: 'body', schema: ItemImport }
const places = [...requests, rows].flatMap(({ operation, section, schema }) => [
  ...textsOf(readSchema(schema), { operation, path: section, name: section, isKey: false }),
])

test('every text that a caller may write is looked at for card numbers, or is exempt for a reason', () => {
  const forgotten = places
    .filter(({ node }) => !node.noCardNumber)
    .filter((place) => !exempt.some(({ isExempt }) => isExempt(place)))
    .map(({ operation, path }) => `${operation} ${path}`)
  expect(forgotten).toEqual([])
  expect(places.filter(({ node }) => node.noCardNumber).length).toBeGreaterThan(100)
})

test('every exemption exempts something', () => {
  for (const { reason, isExempt } of exempt) expect(places.some(isExempt), reason).toBe(true)
})

/** Requests that hold a text at one place that is looked at, all of them. */
function* writtenInto(node: SchemaNode, text: string): Generator<unknown> {
  switch (node.kind) {
    case 'string':
      if (node.noCardNumber) yield fitting(node, text)
      return
    case 'array':
      for (const item of writtenInto(node.items, text)) yield [item]
      return
    case 'object': {
      const usual: unknown = sampleOf(node, () => undefined)
      const base = typeof usual === 'object' ? usual : {}
      for (const [name, { node: property }] of node.properties)
        for (const value of writtenInto(property, text)) yield { ...base, [name]: value }
      if (node.noCardNumber)
        yield* [
          { ...base, [text]: 1 },
          { ...base, a: [{ b: `of ${text}` }] },
        ]
      if (node.extras) for (const value of writtenInto(node.extras, text)) yield { ...base, a: value }
      if (node.keys?.kind === 'string' && node.keys.noCardNumber) yield { ...base, [text]: 'a' }
      return
    }
    case 'union':
      for (const variant of node.variants) yield* writtenInto(variant, text)
      return
    case 'all':
      for (const part of node.parts) yield* writtenInto(part, text)
      return
    default:
  }
}

function fitting(node: Text, text: string): string {
  if (node.format === 'email')
    return text === harmless ? (formatSamples.email?.[0] ?? '') : `${text}@example.com`
  const { pattern } = node
  if (pattern === undefined) return text
  const plain = text.replaceAll('-', '')
  return [text, plain, `a${plain}`].find((one) => new RegExp(pattern, 'u').test(one)) ?? text
}

const harmless = 'a'
const refusal = 'value must not contain a card number'

test('a card number at any of these places is refused where another text is taken, and not repeated', () => {
  let taken = 0
  for (const { operation, section, schema } of [...requests, rows]) {
    if (section !== 'body') continue
    const validator = compileSchema(schema, 'body')
    const node = readSchema(schema)
    const others = [...writtenInto(node, harmless)]
    for (const [index, body] of [...writtenInto(node, card)].entries()) {
      const said = JSON.stringify(validator.check(body) ? null : validator.errors(body))
      expect(said, `${operation} ${JSON.stringify(body)}`).not.toBe('null')
      expect(said, operation).not.toMatch(/4242/)
      if (!validator.check(others[index])) continue
      taken++
      expect(said, operation).toContain(refusal)
    }
  }
  expect(taken).toBeGreaterThan(100)
})

const nothing = { method: '', path: '', scope: null }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkReplies: false })
})
afterAll(() => app.stop())

test('over HTTP each is 422, and no table holds a digit of it afterwards', async () => {
  let asked = 0
  for (const { operation, section, schema } of requests) {
    if (section !== 'body') continue
    const { method, path, scope } = operations.find(({ id }) => id === operation) ?? nothing
    // No key may call it, whatever is in the request.
    const isForPeople = scope !== null && product.scopes.facts.get(scope)?.isForPeople
    const at = path.replaceAll(/\{\w+\}/g, 'unknown')
    for (const body of writtenInto(readSchema(schema), card)) {
      const headers = { 'idempotency-key': `card-${asked++}` }
      const { status, body: answer } = await app.request(method, at, { body, headers })
      // A signed answer is asked for its signature first.
      expect(isForPeople ? [403] : [422, 401, 404], `${operation} ${JSON.stringify(answer)}`).toContain(
        status,
      )
      expect(JSON.stringify(answer), operation).not.toMatch(/4242/)
    }
  }
  expect(asked).toBeGreaterThan(150)
  expect(app.bugs).toEqual([])
  const tables = await app.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'vault')`,
  )
  expect(tables.length).toBeGreaterThan(40)
  for (const { name } of tables) {
    const [row] = await app.sql<{ found: number }>(
      `select count(*)::int as found from ${name} t where t::text ~ '4242-?4242'`,
    )
    expect(row?.found, name).toBe(0)
  }
})

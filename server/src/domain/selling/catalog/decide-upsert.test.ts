import { expect, test } from 'vitest'
import type { MerchantRecord } from '../merchant/public.ts'
import { planUpserts, type UpsertFacts, type UpsertPlan } from './decide-upsert.ts'
import type { ItemRow } from './item.ts'
import type { ItemImport } from './item-import.ts'

const earlier = new Date('2030-01-01T00:00:00Z')
const now = new Date('2030-01-02T00:00:00Z')

const merchant: MerchantRecord = {
  account_id: 'acct_1',
  mode: 'test',
  slug: 'tea',
  domain: 'tea.example',
  domain_verified_at: null,
  verification_token: 'token',
  name: null,
  mcc: null,
  country: null,
  mcc_confirmed: null,
  country_confirmed: null,
  currency: 'EUR',
  tax_basis_points: 0,
}

function factsWith(changes: Partial<UpsertFacts> = {}): UpsertFacts {
  let made = 0
  const tenant = { accountId: 'acct_1', mode: 'test' } as const
  return { tenant, merchant, now, publish: false, newId: (prefix) => `${prefix}_new${++made}`, ...changes }
}

function itemOf(changes: Partial<ItemRow> = {}): ItemRow {
  return {
    account_id: 'acct_1',
    mode: 'test',
    id: 'cat_1',
    handle: 'tea',
    title: 'Tea',
    description: null,
    url: null,
    url_key: null,
    item_type: 'product',
    categories: [],
    media: [],
    options: [],
    variants: [],
    required_inputs: [],
    status: 'draft',
    metadata: {},
    seq: 3,
    created_at: earlier,
    updated_at: earlier,
    published_at: null,
    archived_at: null,
    ...changes,
  }
}

const variant = {
  id: 'var_1' as const,
  sku: 'T-1',
  barcode: null,
  title: null,
  price: 100,
  currency: 'EUR',
  availability: 'in_stock' as const,
  quantity: 4,
  weight_grams: null,
  fulfillment_label: null,
  options: [],
}

const plan = (rows: ItemImport[], known: ItemRow[] = [], facts = factsWith()) =>
  planUpserts(rows, known, facts)
const kinds = ({ outcomes }: UpsertPlan) =>
  outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.issues[0]?.type : outcome.kind))

test('a row is found by its id, and by its handle where the id is unknown or missing', () => {
  const known = [itemOf()]
  expect(kinds(plan([{ id: 'cat_1', title: 'A' }], known))).toEqual(['updated'])
  expect(kinds(plan([{ handle: 'tea', title: 'A' }], known))).toEqual(['updated'])
  expect(kinds(plan([{ id: 'cat_other', handle: 'tea', title: 'A' }], known))).toEqual(['updated'])
  expect(kinds(plan([{ id: 'cat_other', handle: 'mug' }], known))).toEqual(['created'])
  expect(kinds(plan([{ id: 'cat_other' }, { title: 'A' }], known))).toEqual(['missing', 'missing'])
})

test('an archived item is not brought back by its id, and has given its handle free', () => {
  const known = [itemOf({ status: 'archived' })]
  expect(kinds(plan([{ id: 'cat_1', title: 'A' }, { handle: 'tea' }], known))).toEqual([
    'item_archived',
    'created',
  ])
})

test('members that a row leaves out stay, equal members are no change, and events are not counted', () => {
  const before = itemOf({ variants: [variant], categories: ['Tea'], metadata: { b: '2', a: '1' } })
  const same = { handle: 'tea', title: 'Tea', categories: ['Tea'], metadata: { a: '1', b: '2' } }
  expect(plan([same], [before])).toMatchObject({
    outcomes: [{ kind: 'unchanged' }],
    updates: [],
    inserts: [],
  })
  const { updates } = plan([{ handle: 'tea', description: 'Hot' }], [before])
  expect(updates).toEqual([{ ...before, description: 'Hot', updated_at: now }])
})

test('several rows for one item are one write, and the last one holds', () => {
  const { outcomes, inserts, updates } = plan(
    [
      { handle: 'mug', title: 'A' },
      { handle: 'mug', title: 'B' },
      { id: 'cat_1', title: 'C' },
      { handle: 'tea', title: 'Tea' },
    ],
    [itemOf()],
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'updated', 'updated', 'updated'])
  expect(inserts.map(({ title }) => title)).toEqual(['B'])
  expect(updates.map(({ title }) => title)).toEqual(['Tea'])
})

test.each([
  ['by id', [{ id: 'var_1', price: 200 }], 'var_1'],
  ['by SKU', [{ sku: 'T-1', price: 200 }], 'var_1'],
  ['by SKU, with any id from another catalog', [{ id: 'var_far', sku: 'T-1', price: 200 }], 'var_1'],
  ['by what it chooses, where one of the two has no SKU', [{ price: 200 }], 'var_1'],
  ['as a new one, where its SKU is another', [{ sku: 'T-2', price: 200 }], 'var_new1'],
])('a variant is recognised %s', (_, variants, id) => {
  const { updates } = plan([{ handle: 'tea', variants }], [itemOf({ variants: [variant] })])
  expect(updates[0]?.variants.map((each) => [each.id, each.price])).toEqual([[id, 200]])
})

test('two rows of variants are never taken for one', () => {
  const { updates } = plan(
    [{ handle: 'tea', variants: [{ price: 1 }, { price: 2 }] }],
    [itemOf({ variants: [variant] })],
  )
  expect(updates[0]?.variants.map(({ id }) => id)).toEqual(['var_1', 'var_new1'])
})

test('a handle or a URL of another item is refused, unless that item has just given it up', () => {
  const url = 'https://tea.example/1'
  const known = [itemOf({ url, url_key: url }), itemOf({ id: 'cat_2', handle: 'mug' })]
  expect(
    kinds(
      plan(
        [
          { id: 'cat_2', handle: 'tea' },
          { id: 'cat_2', url },
        ],
        known,
      ),
    ),
  ).toEqual(['handle_in_use', 'handle_in_use'])
  expect(
    kinds(
      plan(
        [
          { id: 'cat_1', handle: 'pot', url: null },
          { id: 'cat_2', handle: 'tea', url },
        ],
        known,
      ),
    ),
  ).toEqual(['updated', 'updated'])
})

test('a row publishes what can be published: as a fault where it asks for it, silently where the file does', () => {
  const sold = { handle: 'mug', title: 'Mug', variants: [{ price: 100 }] }
  const whole = factsWith({ publish: true })
  expect(plan([{ ...sold, status: 'published' }]).inserts[0]).toMatchObject({
    status: 'published',
    published_at: now,
  })
  expect(plan([sold], [], whole).inserts[0]?.status).toBe('published')
  expect(plan([{ ...sold, status: 'draft' }], [], whole).inserts[0]?.status).toBe('draft')
  expect(kinds(plan([{ handle: 'mug', status: 'published' }]))).toEqual(['item_not_publishable'])
  expect(plan([{ handle: 'mug' }], [], whole).inserts[0]?.status).toBe('draft')
})

test('a published item is not taken back, and keeps what publishing needed', () => {
  const known = [itemOf({ status: 'published', variants: [variant], published_at: earlier })]
  expect(kinds(plan([{ handle: 'tea', status: 'draft' }], known))).toEqual(['unchanged'])
  expect(kinds(plan([{ handle: 'tea', title: null }], known))).toEqual(['item_not_publishable'])
})

test('a refusal of the domain names the field in the row', () => {
  const { outcomes } = plan([
    { handle: 'a', url: 'https://elsewhere.example/' },
    { handle: 'b', variants: [{ sku: 'S' }, { sku: 'S' }] },
  ])
  expect(
    outcomes.map((outcome) => outcome.kind === 'refused' && outcome.issues.map(({ loc }) => loc)),
  ).toEqual([[['url']], [['variants', 1, 'sku']]])
})

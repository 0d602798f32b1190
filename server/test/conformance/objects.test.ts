import { expect, test } from 'vitest'
import { operations } from '../../src/composition.ts'
import { isObject } from '../../src/schema/schema-node.ts'

/** What is answered once and kept nowhere, and what never changes: it was not updated, and mostly has no id. */
const otherwise: ReadonlySet<string> = new Set([
  'list',
  'event',
  'control',
  'cart_result',
  'catalog_export',
  'catalog_product_pending',
  'chat_export',
  'destination_recovery',
  'evidence_bundle',
  'payout_account_link',
  // One person is of an account, in both of its modes.
  'person',
  'policy_simulation',
  'purchase_intent_evidence',
  'purchase_intent_preview',
  'rate_calculation',
  'shop_answer',
  'shop_check',
])

const head = ['id', 'object', 'mode', 'created_at', 'updated_at']

/** Every schema within a schema that says which object it is. */
function objectsIn(schema: unknown): { name: string; members: string[]; required: unknown }[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsIn)
  if (!isObject(schema)) return []
  const { properties, required } = schema
  const noun = isObject(properties) && isObject(properties.object) ? properties.object.const : undefined
  const own =
    typeof noun === 'string' ? [{ name: noun, members: Object.keys(properties ?? {}), required }] : []
  return [...own, ...Object.values(schema).flatMap(objectsIn)]
}

test('every object that is answered has an id, its type, its mode, and when it was made and changed', () => {
  const answers = operations.flatMap(({ responses }) => Object.values(responses).flatMap(objectsIn))
  const kept = answers.filter(({ name }) => !otherwise.has(name))
  expect(new Set(kept.map(({ name }) => name)).size).toBeGreaterThan(15)
  for (const { name, required } of kept) expect(required, name).toEqual(expect.arrayContaining(head))
  expect(kept.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cart', 'audit_row', 'purchase_intent']),
  )
})

/** A product has the form of UCP's catalog, whoever sells it. */
const ofProtocols: ReadonlySet<string> = new Set(['v1_get_catalog_product'])

/** What an operation answers with: an object, or the entries of a list of them. */
function answeredBy(schema: unknown): unknown[] {
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const { object, data } = schema.properties
  const isList = isObject(object) && object.const === 'list'
  return isList && isObject(data) ? [data.items] : [schema]
}

test('what has an id of its own says which object it is', () => {
  const nameless = operations.flatMap(({ id, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) < 300)
      .flatMap(([, schema]) => answeredBy(schema))
      .filter((schema) => isObject(schema) && isObject(schema.properties))
      .filter((schema) => 'id' in (schema as Named).properties && !('object' in (schema as Named).properties))
      .map(() => id),
  )
  expect(nameless.filter((id) => !ofProtocols.has(id))).toEqual([])
})

type Named = { properties: Record<string, unknown> }

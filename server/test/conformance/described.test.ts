import { expect, test } from 'vitest'
import { operations, product } from '../../src/composition.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { isObject } from '../../src/schema/schema-node.ts'

type Member = Record<string, unknown>

/** Where a field stands whose meaning nobody says: neither the field itself, nor the component that it is. */
function undescribed(document: object): string[] {
  const components = membersOf(membersOf(membersOf(document).components).schemas)
  const isSaid = (schema: unknown): boolean => {
    if (!isObject(schema)) return false
    if (typeof schema.description === 'string' && schema.description !== '') return true
    const component = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
    if (component !== undefined) return isSaid(components[component])
    return Array.isArray(schema.anyOf) && schema.anyOf.some(isSaid)
  }
  function within(schema: unknown, place: string): string[] {
    if (Array.isArray(schema)) return schema.flatMap((each) => within(each, place))
    if (!isObject(schema)) return []
    // Clauses between members name fields that are described elsewhere.
    const { allOf: _, ...told } = schema
    const fields = told.type === undefined ? [] : Object.entries(membersOf(told.properties))
    return [
      ...fields.filter(([, field]) => !isSaid(field)).map(([name]) => `${place}.${name}`),
      ...Object.entries(told).flatMap(([name, each]) =>
        within(each, name === 'properties' ? place : `${place}/${name}`),
      ),
    ]
  }
  return Object.entries(components).flatMap(([name, schema]) => within(schema, name))
}

function membersOf(value: unknown): Member {
  return isObject(value) ? value : {}
}

test('every field of every schema says what it means', () => {
  expect(undescribed(openApiDocument(operations, product))).toEqual([])
})

test('a field that says nothing is found, wherever it stands', () => {
  const silent = {
    type: 'object',
    properties: { loud: { type: 'string', description: 'Heard.' }, still: { type: 'string' } },
  }
  const schemas = {
    Thing: { type: 'object', properties: { parts: { type: 'array', description: 'Parts.', items: silent } } },
  }
  expect(undescribed({ components: { schemas } })).toEqual(['Thing/parts/items.still'])
})

test('no generated name is longer than a line can bear, and every body has one', () => {
  const { paths, components } = openApiDocument(operations, product)
  const names = Object.keys(components.schemas ?? {})
  expect(names.filter((name) => name.length > 40)).toEqual([])
  const inline = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ requestBody }) => isObject(requestBody))
    .filter(({ requestBody }) => !/^\{"(?:\$ref|oneOf)"/.test(JSON.stringify(schemaOf(requestBody))))
    .map(({ operationId }) => operationId)
  // A file is text.
  expect(inline).toEqual(['v1_create_merchant_catalog_import'])
})

function schemaOf(body: unknown): unknown {
  const [content] = Object.values(membersOf(membersOf(body).content))
  return membersOf(content).schema
}

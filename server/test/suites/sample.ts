import { readSchema, type SchemaNode } from '../../src/contract/schema-node.ts'

/** A value of every format that schemas may name. */
export const formatSamples: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@example.com', 'a.b+c@sub.example.org'],
  phone: ['+4915112345678', '+442079460958'],
  country: ['DE', 'GB', 'US'],
  currency: ['EUR', 'usd', 'JPY', 'bhd'],
  'date-time': ['2026-01-02T03:04:05Z', '2024-02-29T23:59:59.999+02:00'],
  'https-url': ['https://shop.example/thing', 'https://shop.example/a?b=c&d=1'],
  'endpoint-url': ['https://hooks.example/prokura', 'http://127.0.0.1:9/hook'],
  domain: ['shop.example', 'a-b.shop.example'],
  timezone: ['Europe/Berlin', 'UTC'],
  locale: ['en', 'de-DE'],
  'visible-ascii': ['key-1', '~!'],
  mcc: ['5411', '0742'],
}

/** Values for members by their name: ids of things that exist. */
export type Named = (name: string) => unknown

/** The smallest value that a schema takes, its required members only. */
export function smallestOf(schema: unknown, named: Named): unknown {
  return smallest(readSchema(schema), named)
}

function smallest(node: SchemaNode, named: Named): unknown {
  switch (node.kind) {
    case 'any':
    case 'refined':
      return 'any'
    case 'boolean':
      return false
    case 'null':
      return null
    case 'string':
      return node.format
        ? (formatSamples[node.format]?.[0] ?? '')
        : 'sample'.padEnd(node.minLength ?? 0, 'x').slice(0, node.maxLength ?? 6)
    case 'integer':
    case 'number':
      return Math.max(node.minimum ?? 1, 1)
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => smallest(node.items, named))
    case 'object': {
      const required = [...node.properties].filter(([, { required }]) => required)
      return Object.fromEntries(
        required.map(([name, property]) => [name, named(name) ?? smallest(property.node, named)]),
      )
    }
    case 'choice':
      return node.values[0]
    case 'union': {
      const [first] = node.variants
      return first ? smallest(first, named) : null
    }
    case 'all': {
      const [first] = node.parts
      return first ? smallest(first, named) : null
    }
    default:
      return node satisfies never
  }
}

import fc from 'fast-check'
import {
  type NumberNode,
  readSchema,
  type SchemaNode,
  type StringNode,
} from '../../src/schema/schema-node.ts'

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
  timezone: ['Europe/Berlin', 'UTC', 'america/chicago'],
  locale: ['en', 'de-DE'],
  'visible-ascii': ['key-1', '~!'],
  mcc: ['5411', '0742'],
}

/** For every format, values that almost match it. */
export const brokenFormats: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@', 'ada@@example.com', ' ada@example.com'],
  phone: ['12345', '+4915112345678 x', '+99912345678'],
  country: ['XX', 'DEU', 'Germany'],
  currency: ['XXY', 'EU', '€'],
  'date-time': ['2026-01-02', '2026-02-30T00:00:00Z', '2026-01-02T03:04:05'],
  'https-url': ['http://shop.example/', 'shop.example', 'https://'],
  'endpoint-url': ['ftp://hooks.example/', 'hooks.example', 'https://'],
  domain: ['shop', 'shop..example', 'https://shop.example'],
  timezone: ['Europe/Nowhere', '25:00', ' UTC', 'CST'],
  locale: ['not a locale', 'e', 'de_DE!'],
  'visible-ascii': ['a b', 'é', 'a\tb'],
  mcc: ['541', '54111', '54a1'],
}

/** Values for members by their name: ids of things that exist. */
export type Named = (name: string) => unknown

/** The smallest value that a schema takes, its required members only. */
export function smallestOf(schema: unknown, named: Named): unknown {
  return sampleOf(readSchema(schema), named)
}

export function sampleOf(node: SchemaNode, named: Named): unknown {
  switch (node.kind) {
    case 'any':
    case 'refined':
      return 'any'
    case 'boolean':
      return false
    case 'null':
      return null
    case 'string':
      return textsLike(node, 1)[0]
    case 'integer':
    case 'number':
      return numberLike(node)
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => sampleOf(node.items, named))
    case 'object': {
      const required = [...node.properties].filter(([, { required }]) => required)
      return Object.fromEntries(
        required.map(([name, property]) => [name, named(name) ?? sampleOf(property.node, named)]),
      )
    }
    case 'choice':
      return node.values[0]
    case 'union': {
      const [first] = node.variants
      return first ? sampleOf(first, named) : null
    }
    case 'all': {
      const [first] = node.parts
      return first ? sampleOf(first, named) : null
    }
    default:
      return node satisfies never
  }
}

/** At most this many texts that the schema takes, always the same ones. */
export function textsLike(
  { minLength = 0, maxLength = 64, pattern, format }: StringNode,
  count: number,
): string[] {
  if (format !== undefined) return (formatSamples[format] ?? ['']).slice(0, count)
  if (pattern !== undefined) {
    const matching = fc
      .stringMatching(new RegExp(pattern, 'u'))
      .filter((text) => text.length >= minLength && text.length <= maxLength)
    return [...new Set(fc.sample(matching, { numRuns: count * 2, seed: 1 }))].slice(0, count)
  }
  const first = 'sample'.padEnd(minLength, 'x').slice(0, maxLength)
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? first : `${index}`.padStart(Math.max(minLength, Math.min(6, maxLength)), 'x'),
  )
}

function numberLike({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf = 1,
}: NumberNode): number {
  const low = Math.max(minimum ?? 1, exclusiveMinimum === undefined ? 1 : exclusiveMinimum + multipleOf, 1)
  const high = Math.min(maximum ?? low, exclusiveMaximum === undefined ? low : exclusiveMaximum - multipleOf)
  return Math.ceil(Math.min(low, high) / multipleOf) * multipleOf
}

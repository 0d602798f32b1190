import { exampleId, idPrefixOf } from './examples.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Show } from './openapi-components.ts'
import { responseObjects } from './openapi-responses.ts'
import { type OperationFacts, takesIdempotencyKey } from './operation.ts'
import { isObject } from './schema-node.ts'

/** One operation as the document shows it. */
export function operationObject(operation: OperationFacts, show: Show): JsonSchema {
  const { id, tag, summary, description, scope, mcp } = operation
  const parameters = parameterObjects(operation, show)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body === undefined ? {} : { requestBody: requestBodyOf(operation, show) }),
    responses: responseObjects(operation, show),
    ...(scope === null ? {} : { 'x-scope': scope }),
    'x-mcp-tool': mcp,
  }
}

function requestBodyOf(operation: OperationFacts, show: Show): JsonSchema {
  const { body, bodyOptional, content, examples } = operation
  const types = Object.keys(content ?? { 'application/json': '' })
  return {
    required: bodyOptional !== true,
    content: Object.fromEntries(
      types.map((type) => {
        const shown = Object.entries(examples).filter(
          ([, each]) => each.body !== undefined && (each.content ?? type) === type,
        )
        return [
          type,
          {
            schema: show(body),
            ...(shown.length > 0
              ? {
                  examples: Object.fromEntries(
                    shown.map(([name, each]) => [name, { summary: each.summary, value: each.body }]),
                  ),
                }
              : {}),
          },
        ]
      }),
    ),
  }
}

function securityOf({ auth }: OperationFacts): JsonSchema[] {
  switch (auth) {
    case 'secret':
      return [{ secretKey: [] }]
    case 'optional':
      return [{ secretKey: [] }, {}]
    case 'signed':
      return [{ destinationSignature: [] }, { secretKey: [] }]
    case 'none':
      return []
    default:
      return auth satisfies never
  }
}

function parameterObjects(operation: OperationFacts, show: Show): JsonSchema[] {
  const declared = [
    ...sectionParameters('path', operation, show),
    ...sectionParameters('query', operation, show),
    ...sectionParameters('header', operation, show),
  ]
  const isDeclared = declared.some((each) => String(each.name).toLowerCase() === 'idempotency-key')
  const required = operation.requiresIdempotencyKey
  return takesIdempotencyKey(operation) && !isDeclared
    ? [...declared, { ...idempotencyKeyParameter, required }]
    : declared
}

const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Your own name for this request. Sent again with the same key, it is answered again and not done again. Kept 30 days.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '5b1c6a1e-6f0e-4a9b-9a0c-2f4d1c7e8b90',
}

const sections = { path: 'params', query: 'query', header: 'headers' } as const

function sectionParameters(
  place: keyof typeof sections,
  operation: OperationFacts,
  show: Show,
): JsonSchema[] {
  const section: unknown = operation[sections[place]]
  if (!isObject(section)) return []
  const required: unknown[] = Array.isArray(section.required) ? section.required : []
  return Object.entries(isObject(section.properties) ? section.properties : {}).map(([name, property]) => {
    const { description, ...bare } = isObject(property) ? property : {}
    const schema = show(bare)
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...parameterExamples(place, name, operation),
    }
  })
}

function parameterExamples(
  place: keyof typeof sections,
  name: string,
  { examples }: OperationFacts,
): JsonSchema {
  const prefix = place === 'header' ? undefined : idPrefixOf(name)
  const shown = Object.entries(examples).flatMap(([key, { summary, query }]) => {
    const value = place === 'query' && isObject(query) ? query[name] : undefined
    return value === undefined ? [] : [[key, { summary, value }] as const]
  })
  if (shown.length > 0) return { examples: Object.fromEntries(shown) }
  return prefix === undefined ? {} : { example: exampleId(prefix) }
}

/** `idempotency_key` is written `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replaceAll(
    /(^|_)([a-z])/g,
    (_, gap: string, letter: string) => `${gap ? '-' : ''}${letter.toUpperCase()}`,
  )
}

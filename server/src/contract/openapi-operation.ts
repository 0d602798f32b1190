import type { TSchema } from 'typebox'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../schema/schema-node.ts'
import { booleanTexts } from '../schema/value-faults.ts'
import type { Show } from './openapi-components.ts'
import { type Refusals, responseObjects } from './openapi-responses.ts'
import { type OperationFacts, standsOn, takesIdempotencyKey } from './operation.ts'
import { Named } from './schemas.ts'

/** One operation as the document shows it. */
export function operationObject(operation: OperationFacts, show: Show, refusals: Refusals): JsonSchema {
  const { id, tag, summary, description, scope } = operation
  const parameters = parameterObjects(operation, show)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body === undefined ? {} : { requestBody: requestBodyOf(operation, operation.body, show) }),
    responses: responseObjects(operation, show, refusals),
    ...(scope === null ? {} : { 'x-scope': scope }),
    'x-mcp-tool': standsOn(operation, 'mcp'),
  }
}

function requestBodyOf(operation: OperationFacts, body: TSchema, show: Show): JsonSchema {
  const { content, signedBody } = operation
  const keyed = show.request('x-component' in body || content ? body : Named(bodyName(operation), body))
  // A signature and a key each have a body of their own where the operation says so.
  const schema =
    signedBody === undefined
      ? keyed
      : {
          oneOf: [
            { ...show.request(signedBody), 'x-security': 'destinationSignature' },
            { ...keyed, 'x-security': 'secretKey' },
          ],
        }
  const types = Object.keys(content ?? { 'application/json': '' })
  return {
    required: operation.bodyOptional !== true,
    content: Object.fromEntries(types.map((type) => [type, { schema, ...bodyExamples(operation, type) }])),
  }
}

function bodyExamples({ examples }: OperationFacts, type: string): JsonSchema {
  const shown = Object.entries(examples)
    .filter(([, { body, content }]) => body !== undefined && (content ?? type) === type)
    .map(([name, { summary, body }]) => [name, { summary, value: body }])
  return shown.length > 0 ? { examples: Object.fromEntries(shown) } : {}
}

function securityOf({ auth }: OperationFacts): JsonSchema[] {
  switch (auth) {
    case 'secret':
      return [{ secretKey: [] }]
    case 'optional':
      return [{ secretKey: [] }, { publishableKey: [] }, {}]
    case 'signed':
      return [{ destinationSignature: [] }, { secretKey: [] }]
    case 'none':
    case 'platform':
    case 'payer':
    case 'element':
    case 'link':
    case 'window':
    case 'session':
    case 'person':
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
  const shared = [
    ...(operation.signedHeaders ?? []),
    ...(takesIdempotencyKey(operation)
      ? [{ ...idempotencyKeyParameter, required: operation.requiresIdempotencyKey }]
      : []),
  ]
  const names = new Set(shared.map(nameOf))
  // If an operation declares one of these headers itself, it means the same.
  return [...declared.filter((each) => !names.has(nameOf(each))), ...shared]
}

function nameOf({ name, in: place }: JsonSchema): string {
  return `${place} ${String(name).toLowerCase()}`
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
    const { description, default: usual, examples, ...bare } = isObject(property) ? property : {}
    // The example of an id stands beside its schema; other schemas keep theirs.
    const isId = bare['x-id'] === true
    const shown = show.request(isId || examples === undefined ? bare : { ...bare, examples })
    const schema = { ...shown, ...(usual === undefined ? {} : { default: usual }) }
    const told = [description, place === 'query' && shown.type === 'boolean' ? booleanForms : undefined]
    const text = told.filter((each) => each !== undefined).join(' ')
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required.includes(name),
      ...(text === '' ? {} : { description: text }),
      // A list is the parameter again for each of its values.
      ...(bare.type === 'array' ? { style: 'form', explode: true } : {}),
      schema,
      ...parameterExamples(place, name, { operation, ids: isId && Array.isArray(examples) ? examples : [] }),
    }
  })
}

const booleanForms = `Any of ${booleanTexts.map((text) => `\`${text}\``).join(', ')}, in any case.`

function parameterExamples(
  place: keyof typeof sections,
  name: string,
  { operation, ids: [id] }: { operation: OperationFacts; ids: readonly unknown[] },
): JsonSchema {
  const shown = Object.entries(operation.examples).flatMap(([key, { summary, query }]) => {
    const value = place === 'query' && isObject(query) ? query[name] : undefined
    return value === undefined ? [] : [[key, { summary, value }] as const]
  })
  if (shown.length > 0) return { examples: Object.fromEntries(shown) }
  return id === undefined ? {} : { example: id }
}

/** `idempotency_key` is written `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replaceAll(
    /(^|_)([a-z])/g,
    (_, gap: string, letter: string) => `${gap ? '-' : ''}${letter.toUpperCase()}`,
  )
}

/**
 * The document's name for a body that has none: `v1_create_rate_card` takes a `RateCardCreate`, so that generated types are short and
 * read like those that are named by hand.
 */
function bodyName({ id }: Pick<OperationFacts, 'id'>): string {
  const [verb = '', ...noun] = id.replace(/^v1_/, '').split('_')
  return [...noun, verb].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

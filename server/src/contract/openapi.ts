import { idPattern } from '../core/id.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { tagObject } from './openapi-tags.ts'
import { type OperationFacts, takesIdempotencyKey } from './operation.ts'
import { problemCodes } from './problem-codes.ts'
import { HTTPValidationError, ProblemBody, refusalSchema } from './problem-schemas.ts'
import { refusalsOf } from './refusals.ts'
import { isObject } from './schema-node.ts'
import { shownOn } from './sides.ts'
import { booleanTexts } from './validation-issues.ts'

export type OpenApiDocument = {
  openapi: '3.1.0'
  info: JsonSchema
  servers: JsonSchema[]
  tags: JsonSchema[]
  paths: Record<string, Record<string, JsonSchema>>
  components: Record<string, Record<string, JsonSchema>>
}

/** The document version that the interface fixes. */
export const documentVersion = '0.1.0'

/** The machine-readable description of the interface. The same operations give the same bytes. */
export function openApiDocument(
  operations: readonly OperationFacts[],
  options: { publicUrl?: string } = {},
): OpenApiDocument {
  const components = createComponents()
  const show = { request: components.showRequest, answer: components.showAnswer }
  for (const schema of [HTTPValidationError, ProblemBody]) show.answer(schema)
  // Answers have their names first: what looks otherwise in a request is told apart there.
  for (const { responses } of operations) for (const schema of Object.values(responses)) show.answer(schema)
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = operationObject(operation, show)
    paths[operation.path] = inOrder(methods)
  }
  const text = JSON.stringify(paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Prokura public v1 API',
      version: documentVersion,
      description:
        'Agentic commerce: buy on behalf of your customers within limits that nobody can exceed, and sell to agents. Every ' +
        'operation is also a tool of the MCP server at `/mcp/v1`, unless `x-mcp-tool` says otherwise.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl ?? '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map(tagObject),
    paths,
    components: {
      schemas: components.sorted(),
      headers: Object.fromEntries(
        Object.keys(sharedHeaders)
          .flatMap((name) => [name, `${optional}${name}`])
          .filter((name) => text.includes(`"#/components/headers/${name}"`))
          .map((name) => [name, shownHeader(name)]),
      ),
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A secret API key, `pr_sk_test_…` or `pr_sk_live_…`. It fixes the account and the mode.',
        },
        destinationSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'Service-Response-Signature',
          description: "An HMAC-SHA256 of the timestamp and the body's bytes under the destination's secret.",
        },
      },
    },
  }
}

/** The order in which people read them, and in which the specification lists them. */
function inOrder(methods: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const order = ['get', 'post', 'delete']
  return Object.fromEntries(Object.entries(methods).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))
}

type Show = { request: (schema: unknown) => JsonSchema; answer: (schema: unknown) => JsonSchema }

/**
 * Collects named schemas while showing each as a reference. Two meanings of one name stop the generation, but for those of an answer and
 * of a request, which is then named so: what is open and without nulls in the one is closed and takes them in the other.
 */
function createComponents() {
  const schemas = new Map<string, JsonSchema>()
  const ofAnswers = new Set<string>()
  function named(schema: JsonSchema, name: string): JsonSchema {
    const known = schemas.get(name)
    if (known && !isSame(known, schema)) throw new Error(`two schemas are named ${name}`)
    if (!known) schemas.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  function nameInRequests(schema: JsonSchema, name: string): string {
    const known = schemas.get(name)
    return known && ofAnswers.has(name) && !isSame(known, schema) ? `${name}Input` : name
  }
  return {
    showAnswer: (schema: unknown) =>
      toJsonSchema(schema, (each, name) => {
        const shown = shownOn('answer', each)
        if (name === undefined) return shown
        ofAnswers.add(name)
        return named(shown, name)
      }),
    showRequest: (schema: unknown) =>
      toJsonSchema(schema, (each, name) => {
        const shown = shownOn('request', each)
        return name === undefined ? shown : named(shown, nameInRequests(shown, name))
      }),
    sorted: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Descriptions and defaults belong to the place where a schema is used. */
function isSame(a: JsonSchema, b: JsonSchema): boolean {
  const bare = ({ description: _, default: __, ...rest }: JsonSchema) => JSON.stringify(rest)
  return bare(a) === bare(b)
}

function operationObject(operation: OperationFacts, show: Show): JsonSchema {
  const { id, tag, summary, description, scope, mcp, body } = operation
  const parameters = parameterObjects(operation, show)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: Object.fromEntries(
              Object.keys(operation.content ?? { 'application/json': '' }).map((type) => [
                type,
                { schema: bodySchema(operation, show) },
              ]),
            ),
          },
        }),
    responses: responseObjects(operation, show),
    ...(scope === null ? {} : { 'x-scope': scope }),
    'x-mcp-tool': mcp,
  }
}

/** A signature and a key each have a form of their own where the operation says so. */
function bodySchema({ body, signedBody }: OperationFacts, show: Show): JsonSchema {
  if (signedBody === undefined) return show.request(body)
  return { oneOf: [show.request(signedBody), show.request(body)] }
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
    ...sectionParameters('path', operation.params, show),
    ...sectionParameters('query', operation.query, show),
    ...sectionParameters('header', operation.headers, show),
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
    'Names this request: sent again with the same key, it is answered again and not done again. Kept 30 days.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

function sectionParameters(place: 'path' | 'query' | 'header', section: unknown, show: Show): JsonSchema[] {
  if (!isObject(section)) return []
  const required: unknown[] = Array.isArray(section.required) ? section.required : []
  return Object.entries(isObject(section.properties) ? section.properties : {}).map(([name, property]) => {
    const { description, ...bare } = isObject(property) ? property : {}
    const schema = show.request(bare)
    const told = [description, place === 'query' && schema.type === 'boolean' ? booleanForms : undefined]
    const text = told.filter((each) => each !== undefined).join(' ')
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required.includes(name),
      ...(text === '' ? {} : { description: text }),
      schema,
    }
  })
}

const booleanForms = `Any of ${booleanTexts.map((text) => `\`${text}\``).join(', ')}, in any case.`

/** `idempotency_key` is written `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replaceAll(
    /(^|_)([a-z])/g,
    (_, gap: string, letter: string) => `${gap ? '-' : ''}${letter.toUpperCase()}`,
  )
}

const sharedHeaders: Record<string, JsonSchema> = {
  'Request-Id': {
    description: 'Of this answer, in logs, events and deliveries too.',
    required: true,
    schema: { type: 'string', pattern: idPattern('req') },
  },
  'Idempotent-Replayed': {
    description: '`true` when the answer is that of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Location: {
    description: 'The URL of the object.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'Cache-Control': {
    description: '`private, no-store`.',
    required: true,
    schema: { type: 'string', const: 'private, no-store' },
  },
  'X-RateLimit-Limit': {
    description: 'Of the exhausted window.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Window': {
    description: 'Its length in seconds.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: '`Bearer`.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
}

const optional = 'Optional-'

/** A header that does not come with every answer of its status. */
function shownHeader(name: string): JsonSchema {
  if (!name.startsWith(optional)) return sharedHeaders[name] ?? {}
  const { required: _, ...header } = sharedHeaders[name.slice(optional.length)] ?? {}
  return header
}

function headersOf(names: string[]): JsonSchema {
  return Object.fromEntries(
    names.map((name) => [name.replace(optional, ''), { $ref: `#/components/headers/${name}` }]),
  )
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the outcome is not known yet.',
}

const refusalHeaders: Readonly<Record<number, string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Window'],
  503: ['Retry-After'],
}

function responseObjects(operation: OperationFacts, show: Show): JsonSchema {
  const refusals = refusalsOf(operation)
  const statuses = [...Object.keys(operation.responses).map(Number), ...refusals.keys(), 422]
  const sorted = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries(sorted.map((status) => [String(status), responseObject(operation, status, show)]))
}

function responseObject(operation: OperationFacts, status: number, show: Show): JsonSchema {
  const declared = operation.responses[status]
  const codes = refusalsOf(operation).get(status) ?? []
  const isRefusal = codes.length > 0 || status === 422
  const schemas = [
    ...(declared ? [show.answer(declared)] : []),
    ...(isRefusal ? [show.answer(refusalSchema(status))] : []),
  ]
  // A refusal of the operation's own may have been committed with its key, such as a wrong password that counts.
  const isOwn = status < 300 || operation.problems.some((code) => problemCodes[code].status === status)
  const replays = isOwn && takesIdempotencyKey(operation) ? ['Idempotent-Replayed'] : []
  return {
    description: describe(status, codes),
    headers: headersOf([
      'Request-Id',
      ...replays,
      ...(operation.replyHeaders[status] ?? []),
      ...(isRefusal ? (refusalHeaders[status] ?? []) : []),
    ]),
    content: {
      'application/json': { schema: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas } },
      ...(operation.streams && status === 200 ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
      ...(status === 200
        ? Object.fromEntries(operation.downloads.map((type) => [type, { schema: { type: 'string' } }]))
        : {}),
    },
    ...(codes.length > 0 ? { 'x-codes': codes } : {}),
  }
}

function describe(status: number, codes: string[]): string {
  if (codes.length > 0) return codes.map((code) => `\`${code}\``).join(', ')
  return status === 422 ? 'The request does not match its schema.' : (statusTexts[status] ?? 'Done.')
}

import type { TSchema } from 'typebox'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Show } from './openapi-components.ts'
import { headersOf } from './openapi-headers.ts'
import { isOfBytes, type OperationFacts, takesIdempotencyKey } from './operation.ts'
import { factsOf, type ProblemCatalog, type ProblemCode } from './problem-codes.ts'
import { refusalsOf } from './refusals.ts'

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

/** What the product refuses with, and the body that goes with each status. */
export type Refusals = {
  readonly problems: ProblemCatalog
  readonly schemaOf: (status: number) => TSchema
  readonly answers: ExampleAnswers
  /** What operations have answered, by the reference of the component that they answer with. */
  readonly examples: ReadonlyMap<unknown, unknown>
}

/** By operation and status. */
export type ExampleAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The possible answers of an operation, by status. */
export function responseObjects(operation: OperationFacts, show: Show, refusals: Refusals): JsonSchema {
  const refused = refusalsOf(operation, refusals.problems)
  const statuses = [...Object.keys(operation.responses).map(Number), ...refused.keys(), 422]
  const sorted = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries(
    sorted.map((status) => [
      String(status),
      responseObject(operation, { status, codes: refused.get(status) ?? [], show, refusals }),
    ]),
  )
}

type Shown = {
  readonly status: number
  readonly codes: readonly ProblemCode[]
  readonly show: Show
  readonly refusals: Refusals
}

function responseObject(operation: OperationFacts, { status, codes, show, refusals }: Shown): JsonSchema {
  const declared = operation.responses[status]
  const isRefusal = codes.length > 0 || status === 422
  const schemas = [
    ...(declared ? [show.answer(declared)] : []),
    ...(isRefusal ? [show.answer(refusals.schemaOf(status))] : []),
  ]
  const example = declared && exampleOf(operation, { status, show, refusals })
  // A refusal that only this operation has may have been committed with its key, such as a wrong password that counts.
  const isOwn =
    status < 300 || operation.problems.some((code) => factsOf(refusals.problems, code).status === status)
  const replays = isOwn && takesIdempotencyKey(operation) ? ['Idempotent-Replayed'] : []
  return {
    description: describe(operation, status, codes),
    headers: headersOf([
      'Request-Id',
      ...replays,
      ...(operation.replyHeaders[status] ?? []),
      ...(isRefusal ? (refusalHeaders[status] ?? []) : []),
    ]),
    ...(status === 204 ? {} : { content: contentOf(operation, status, { schemas, example }) }),
    ...(codes.length > 0 ? { 'x-codes': codes } : {}),
  }
}

/** The bodies of an answer, by media type. */
function contentOf(
  operation: OperationFacts,
  status: number,
  { schemas, example }: { schemas: readonly JsonSchema[]; example: unknown },
): JsonSchema {
  return {
    [(status === 200 ? operation.mediaType : undefined) ?? 'application/json']: {
      schema: schemas.length === 1 ? (schemas[0] ?? {}) : { oneOf: schemas },
      ...(example === undefined ? {} : { example }),
    },
    ...(operation.streams && status < 300 ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    ...(status === 200
      ? Object.fromEntries(operation.downloads.map((type) => [type, { schema: fileSchemaOf(type) }]))
      : {}),
  }
}

/** What this operation has answered, or another one that answers with the same object. */
function exampleOf(operation: OperationFacts, { status, show, refusals }: Omit<Shown, 'codes'>): unknown {
  const own = refusals.answers[operation.id]?.[String(status)]
  const declared = operation.responses[status]
  if (own !== undefined || declared === undefined) return own
  return refusals.examples.get(show.answer(declared).$ref)
}

function fileSchemaOf(type: string): JsonSchema {
  return isOfBytes(type) ? { type: 'string', format: 'binary' } : { type: 'string' }
}

function describe(operation: OperationFacts, status: number, codes: readonly string[]): string {
  const said = operation.answers?.[status]
  const named = codes.map((code) => `\`${code}\``).join(', ')
  if (named !== '') return said === undefined ? named : `${said} ${named}`
  if (status !== 422) return said ?? statusTexts[status] ?? 'Done.'
  const refused =
    'The request does not match its schema, or breaks one of the rules: `detail` lists every fault.'
  // Two bodies share the status where an operation has an answer of its own for it: a member that the other lacks tells them apart.
  return operation.responses[422] === undefined
    ? refused
    : `${said ?? 'The object, which says what it needs.'} It has \`object\` and no \`detail\`. Otherwise: ${refused}`
}

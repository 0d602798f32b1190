import { formatShapes } from '../schema/format-shapes.ts'
import { formatRefusal } from '../schema/formats.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type EventCatalog, eventCatalog } from './event.ts'
import { createComponents, type Show } from './openapi-components.ts'
import { headersShownIn } from './openapi-headers.ts'
import { operationObject } from './openapi-operation.ts'
import type { ExampleAnswers, Refusals } from './openapi-responses.ts'
import { shareRefusals } from './openapi-shared.ts'
import { aboutWebhooks, webhookObjects, webhooksTag } from './openapi-webhooks.ts'
import { type OperationFacts, standsOn } from './operation.ts'
import { commonProblems, type ProblemCatalog, problemCatalog } from './problem-codes.ts'
import { refusalSchemas } from './problem-schemas.ts'

export type OpenApiDocument = {
  openapi: '3.1.0'
  info: JsonSchema
  /** What crawlers of paid services read. The paid operations are no part of this interface, and have a document of their own. */
  'x-service-info': JsonSchema
  servers: JsonSchema[]
  tags: JsonSchema[]
  paths: Record<string, Record<string, JsonSchema>>
  /** The webhooks that destinations receive. */
  webhooks: Record<string, JsonSchema>
  components: Record<string, Record<string, JsonSchema>>
  /** The rules of a format beyond its shape, and the refusal of a value that breaks them. */
  'x-formats': Record<string, JsonSchema>
  /** The rules for every request where its schema says nothing about them. */
  'x-rules': readonly string[]
}

/** The document version that the interface fixes. */
export const documentVersion = '0.1.0'

const serviceInfo: JsonSchema = {
  categories: ['commerce'],
  docs: { homepage: '/docs', apiReference: '/docs' },
  paidOperations: '/mpp/openapi.json',
}

/** What the document says besides its operations. */
export type DocumentFacts = {
  readonly events: EventCatalog
  /** Descriptions of the groups of operations. */
  readonly tags: ReadonlyMap<string, string>
  readonly problems: ProblemCatalog
  /** What the service says of itself, beside what it does. */
  readonly documents: readonly OperationFacts[]
  /** What a reader needs before the first operation, as Markdown. */
  readonly introduction?: string
  /** What operations have answered, by id and status, in one story that is shown as their examples. */
  readonly answers?: ExampleAnswers
}

const noFacts: DocumentFacts = {
  events: eventCatalog([]),
  tags: new Map(),
  problems: problemCatalog([commonProblems]),
  documents: [],
}

/** The machine-readable description of the interface. The same operations give the same bytes. */
export function openApiDocument(
  all: readonly OperationFacts[],
  { events, tags, problems, documents, introduction = '', answers = {} }: DocumentFacts = noFacts,
): OpenApiDocument {
  const operations = [...all, ...documents].filter((operation) => standsOn(operation, 'v1'))
  const components = createComponents()
  const examples = componentExamples(operations, components, answers)
  const refusals: Refusals = { problems, schemaOf: refusalSchemas(problems), answers, examples }
  for (const status of [422, 400]) components.answer(refusals.schemaOf(status))
  // Answers get their names first: a request that differs gets another name.
  for (const { responses } of operations)
    for (const schema of Object.values(responses)) components.answer(schema)
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = operationObject(operation, components, refusals)
    paths[operation.path] = inOrder(methods)
  }
  const headers = headersShownIn(JSON.stringify(paths))
  const responses = shareRefusals(paths)
  const webhooks = webhookObjects(events, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Prokura public v1 API',
      version: documentVersion,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    'x-service-info': serviceInfo,
    // The server that the document was read from: a page that was opened under another name of this server may call no other.
    servers: [{ url: '/', description: 'The server that this document was read from.' }],
    tags: [
      ...[...new Set(operations.map(({ tag }) => tag))].map((name) => tagObject(name, tags.get(name))),
      ...(Object.keys(webhooks).length > 0 ? [tagObject(webhooksTag, aboutWebhooks)] : []),
    ],
    paths,
    webhooks,
    components: {
      schemas: components.sorted(),
      responses,
      headers,
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A secret API key, `pr_sk_test_…` or `pr_sk_live_…`. It fixes the account and the mode.',
        },
        publishableKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A publishable API key, `pr_pk_test_…` or `pr_pk_live_…`, from a page whose origin it was made for. It fixes the account and the mode, and sees what is published.',
        },
        destinationSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'Service-Response-Signature',
          description: "An HMAC-SHA256 of the timestamp and the body's bytes under the destination's secret.",
        },
      },
    },
    'x-formats': Object.fromEntries(
      [...formatShapes].map(([format, { rule }]) => [format, { rule, refusal: formatRefusal(format) }]),
    ),
    'x-rules': sharedRules,
  }
}

/** What operations have answered, by the component that they answer with. */
function componentExamples(
  operations: readonly OperationFacts[],
  components: Show,
  answers: ExampleAnswers,
): ReadonlyMap<unknown, unknown> {
  const told = operations.flatMap(({ id, responses }) =>
    Object.entries(answers[id] ?? {}).map(([status, example]) => {
      const schema = responses[Number(status)]
      return [schema && components.answer(schema).$ref, example] as const
    }),
  )
  return new Map(told.filter(([reference]) => reference !== undefined))
}

function tagObject(name: string, description: string | undefined): JsonSchema {
  return { name, ...(description === undefined ? {} : { description }) }
}

const sharedRules = [
  // Wherever a person may write text: card numbers belong in the payment component.
  'value must not contain a card number',
  'an idempotency key must have 1 to 255 visible ASCII characters',
  'the Idempotency-Key header and the field idempotency_key must be the same key',
]

/** The order in which people read them and the specification lists them. */
function inOrder(methods: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const order = ['get', 'post', 'delete']
  return Object.fromEntries(Object.entries(methods).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))
}

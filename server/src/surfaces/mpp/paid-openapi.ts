import { STATUS_CODES } from 'node:http'
import type { Mode } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import { refusalsOf } from '../../contract/refusals.ts'
import { toJsonSchema } from '../../schema/json-schema.ts'
import { operationsOf } from './manifest.ts'
import type { Mpp } from './mpp-parts.ts'

/** The operations below an address, each where it is found; paid ones with how they are paid. Crawlers look for it. */
export function paidOpenApi(
  mpp: Mpp,
  { title, base, modes }: { title: string; base: string; modes: readonly { mode: Mode; below: string }[] },
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { mode, below } of modes)
    for (const operation of operationsOf(mpp)) {
      const path = `${below}${operation.path}`
      paths[path] = {
        ...paths[path],
        [operation.method.toLowerCase()]: described(mpp, operation, { mode, below }),
      }
    }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: base }],
    'x-service-info': {
      categories: ['commerce'],
      docs: { homepage: `${mpp.context.publicUrl}/docs`, apiReference: `${mpp.context.publicUrl}/docs` },
    },
    paths,
    components: { schemas: { Problem: problemSchema } },
  }
}

/** A refusal by RFC 9457. */
const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    challengeId: { type: 'string' },
    errors: { type: 'array', items: { type: 'object' } },
  },
}

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

function described(mpp: Mpp, operation: Operation, { mode, below }: { mode: Mode; below: string }): object {
  const isPaid = operation === mpp.offered.create
  const [success = 200] = Object.keys(operation.responses)
  const offers = mpp.methods[mode].map(({ name: method }) => ({ intent: 'charge', method, amount: null }))
  return {
    operationId: `${mode}_${operation.id}`,
    summary: operation.summary,
    description: operation.description,
    parameters: parametersOf(operation, below),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(operation.body) } },
          },
        }
      : {}),
    responses: {
      [success]: { description: 'Done' },
      ...Object.fromEntries(
        refusedWith(mpp, operation).map((status) => [
          status,
          { description: STATUS_CODES[status] ?? 'Refused', content: problemContent },
        ]),
      ),
    },
    ...(isPaid && offers.length > 0 ? { 'x-payment-info': { offers } } : {}),
  }
}

/** The statuses of every refusal: of the operation, of the price that an order is told before it is paid, and of the surface itself. */
function refusedWith({ offered, problems }: Mpp, operation: Operation): number[] {
  const isPaid = operation === offered.create
  const named = [operation, ...(isPaid ? [offered.quote] : [])].flatMap((one) => [
    ...refusalsOf({ ...one, auth: 'none' }, problems).keys(),
  ])
  // Who sells is in the path, and a slug may be nobody's.
  return [...new Set([...named, 404, 422, ...(isPaid ? [402, 409] : [])])].sort((a, b) => a - b)
}

function parametersOf({ params, query }: Operation, below: string): object[] {
  const ofSection = (place: 'path' | 'query', section: Operation['params']) =>
    Object.entries(section?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || requiredOf(section).includes(name),
      schema: toJsonSchema(schema),
    }))
  const slug = below.includes('{slug}')
    ? [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }]
    : []
  return [...slug, ...ofSection('path', params), ...ofSection('query', query)]
}

function requiredOf(section: Operation['params']): readonly string[] {
  return section?.required ?? []
}

import Type from 'typebox'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { defineOperation, reply } from './operation.ts'
import { commonProblems, problemCatalog } from './problem-codes.ts'
import { Closed, Named, Nullable, OneOf } from './schemas.ts'

const Thing = Named('Thing', Closed({ id: Type.String(), tags: Type.Record(Type.String(), Type.String()) }))

const getThing = defineOperation({
  id: 'v1_get_thing',
  method: 'GET',
  path: '/v1/things/{thing_id}',
  auth: 'optional',
  scope: 'catalog:read',
  tag: 'Things',
  summary: 'Read a thing',
  params: Closed({ thing_id: Type.String() }),
  responses: { 200: Thing },
  problems: ['not_found', 'rate_limited'],
  handle: async () => reply(200, { id: 't', tags: {} }),
})

const createThing = defineOperation({
  id: 'v1_create_thing',
  method: 'POST',
  path: '/v1/things',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Things',
  summary: 'Make a thing',
  body: Closed({ name: Type.String({ noCardNumber: true }) }),
  responses: { 201: Thing },
  handle: async () => reply(201, { id: 't', tags: {} }),
})

test('the same operations give the same bytes', () => {
  const once = JSON.stringify(openApiDocument([getThing, createThing]))
  expect(JSON.stringify(openApiDocument([getThing, createThing]))).toBe(once)
  expect(once).not.toMatch(/noCardNumber|x-component|patternProperties/)
})

test('an operation shows its statuses, credentials, scope and headers', () => {
  const { paths, info } = openApiDocument([getThing, createThing])
  expect(info).toMatchObject({ title: expect.stringContaining('public v1 API'), version: '0.1.0' })
  const read = paths['/v1/things/{thing_id}']?.get
  expect(Object.keys(Object(read?.responses))).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '422',
    '429',
    '500',
    '503',
  ])
  expect(read).toMatchObject({
    security: [{ secretKey: [] }, { publishableKey: [] }, {}],
    'x-scope': 'catalog:read',
  })
  const made = paths['/v1/things']?.post
  expect(Object.keys(Object(made?.responses))).toEqual([
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
  expect(made?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }])
})

test('named schemas are components, the list of codes among them, and one name has one meaning', () => {
  const { components } = openApiDocument([getThing])
  expect(Object.keys(components.schemas ?? {})).toEqual([
    'HTTPValidationError',
    'Problem',
    'RateLimitExceededResponse',
    'Thing',
    'ValidationError',
  ])
  expect(JSON.stringify(components.schemas?.Problem)).toContain(
    JSON.stringify([...problemCatalog([commonProblems]).keys()]),
  )
  const other = { ...createThing, responses: { 201: Named('Thing', Closed({ id: Type.Integer() })) } }
  expect(() => openApiDocument([getThing, other])).toThrow('Thing')
})

test('an answer is open; a request is closed, and null in what may be left out is shown', () => {
  const Part = Named('Part', Closed({ size: Type.Optional(Type.Integer({ minimum: 1 })) }))
  const members = {
    text: Type.Optional(Type.String()),
    choice: Type.Optional(OneOf(['a', 'b'])),
    only: Type.Optional(Type.Literal('x')),
    cleared: Type.Optional(Nullable(Type.String())),
    part: Type.Optional(Part),
    needed: Part,
  }
  const update = {
    ...createThing,
    body: Closed(members),
    responses: { 200: Closed({ part: Part, tags: Type.Record(Type.String(), Type.String()) }) },
  }
  const { paths, components } = openApiDocument([update])
  const made = paths['/v1/things']?.post
  const partInput = { $ref: '#/components/schemas/PartInput' }
  expect(made).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ThingCreate' },
        },
      },
    },
  })
  expect(components.schemas?.ThingCreate).toMatchObject({
    additionalProperties: false,
    properties: {
      text: { type: ['string', 'null'] },
      choice: { type: ['string', 'null'], enum: ['a', 'b', null] },
      only: { type: ['string', 'null'], enum: ['x', null] },
      cleared: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      part: { anyOf: [partInput, { type: 'null' }] },
      needed: partInput,
    },
  })
  const size = { type: 'integer', minimum: 1 }
  expect(components.schemas).toMatchObject({
    Part: { properties: { size } },
    PartInput: { properties: { size: { ...size, type: ['integer', 'null'] } }, additionalProperties: false },
  })
  const answers = JSON.stringify([made?.responses, components.schemas?.Part, components.schemas?.Problem])
  expect(answers).not.toContain('"additionalProperties":false')
})

test('a boolean in a query says how it may be written', () => {
  const { paths } = openApiDocument([
    { ...getThing, query: Closed({ all: Type.Optional(Type.Boolean({ description: 'Also old ones.' })) }) },
  ])
  expect(JSON.stringify(paths)).toContain(
    'Also old ones. Any of `true`, `1`, `yes`, `on`, `false`, `0`, `no`, `off`, in any case.',
  )
})

test('a refusal that several operations have in common stands in the document once', () => {
  const { paths, components } = openApiDocument([getThing, createThing])
  const reference = { $ref: '#/components/responses/401_unauthorized' }
  for (const responses of Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => Object(operation.responses)))
    expect(responses['401']).toEqual(reference)
  expect(components.responses?.['401_unauthorized']).toMatchObject({
    'x-codes': ['unauthorized'],
    headers: { 'WWW-Authenticate': expect.anything() },
    content: { 'application/json': { schema: expect.anything() } },
  })
})

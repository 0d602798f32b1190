import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject } from '../../../src/schema/schema-node.ts'
import { type Schema, schemasIn } from './values.ts'

/** An operation as the published document describes it. */
export type Told = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: readonly Parameter[]
  readonly needsIdempotencyKey: boolean
  /** The body that goes with an API key; null where there is none. */
  readonly body: {
    readonly schema: Schema
    readonly examples: readonly unknown[]
    readonly required: boolean
  } | null
  readonly responses: Readonly<Record<string, Schema>>
  /** Every sentence by which a request that its schema allows may be refused. */
  readonly rules: readonly string[]
  /** Whether the document allows the value as a body: whole, and without the clauses between members. */
  allows(value: unknown): boolean
  allowsByTypes(value: unknown): boolean
}

type Parameter = { readonly name: string; readonly required: boolean; readonly schema: Schema }

export type ToldDocument = { readonly operations: readonly Told[]; resolve(schema: Schema): Schema }

/** Reads the document as a stranger does: its words mean what JSON Schema and OpenAPI say, and nothing else. */
export function readDocument(text: string): ToldDocument {
  const document: unknown = JSON.parse(text)
  if (!isObject(document)) throw new Error('the document is no object')
  const resolve = (schema: Schema): Schema => {
    if (typeof schema.$ref !== 'string') return schema
    const found = schema.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => membersOf(at)[name], document)
    return isObject(found) ? resolve(found) : schema
  }
  const shared = sharedRules(document)
  const validators = { whole: validatorOf(document), byTypes: validatorOf(withoutClauses(document)) }
  const operations = Object.entries(membersOf(document.paths)).flatMap(([path, methods]) =>
    Object.entries(membersOf(methods)).map(([method, operation]) =>
      toldOperation({ path, method, operation: membersOf(operation) }, { resolve, shared, validators }),
    ),
  )
  return { operations, resolve }
}

type Context = {
  resolve: (schema: Schema) => Schema
  shared: readonly string[]
  validators: Record<'whole' | 'byTypes', Validate>
}
type Validate = (schema: Schema, value: unknown) => boolean

function toldOperation(
  { path, method, operation }: { path: string; method: string; operation: Record<string, unknown> },
  { resolve, shared, validators }: Context,
): Told {
  const parameters = schemasIn(operation.parameters)
  const request = membersOf(operation.requestBody)
  const content = membersOf(membersOf(request.content)['application/json'])
  const whole = isObject(content.schema) ? content.schema : null
  // Where a signature and a key have bodies of their own, the document says which body belongs to which.
  const keyed = schemasIn(whole?.oneOf).find((variant) => variant['x-security'] === 'secretKey')
  const schema = keyed ?? whole
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    query: parameters.filter((each) => each.in === 'query').map(parameterOf),
    needsIdempotencyKey: parameters.some((each) => each.name === 'Idempotency-Key' && each.required === true),
    body: schema && {
      schema,
      required: request.required === true,
      examples: Object.values(membersOf(content.examples)).map((each) => membersOf(each).value),
    },
    responses: Object.fromEntries(
      Object.entries(membersOf(operation.responses)).map(([status, response]) => [
        status,
        membersOf(isObject(response) ? resolve(response) : {}),
      ]),
    ),
    rules: [...shared, ...rulesIn([operation.parameters, schema], resolve)],
    allows: (value) => schema !== null && validators.whole(schema, value),
    allowsByTypes: (value) => schema !== null && validators.byTypes(withoutClauses(schema), value),
  }
}

function parameterOf(parameter: Schema): Parameter {
  return {
    name: String(parameter.name),
    required: parameter.required === true,
    schema: membersOf(parameter.schema),
  }
}

/** The rules of every request, and the rules of each format. */
function sharedRules(document: Record<string, unknown>): string[] {
  const formats = Object.values(membersOf(document['x-formats'])).map((format) =>
    String(membersOf(format).refusal),
  )
  return [...(Array.isArray(document['x-rules']) ? document['x-rules'].map(String) : []), ...formats]
}

function rulesIn(value: unknown, resolve: Context['resolve']): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => rulesIn(each, resolve))
  if (!isObject(value)) return []
  const schema = resolve(value)
  const own = Array.isArray(schema['x-rules']) ? schema['x-rules'].map(String) : []
  const inner = Object.entries(schema).filter(([name]) => name !== 'x-rules' && name !== 'examples')
  return [...own, ...inner.flatMap(([, each]) => rulesIn(each, resolve))]
}

/** Clauses stand in `allOf`, which nothing else does. */
function withoutClauses<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (name, each: unknown) => (name === 'allOf' ? undefined : each)))
}

function validatorOf(document: object): Validate {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate(value) === true
  }
}

export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

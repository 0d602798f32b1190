import type { TSchema } from 'typebox'
import { type JsonSchema, toJsonSchema } from '../schema/json-schema.ts'
import { keepSpelling } from '../schema/number-spelling.ts'
import { isObject } from '../schema/schema-node.ts'
import { type OperationFacts, standsOn, takesIdempotencyKey } from './operation.ts'
import { opened } from './sides.ts'

/** A tool as the manifest and `tools/list` show it. */
export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** A tool as `tools/list` shows it to a model, which sees the form of an answer in the answer itself. */
export type ListedTool = Omit<ToolDefinition, 'outputSchema' | 'annotations'> & {
  annotations: Omit<ToolDefinition['annotations'], 'title'>
}

type ObjectSchema = JsonSchema & { type: 'object' }

type ArgumentSection = 'path' | 'query' | 'header' | 'body'

/** A tool, and where each of its arguments belongs in a request. */
export type Tool = {
  definition: ToolDefinition
  sections: ReadonlyMap<string, ArgumentSection>
  /** `fields`: the body is an object, whose members are arguments. `whole`: the argument `body` is the body. */
  body: 'none' | 'fields' | 'whole'
  /** Arguments that are accepted without a meaning, as over REST; no schema has them. */
  ignored: ReadonlySet<string>
}

/** The sections of a request, from the arguments of a tool. */
type ToolSections = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body: unknown
}

/** The tools of these operations, in their order. Throws when two arguments of one tool would have the same name. */
export function toolsOf(operations: readonly OperationFacts[]): Tool[] {
  return operations.filter((operation) => standsOn(operation, 'mcp')).map(toolOf)
}

/**
 * Sorts arguments into the sections of the operation. An argument that is not declared goes where the caller would have written it: into
 * the body, or into the query where there is no body.
 */
export function splitArguments(tool: Tool, given: Readonly<Record<string, unknown>>): ToolSections {
  const path: Record<string, unknown> = {}
  const query: Record<string, unknown> = {}
  const headers: Record<string, unknown> = {}
  const fields: Record<string, unknown> = keepSpelling(given, {})
  let whole: unknown
  for (const [name, value] of Object.entries(given)) {
    const section = tool.sections.get(name)
    if (section === undefined && tool.ignored.has(name)) continue
    if (section === 'path') path[name] = value
    else if (section === 'header') headers[name.replaceAll('_', '-')] = value
    else if (tool.body === 'whole' && section === 'body') whole = value
    else if (section === 'query' || tool.body !== 'fields') query[name] = value
    else fields[name] = value
  }
  return { path, query, headers, body: tool.body === 'fields' ? fields : whole }
}

function toolOf(operation: OperationFacts): Tool {
  const sections = new Map<string, ArgumentSection>()
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  function add(name: string, section: ArgumentSection, schema: JsonSchema, isRequired: boolean): void {
    if (sections.has(name)) throw new Error(`${operation.id}: two arguments of the tool are named ${name}`)
    sections.set(name, section)
    properties[name] = withDescription(schema)
    if (isRequired) required.push(name)
  }
  function addMembers(section: ArgumentSection, schema: TSchema | undefined): void {
    for (const { name, schema: member, isRequired } of members(schema)) add(name, section, member, isRequired)
  }

  const bodySchema = operation.toolBody ?? operation.body
  const body = bodyKind(bodySchema)
  addMembers('path', operation.params)
  addMembers('query', operation.query)
  // Where a request may be signed, its headers belong to the signature, which a tool cannot carry.
  if (operation.auth !== 'signed') addMembers('header', operation.headers)
  if (body === 'whole') add('body', 'body', portable(bodySchema), operation.bodyOptional !== true)
  else addMembers('body', bodySchema)
  if (takesIdempotencyKey(operation)) {
    // Where the body has a field of this name, header and field mean the same and are one argument.
    const inBody = sections.has('idempotency_key')
    if (!inBody) add('idempotency_key', 'header', idempotencyKeyArgument, operation.requiresIdempotencyKey)
    else Object.assign(properties, { idempotency_key: idempotencyKeyArgument })
  }
  return {
    sections,
    body,
    ignored: ignoredBy(operation, body),
    definition: {
      name: operation.id,
      title: operation.summary,
      description: descriptionOf(operation),
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      },
      outputSchema: outputSchema(operation),
      annotations: {
        title: operation.summary,
        readOnlyHint: operation.readOnly,
        destructiveHint: operation.destructive,
        // Repeated with the same arguments, one of which is the idempotency key.
        idempotentHint:
          operation.readOnly || operation.requiresIdempotencyKey || operation.method === 'DELETE',
        openWorldHint: !operation.readOnly,
      },
    },
  }
}

/** A `mode` in the query is a hint without a meaning. An idempotency key has no effect where a POST changes nothing. */
function ignoredBy(operation: OperationFacts, body: Tool['body']): ReadonlySet<string> {
  const isUnkeyed = operation.method === 'POST' && !takesIdempotencyKey(operation)
  return new Set([...(body === 'fields' ? [] : ['mode']), ...(isUnkeyed ? ['idempotency_key'] : [])])
}

function descriptionOf({ summary, description }: OperationFacts): string {
  return description ? `${summary}. ${description}` : `${summary}.`
}

/** The description of an argument that may be null stands in its other alternative, and a model looks for it at the argument. */
function withDescription(schema: JsonSchema): JsonSchema {
  if (schema.description !== undefined || !Array.isArray(schema.anyOf)) return schema
  const told: unknown = schema.anyOf.find((each) => isObject(each) && each.description !== undefined)
  if (!isObject(told)) return schema
  const { description, ...rest } = told
  return { description, ...schema, anyOf: schema.anyOf.map((each: unknown) => (each === told ? rest : each)) }
}

const idempotencyKeyArgument: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'A new one for each thing to do. With the same key it is not done twice.',
}

/**
 * What a model needs of a tool, in as few words as possible: a list that fills the context of a model leaves no room for its work.
 * Constraints that are left out are named in a description, or nothing sensible is beyond them, and the call is checked against the whole
 * schema.
 */
export function listedTool({ outputSchema: _, annotations, ...tool }: ToolDefinition): ListedTool {
  const { title: __, ...hints } = annotations
  const { additionalProperties } = tool.inputSchema
  const inputSchema = {
    ...brief(tool.inputSchema),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  }
  return { ...tool, inputSchema: { ...inputSchema, type: 'object' }, annotations: hints }
}

function brief(schema: JsonSchema): JsonSchema {
  // That objects take no other members is said once, of the arguments as a whole.
  return toJsonSchema(schema, ({ examples: _, additionalProperties: more, ...rest }) => {
    const each = withinReason(
      more === false || more === undefined ? rest : { ...rest, additionalProperties: more },
    )
    if (each.description === undefined) return each
    // No text that means something is empty.
    const { pattern: __, minLength, ...plain } = each
    return minLength === undefined || minLength === 1 ? plain : { ...plain, minLength }
  })
}

/** Bounds that nothing reaches that a model would send: of amounts, and of ids and names. */
const far = { amount: 10 ** 12, length: 255 }

function withinReason({ minimum, maximum, maxLength, propertyNames: _, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(typeof minimum === 'number' && minimum > -far.amount ? { minimum } : {}),
    ...(typeof maximum === 'number' && maximum < far.amount ? { maximum } : {}),
    ...(typeof maxLength === 'number' && maxLength !== far.length ? { maxLength } : {}),
  }
}

function bodyKind(body: TSchema | undefined): Tool['body'] {
  if (body === undefined) return 'none'
  return isObject(body) && body.type === 'object' && isObject(body.properties) ? 'fields' : 'whole'
}

function members(section: TSchema | undefined): { name: string; schema: JsonSchema; isRequired: boolean }[] {
  const properties: unknown = isObject(section) ? section.properties : undefined
  const required: unknown = isObject(section) ? section.required : undefined
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    schema: portable(schema),
    isRequired: Array.isArray(required) && required.includes(name),
  }))
}

/**
 * The form of a successful result, to which a later version may add members. Refusals are results too, but a client does not check those
 * against this schema.
 */
function outputSchema(operation: OperationFacts): ObjectSchema {
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 300)
  const distinct = new Map(
    successes.map(([, schema]) => portable(schema, opened)).map((schema) => [JSON.stringify(schema), schema]),
  )
  const [first, ...others] = distinct.values()
  if (first === undefined) throw new Error(`${operation.id} declares no success`)
  if (others.length > 0) return { type: 'object', anyOf: [first, ...others] }
  return { ...first, type: 'object' }
}

/** Formats that every validator knows. An unknown one makes some clients refuse the whole tool. */
const portableFormats: ReadonlySet<unknown> = new Set(['email', 'date-time'])

function portable(schema: unknown, shown: (each: JsonSchema) => JsonSchema = (each) => each): JsonSchema {
  return toJsonSchema(schema, (given) => {
    const each = shown(given)
    if (each.format === undefined || portableFormats.has(each.format)) return each
    const { format, ...rest } = each
    return { ...rest, description: each.description ?? `Format: ${format}.` }
  })
}

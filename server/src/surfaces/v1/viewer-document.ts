import type { OpenApiDocument } from '../../contract/openapi.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isObject } from '../../schema/schema-node.ts'

/**
 * The document as the viewer gets it. For an optional parameter with a default, an enumeration or an example in its schema, the viewer
 * puts a value into the request that readers copy: a list with every filter at once, which finds nothing. Parameters that its own marks
 * switch off are left out, and the reader can switch them on.
 */
export function viewerDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, withoutFilters(each)])),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

function withoutFilters(operation: JsonSchema): JsonSchema {
  const parameters = listOf(operation.parameters)
  if (parameters.length === 0) return operation
  const body = isObject(operation.requestBody) ? operation.requestBody.content : undefined
  const shown = [...parameters, ...Object.values(isObject(body) ? body : {})]
  // The viewer's name for the example of an operation that has none.
  const names = ['default', ...shown.flatMap((each) => Object.keys(examplesOf(each)))]
  const off = Object.fromEntries(names.map((name) => [name, { 'x-disabled': true }]))
  return {
    ...operation,
    parameters: parameters.map((each) =>
      isObject(each) && each.in === 'query' && each.required !== true
        ? { ...each, examples: { ...off, ...examplesOf(each) } }
        : each,
    ),
  }
}

function examplesOf(shown: unknown): Readonly<Record<string, unknown>> {
  return isObject(shown) && isObject(shown.examples) ? shown.examples : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

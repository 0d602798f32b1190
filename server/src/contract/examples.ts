import type { IdPrefix } from '../core/id.ts'
import { isObject } from '../schema/schema-node.ts'

/**
 * A request that a reader can copy, with what it is for. Ids of the path are not named: the document shows one of each parameter's kind.
 * A test holds each against the schema, and sends it.
 */
export type RequestExample<Query = object, Body = unknown> = {
  /** Its place among the others of the operation: an imperative, without a full stop. */
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Where the body is a file: which of the media types it is of. */
  readonly content?: string
}

/** By name: lower case, with underscores. The first is the one to read first. */
export type RequestExamples<Query = object, Body = unknown> = Readonly<
  Record<string, RequestExample<Query, Body>>
>

const tail = '01jb2w9m4ye6xs3kq8t7v5c0zd'

/** An id as it looks. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_${tail}`
}

/** Whether an operation shows all that a request needs: a body, where it takes one. Ids and headers are shown by the document itself. */
export function lacksExample(operation: {
  readonly body?: unknown
  readonly examples: RequestExamples
}): boolean {
  return isObject(operation.body) && !Object.values(operation.examples).some(({ body }) => body !== undefined)
}

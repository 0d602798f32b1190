import type { IdPrefix } from '../core/id.ts'

/**
 * A request that a reader can copy, with its purpose. It leaves out the ids of the path: the document shows one of each parameter's kind.
 * A test checks each against the schema, and sends it.
 */
type RequestExample<Query = object, Body = unknown> = {
  /** Its place among the others of the operation: an imperative, without a full stop. */
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Where the body is a file: its media type. */
  readonly content?: string
}

/** By name: lower case, with underscores. The first is the one to read first. */
export type RequestExamples<Query = object, Body = unknown> = Readonly<
  Record<string, RequestExample<Query, Body>>
>

const tail = '01jb2w9m4ye6xs3kq8t7v5c0zd'

/** An id in the usual form. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_${tail}`
}

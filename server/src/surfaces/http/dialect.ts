import type { Refusal } from '../../contract/problem.ts'

/** An answer in the words of a surface. Its headers may name another type than JSON. */
export type WireAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The code of a refusal, for logs and metrics; null: the answer is not a refusal. */
  readonly code: string | null
}

/** Words a refusal for a surface. */
export type Dialect = (refusal: Refusal, requestId: string) => WireAnswer

import { visibleText } from '../core/visible-text.ts'
import type { ValidationIssue } from '../schema/value-faults.ts'
import { factsOf, type ProblemCatalog, type ProblemCode, type ProblemFacts } from './problem-codes.ts'

type ProblemOptions = {
  /** Where there is more to say than what the code always means. */
  message?: string
  /** The field, as the caller wrote it, whose value is refused. */
  param?: string
  headers?: Record<string, string>
  /** Members added beside the standard ones, such as `next_action`. */
  extra?: Record<string, unknown>
}

/**
 * A refusal, before a surface has said it. Thrown in handlers; the transaction of the call rolls back. What its code means is looked up
 * in the product's catalog when it is said: see `meaningOf`.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly options: ProblemOptions

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? code)
    this.name = 'Problem'
    this.code = code
    this.options = options
  }
}

/** The status of a problem, whether trying again may help, and its sentence. */
export function meaningOf({ code, options }: Problem, problems: ProblemCatalog): ProblemFacts {
  const facts = factsOf(problems, code)
  return options.message === undefined ? facts : { ...facts, message: visibleText(options.message) }
}

/** Every validation error of one request: 422. */
export class ValidationProblem extends Error {
  readonly issues: readonly ValidationIssue[]

  constructor(issues: readonly ValidationIssue[]) {
    super('The request does not match its schema.')
    this.name = 'ValidationProblem'
    this.issues = issues.map((issue) => ({ ...issue, loc: issue.loc.map(shown) }))
  }
}

/** The name of an unknown field is the caller's, and no answer of ours holds a NUL or half a character. */
function shown(part: string | number): string | number {
  return typeof part === 'string' ? part.replaceAll('\0', '\ufffd').toWellFormed() : part
}

/** Everything that a caller can be refused with. A surface words it in its dialect. */
export type Refusal = Problem | ValidationProblem

/** A validation error found by the domain instead of the schema, such as two items of different currencies. */
export function invalid(loc: (string | number)[], msg: string): ValidationProblem {
  return new ValidationProblem([{ type: 'value_error', loc, msg: `Value error, ${msg}` }])
}

/** Runs all of the checks, and throws everything that they found as one 422: a caller learns all errors at once. */
export function checkAll(...checks: readonly (() => void)[]): void {
  const issues = checks.flatMap(issuesFoundBy)
  if (issues.length > 0) throw new ValidationProblem(issues)
}

function issuesFoundBy(check: () => void): readonly ValidationIssue[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof ValidationProblem) return error.issues
    throw error
  }
}

import type { Answer } from '../app.ts'

/** One call of the tour: the operation it is, what sets it apart, and how it is made. */
export type Stop = { operation: string; how?: string; call(): Promise<Answer> }

/** Makes a stop at an operation. A body that is text is sent as a file. */
export type Go = (
  operation: string,
  method: string,
  path: string,
  body?: unknown,
  how?: string,
) => Promise<Answer>

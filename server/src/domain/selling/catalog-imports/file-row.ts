import type { ValidationIssue } from '../../../schema/validation-issues.ts'
import type { Cursor } from './import.ts'

/** A row is no larger than a body that says the same. */
export const rowBytesMax = 256 * 1024

/** Where a row ends: a file is read on from here. */
export type RowEnd = { readonly bytes: number; readonly lines: number }

export type RowFault = { readonly line: number } & Pick<ValidationIssue, 'type' | 'loc' | 'msg'>

/** One item of a file as it stands there: perhaps none that could be taken. */
export type WrittenItem = {
  /** Where it begins. */
  readonly line: number
  readonly end: Cursor
  /** What is written, unless it could not be read. */
  readonly value: unknown
  readonly faults: readonly RowFault[]
  /** The line and the name, in the file, of a field of the item. */
  placed(loc: readonly (string | number)[]): { line: number; loc: (string | number)[] }
}

/** The file as a whole cannot be read. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable'
}

/** Reads a file bit by bit, whatever the bits are; holds no more of it than a row. */
export type FileReader<Row> = {
  push(bytes: Uint8Array): Iterable<Row>
  /** What is left when there is nothing more. */
  end(): Iterable<Row>
}

export function fault(
  line: number,
  msg: string,
  type = 'value_error',
  loc: (string | number)[] = [],
): RowFault {
  return { line, type, loc, msg: type === 'value_error' ? `Value error, ${msg}` : msg }
}

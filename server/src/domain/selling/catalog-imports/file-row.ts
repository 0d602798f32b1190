import type { ValidationIssue } from '../../../schema/value-faults.ts'
import type { Cursor } from './import.ts'

/** A row is no larger than a request body with the same content. */
export const rowBytesMax = 256 * 1024

/** Where a row ends: reading continues from here. */
export type RowEnd = { readonly bytes: number; readonly lines: number }

export type RowFault = { readonly line: number } & Pick<ValidationIssue, 'type' | 'loc' | 'msg'>

/** One item of a file as it is written there; it may be invalid. */
export type WrittenItem = {
  /** The line where it begins. */
  readonly line: number
  readonly end: Cursor
  /** The written value, if it could be read. */
  readonly value: unknown
  readonly faults: readonly RowFault[]
  /** The line and the name, in the file, of a field of the item. */
  placed(loc: readonly (string | number)[]): { line: number; loc: (string | number)[] }
}

/** The file as a whole cannot be read. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable'
}

/** Reads a file in parts of any size; it holds no more of it than a row. */
export type FileReader<Row> = {
  push(bytes: Uint8Array): Iterable<Row>
  /** The rows that are left when the file has ended. */
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

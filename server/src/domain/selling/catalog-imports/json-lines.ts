import { parseJson } from '../../../schema/strict-json.ts'
import { type FileReader, fault, type RowEnd, type RowFault, rowBytesMax } from './file-row.ts'

export type JsonRow = { readonly line: number; readonly end: RowEnd } & (
  | { readonly value: unknown }
  | { readonly fault: RowFault }
)

const newline = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** JSON Lines, read from `from` on: one document a line, by the same strict rules as a body. Blank lines are skipped. */
export function readJsonLines(from: RowEnd): FileReader<JsonRow> {
  let held: Buffer = Buffer.alloc(0)
  let at = from.bytes
  let lines = from.lines
  /** Inside a line that is too long: the rest of it is dropped as it arrives. */
  let isSkipping = false

  /** One line without its newline; `length` with it. */
  function rowOf(text: Buffer, length: number): JsonRow | null {
    at += length
    lines += 1
    const end = { bytes: at, lines }
    const document = lines === 1 && text.subarray(0, 3).equals(byteOrderMark) ? text.subarray(3) : text
    if (isSkipping || document.length > rowBytesMax) {
      isSkipping = false
      return { line: lines, end, fault: fault(lines, `a row must have at most ${rowBytesMax} bytes`) }
    }
    if (isBlank(document)) return null
    const parsed = parseJson(document)
    if (parsed.ok) return { line: lines, end, value: parsed.value }
    return { line: lines, end, fault: fault(lines, parsed.error.msg, parsed.error.type) }
  }

  return {
    *push(bytes) {
      held =
        held.length === 0
          ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
          : Buffer.concat([held, bytes])
      let start = 0
      for (let found = held.indexOf(newline); found !== -1; found = held.indexOf(newline, start)) {
        const row = rowOf(held.subarray(start, found), found + 1 - start)
        start = found + 1
        if (row) yield row
      }
      held = held.subarray(start)
      if (held.length > rowBytesMax + byteOrderMark.length) {
        isSkipping = true
        at += held.length
        held = Buffer.alloc(0)
      }
    },
    *end() {
      if (held.length === 0 && !isSkipping) return
      const row = rowOf(held, held.length)
      held = Buffer.alloc(0)
      if (row) yield row
    },
  }
}

function isBlank(text: Uint8Array): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

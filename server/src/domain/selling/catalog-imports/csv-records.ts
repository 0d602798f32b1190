import { isUtf8 } from 'node:buffer'
import { type FileReader, fault, type RowEnd, type RowFault, rowBytesMax } from './file-row.ts'

/** One record, which spans several lines where a quoted cell does. A broken record has the cells that could be read. */
export type CsvRecord = {
  /** The line where it begins. */
  readonly line: number
  readonly end: RowEnd
  readonly cells: readonly string[]
  readonly fault: RowFault | null
}

const newline = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

// The position of a byte in a record.
const cellStart = 0
const plain = 1
const quoted = 2
const afterQuote = 3
const broken = 4

/** CSV by RFC 4180, read from `from` on; lines may end with or without a carriage return. Blank lines are skipped. */
export function readCsvRecords(from: RowEnd): FileReader<CsvRecord> {
  return new CsvReader(from)
}

class CsvReader implements FileReader<CsvRecord> {
  #held: Buffer = Buffer.alloc(0)
  /** How far the held bytes were scanned, and in which state. */
  #scanned = 0
  #state = cellStart
  #at: number
  #lines: number
  /** Inside a line that is too long: the rest of it is dropped as it arrives. */
  #isSkipping = false

  constructor(from: RowEnd) {
    this.#at = from.bytes
    this.#lines = from.lines
  }

  *push(bytes: Uint8Array): Generator<CsvRecord> {
    const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#held = this.#held.length === 0 ? more : Buffer.concat([this.#held, more])
    yield* this.#records()
    while (this.#held.length > rowBytesMax + byteOrderMark.length) {
      const first = this.#held.indexOf(newline)
      if (first === -1) {
        this.#isSkipping = true
        this.#state = broken
        this.#at += this.#held.length
        this.#held = Buffer.alloc(0)
        this.#scanned = 0
      } else {
        // Whatever the open quote was meant to contain: the next line begins a new record.
        yield this.#brokenLine(first)
        yield* this.#records()
      }
    }
  }

  *end(): Generator<CsvRecord> {
    while (this.#held.length > 0 || this.#isSkipping) {
      const first = this.#state === quoted ? this.#held.indexOf(newline) : -1
      if (first === -1) {
        const record = this.#recordOf(this.#held, this.#held.length, 1)
        this.#held = Buffer.alloc(0)
        if (record) yield record
      } else {
        yield this.#brokenLine(first)
        yield* this.#records()
      }
    }
  }

  /** Every record whose end has arrived. */
  *#records(): Generator<CsvRecord> {
    // A byte order mark stands before the first cell and must not hide its quote.
    const isMarked = this.#at === 0 && this.#held.subarray(0, 3).equals(byteOrderMark)
    let index = Math.max(this.#scanned, isMarked ? 3 : 0)
    for (; index < this.#held.length; index++) {
      const byte = this.#held[index]
      if (byte !== newline || this.#state === quoted) {
        this.#state = stateAfter(this.#state, byte, this.#held[index + 1])
        continue
      }
      const isBroken = this.#state === broken || index > rowBytesMax
      const first = isBroken ? this.#held.indexOf(newline) : index
      if (first < index) yield this.#brokenLine(first)
      else {
        const lines = newlinesIn(this.#held, index) + 1
        const record = this.#recordOf(this.#held.subarray(0, index), index + 1, lines)
        this.#held = this.#held.subarray(index + 1)
        if (record) yield record
      }
      index = -1
    }
    this.#scanned = this.#held.length
  }

  /** A broken record ends with its line, so that the lines below are still read. */
  #brokenLine(end: number): CsvRecord {
    this.#state = broken
    const record = this.#recordOf(this.#held.subarray(0, end), end + 1, 1)
    this.#held = this.#held.subarray(end + 1)
    this.#scanned = 0
    if (!record) throw new Error('a line that begins a cell in quotes is not blank')
    return record
  }

  #recordOf(bytes: Buffer, length: number, newlines: number): CsvRecord | null {
    const line = this.#lines + 1
    const wasAtStart = this.#at === 0
    this.#at += length
    this.#lines += newlines
    const end = { bytes: this.#at, lines: this.#lines }
    const isBroken = this.#state === broken || this.#state === quoted
    this.#state = cellStart
    if (this.#isSkipping || (newlines === 1 && bytes.length > rowBytesMax)) {
      this.#isSkipping = false
      return { line, end, cells: [], fault: fault(line, `a row must have at most ${rowBytesMax} bytes`) }
    }
    const marked = wasAtStart && bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
    const last = marked.at(-1) === carriageReturn ? marked.subarray(0, -1) : marked
    if (last.length === 0) return null
    if (!isUtf8(last)) return { line, end, cells: [], fault: fault(line, 'the row is not valid UTF-8') }
    const text = last.toString('utf8')
    if (text.includes('\0'))
      return { line, end, cells: [], fault: fault(line, 'the row contains the NUL character') }
    if (!isBroken) return { line, end, cells: cellsOf(text), fault: null }
    const msg = 'a quote is not closed, or is inside a cell that is not in quotes'
    return { line, end, cells: text.split(','), fault: fault(line, msg) }
  }
}

function stateAfter(state: number, byte: number | undefined, next: number | undefined): number {
  switch (state) {
    case quoted:
      return byte === quote ? afterQuote : quoted
    case afterQuote:
      if (byte === quote) return quoted
      if (byte === comma) return cellStart
      return byte === carriageReturn && (next === newline || next === undefined) ? afterQuote : broken
    case broken:
      return broken
    default:
      if (byte === comma) return cellStart
      if (byte === quote) return state === cellStart ? quoted : broken
      return plain
  }
}

function newlinesIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1 && at < end; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** The cells of a well-formed record. */
function cellsOf(text: string): string[] {
  const cells: string[] = []
  let start = 0
  for (;;) {
    if (text.charCodeAt(start) !== quote) {
      const end = text.indexOf(',', start)
      cells.push(end === -1 ? text.slice(start) : text.slice(start, end))
      if (end === -1) return cells
      start = end + 1
    } else {
      let end = text.indexOf('"', start + 1)
      while (text.charCodeAt(end + 1) === quote) end = text.indexOf('"', end + 2)
      cells.push(text.slice(start + 1, end).replaceAll('""', '"'))
      if (end + 1 >= text.length) return cells
      start = end + 2
    }
  }
}

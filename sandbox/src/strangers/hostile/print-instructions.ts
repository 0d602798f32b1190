import { instructionOf } from './instructed-texts.ts'

/** Tells, as JSON, the first instructions of pages: as many as are asked for. */
const [count = '100'] = process.argv.slice(2)
const all = Array.from({ length: Number(count) }, (_, index) => instructionOf(index + 1))
process.stdout.write(`${JSON.stringify(all)}\n`)

import { open, readFile } from 'node:fs/promises'

const chunkBytes = 4 * 1024 * 1024

/** What is looked for: a beginning, and what must follow it to count. */
type Sought = { readonly begins: string; readonly goesOn: ReadonlySet<string> | null }

const encodings = ['latin1', 'utf16le'] as const
/** As much as follows a beginning. */
const reach = 64

/** How often each stands in the memory of a process that can be written, as bytes and as two-byte characters; null: it cannot be read. */
export async function countInMemory(pid: number, sought: readonly Sought[]): Promise<number | null> {
  const needles = sought.flatMap(({ begins, goesOn }) =>
    encodings.map((encoding) => ({ bytes: Buffer.from(begins, encoding), goesOn, encoding })),
  )
  const longest = Math.max(...needles.map(({ bytes }) => bytes.length)) + reach
  let found = 0
  try {
    const regions = regionsIn(await readFile(`/proc/${pid}/maps`, 'utf8'))
    const memory = await open(`/proc/${pid}/mem`)
    try {
      const chunk = Buffer.alloc(chunkBytes)
      for (const { from, to } of regions)
        for (let at = from; at < to; at += chunkBytes - longest) {
          const wanted = Math.min(chunkBytes, to - at)
          const read = await memory.read(chunk, 0, wanted, at).catch(() => null)
          // A region may be gone by now, or be of a device.
          if (read === null || read.bytesRead === 0) break
          for (const needle of needles) found += countIn(chunk.subarray(0, read.bytesRead), needle)
        }
    } finally {
      await memory.close()
    }
  } catch {
    return null
  }
  return found
}

function regionsIn(maps: string): { from: number; to: number }[] {
  return maps.split('\n').flatMap((line) => {
    const [, from = '', to = '', rights = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? []
    const isOurs = rights.startsWith('rw') && !line.endsWith('[vvar]')
    return isOurs ? [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }] : []
  })
}

type Needle = Pick<Sought, 'goesOn'> & {
  readonly bytes: Buffer
  readonly encoding: (typeof encodings)[number]
}

function countIn(chunk: Buffer, { bytes, goesOn, encoding }: Needle): number {
  let count = 0
  for (let at = chunk.indexOf(bytes); at !== -1; at = chunk.indexOf(bytes, at + 1)) {
    const after = chunk.subarray(at + bytes.length, at + bytes.length + reach).toString(encoding)
    if (goesOn === null || [...goesOn].some((text) => after.startsWith(text))) count += 1
  }
  return count
}

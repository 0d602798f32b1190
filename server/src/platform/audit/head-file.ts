import { open } from 'node:fs/promises'
import type { HeadSink } from './export-heads.ts'

/** Appends a line of JSON for each export, and resolves when it is on the disk. Only the file's owner can read it. */
export function headFile(path: string): HeadSink {
  return {
    async keep(heads, at) {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(`${JSON.stringify({ at: at.toISOString(), audit_heads: heads })}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

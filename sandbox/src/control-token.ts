import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The token of the sandbox whose memory is in this folder: made by the first of its processes, and kept. */
export function readOrMakeControlToken(stateDir: string): string {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  const path = join(stateDir, 'control.token')
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8').trim()
}

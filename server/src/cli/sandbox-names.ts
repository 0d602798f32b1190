import { readFileSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import type { SandboxNames } from '../platform/egress/egress.ts'
import { withFileWords } from '../platform/files/file-trouble.ts'
import { CommandFailure } from './failure.ts'

/** The shops of the sandbox as `prokura up` has written them down for the roles; null: this process reaches none. */
export function sandboxNamesOf({ sandboxNamesFile: file }: Config): SandboxNames | null {
  if (file === null) return null
  const text = withFileWords(file, () => readFileSync(file, 'utf8'))
  try {
    return JSON.parse(text) as SandboxNames // written by `prokura up`
  } catch {
    throw new CommandFailure(`${file} is damaged. Start the service again, which writes it anew.`)
  }
}

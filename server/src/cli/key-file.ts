import { readFileSync } from 'node:fs'
import { Secret } from '../platform/secrets/secret.ts'
import { CommandFailure } from './failure.ts'

/** The key in a file that a setting names. A file that is missing is found when the process starts, and not by the first call. */
export function readKeyFile(setting: string, file: string): Secret {
  try {
    return new Secret(readFileSync(file, 'utf8').trim())
  } catch {
    throw new CommandFailure(`${setting} names ${file}, which cannot be read.`)
  }
}

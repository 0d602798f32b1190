import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { durations } from './durations.ts'

/** Edges without a constant: times that callers choose, and the calendar. */
export const chosenByCallers = [
  'policy approval',
  'price question',
  'validity',
  'key expiry',
  'intents per day',
  'promotion',
  'promotion offer',
]

/**
 * Durations of the contract whose owner does not exist yet. Each names words that the sources would contain if it did. Once
 * they do, the suite requires an edge instead.
 */
export const notYet: readonly { duration: string; word: RegExp }[] = [
  { duration: 'one-time password of an enrolment', word: /otpMinutes|otp_expires/i },
]

/** Folders whose durations are local, except in files that are named above: times of a process's own sockets, files and children. */
const local = [
  'cli/',
  'surfaces/',
  'channels/',
  'rails/',
  'platform/hints/',
  'platform/limits/',
  'platform/database/',
  'platform/metrics/',
  'platform/postgres/',
  'platform/calls/',
  'platform/doors/',
  'platform/events/',
  'platform/clock/',
  'platform/work/',
  'platform/backup/',
  'platform/egress/',
  'platform/logs/',
  'platform/faults/',
]

const sources = join(import.meta.dirname, '../../../src')

/** Every duration in the sources, by file and name. */
export function foundDurations(): Map<string, string> {
  const found = new Map<string, string>()
  const constant =
    /\b(\w*(?:Hours|Days|Minutes|Seconds|Ms)(?:Max|Default)?)\b\s*[:=]\s*(\[[\d_, .]+\]|[\d_][\d_ *]*)/g
  for (const file of sourceFiles()) {
    const isNamed = Object.keys(durations).some((name) => name.startsWith(`${file} `))
    if (local.some((folder) => file.startsWith(folder)) && !isNamed) continue
    const text = readFileSync(join(sources, file), 'utf8')
    for (const [, name = '', value = ''] of text.matchAll(constant)) {
      if (/^0?$/.test(value.trim())) continue
      found.set(`${file} ${name}`, value.trim())
    }
    for (const [, value = ''] of text.matchAll(/\binterval '([^']+)'/g)) found.set(`${file} interval`, value)
  }
  return found
}

export function sourceText(): string {
  return sourceFiles()
    .map((file) => readFileSync(join(sources, file), 'utf8'))
    .join('\n')
}

function sourceFiles(): string[] {
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(entry.name),
    )
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)))
}

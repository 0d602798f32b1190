import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeRun } from './results.ts'

const folder = join(import.meta.dirname, '../../../.tmp/suites/passes')

/** What passed in runs of the same commit, with what is told of it: a long run that was stopped goes on where it was. */
type Passes<T> = {
  of(name: string): T | null
  keep(name: string, told: T): void
}

type Kept<T> = { commit: string; passed: Record<string, T> }

export function openPasses<T>(suite: string): Passes<T> {
  const path = join(folder, `${suite}.json`)
  const { commit } = describeRun()
  const read = readKept<T>(path)
  // A tree with changes is a different one each time.
  const isSame = read?.commit === commit && !commit.includes(' ') && commit !== 'unknown'
  const kept: Kept<T> = isSame && read ? read : { commit, passed: {} }
  return {
    of: (name) => kept.passed[name] ?? null,
    keep(name, told) {
      kept.passed[name] = told
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, `${JSON.stringify(kept)}\n`)
    },
  }
}

function readKept<T>(path: string): Kept<T> | null {
  try {
    const kept: Kept<T> = JSON.parse(readFileSync(path, 'utf8'))
    return kept
  } catch {
    return null
  }
}

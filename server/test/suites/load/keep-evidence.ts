import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tally } from '../suite.ts'
import { readEvidence } from './read-stored.ts'

const purchasesMax = 10

/** The folder is empty at the start of a run. The files that are left there afterwards explain its failures. */
export function evidenceFolder(name: string, seed: number): string {
  const folder = join(import.meta.dirname, '../../../../.tmp/suites', `${name}-${seed}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Nothing is kept of a run without failures. Otherwise the summary says where the evidence is. */
export function endEvidence(folder: string, tally: Tally): void {
  if (tally.failed === 0) rmSync(folder, { recursive: true, force: true })
  else tally.figure('evidence', folder.slice(folder.indexOf('.tmp')))
}

/** Writes everything that is stored of the first purchases with a fault, and other evidence by its name. The faults of a run add up. */
export async function keepEvidence(
  { folder, url }: { folder: string; url: string },
  broken: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const ids = new Set(broken.flatMap((text) => text.match(/pi_[0-9a-z]+/g) ?? []))
  for (const id of [...ids].slice(0, purchasesMax)) {
    writeFileSync(join(folder, `${id}.json`), toJson(await readEvidence(url, id)))
  }
  for (const [name, value] of Object.entries({ ...more, broken: [...brokenBefore(folder), ...broken] })) {
    writeFileSync(join(folder, `${name}.json`), toJson(value))
  }
}

function brokenBefore(folder: string): string[] {
  const path = join(folder, 'broken.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member), 2)}\n`
}

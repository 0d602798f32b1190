import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFiles } from '../files/program-files.ts'

export type Migration = {
  version: number
  name: string
  sql: string
  checksum: string
  isTransactional: boolean
  /** It stands for all versions up to its own. */
  isBaseline: boolean
}

export const migrationsDirectory = programFiles.migrations

/** The commit that can bring a schema below the baseline up to it. */
export const lastBelowBaseline = 'a4d34fc6'

const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/
const baselineName = /^\d{4}_baseline\.sql$/

/**
 * The migrations in order. The first may be a baseline, and then the versions below it have no files. It refuses numbers that are missing or
 * used twice, because then two changes were made independently.
 */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const migrations = names.sort().map((name) => readMigration(directory, name))
  for (const [index, { version, name, isBaseline }] of migrations.entries()) {
    const before = migrations[index - 1]
    if (before && isBaseline)
      throw new Error(`${name} stands for all versions up to its own. Remove ${before.name}.`)
    const expected = (before?.version ?? 0) + 1
    if (version === expected || isBaseline) continue
    throw new Error(
      version < expected
        ? `Two migrations have number ${version}: ${before?.name} and ${name}. Give one of them the next free number.`
        : `Migration ${String(expected).padStart(4, '0')} is missing: ${name} comes in its place. Numbers start at 0001 or at a baseline, and have no gaps.`,
    )
  }
  return migrations
}

/** The versions of a schema that this code reads. */
export function versionsOf(migrations: readonly Migration[]): { oldest: number; newest: number } {
  return { oldest: migrations[0]?.version ?? 0, newest: migrations.at(-1)?.version ?? 0 }
}

/** The first of the applied migrations that is another than ours. How a schema has come to the baseline does not matter. */
export function changedMigration<Applied extends { version: number; name: string; checksum: string }>(
  applied: readonly Applied[],
  migrations: readonly Migration[],
): { applied: Applied; ours: Migration } | null {
  for (const one of applied) {
    const ours = migrations.find(({ version }) => version === one.version)
    // guard migrations-do-not-change: a migration that was applied is never another one
    if (!ours || ours.checksum === one.checksum || (ours.isBaseline && ours.name !== one.name)) continue
    return { applied: one, ours }
  }
  return null
}

function readMigration(directory: string, name: string): Migration {
  const number = fileName.exec(name)?.[1]
  if (number === undefined) throw new Error(`${name} is not named like a migration: NNNN_lower_case_name.sql`)
  // A checkout may have changed the line ends, which makes no difference.
  const sql = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
  return {
    version: Number(number),
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    isTransactional: sql.split('\n', 1)[0]?.trim() !== '-- no transaction',
    isBaseline: baselineName.test(name),
  }
}

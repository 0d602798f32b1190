import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Migration = {
  version: number
  name: string
  sql: string
  checksum: string
  isTransactional: boolean
}

/** `server/migrations` */
export const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url))

const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/

/** The migrations in order. It refuses numbers that are missing or used twice, because then two changes were made independently. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const migrations = names.sort().map((name) => readMigration(directory, name))
  for (const [index, { version, name }] of migrations.entries()) {
    if (version === index + 1) continue
    const expected = String(index + 1).padStart(4, '0')
    throw new Error(
      version <= index
        ? `Two migrations have number ${version}: ${migrations[index - 1]?.name} and ${name}. Give one of them the next free number.`
        : `Migration ${expected} is missing: ${name} comes in its place. Numbers start at 0001 and have no gaps.`,
    )
  }
  return migrations
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
  }
}

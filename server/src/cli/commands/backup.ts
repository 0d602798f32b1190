import type { Command } from 'commander'
import { BackupError } from '../../platform/backup/manifest.ts'
import { type Backup, writeBackup } from '../../platform/backup/write-backup.ts'
import { abortOnSignals, megabytes, showProgress } from '../copy-progress.ts'
import { CommandFailure } from '../failure.ts'
import { lookAt, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { encryptionKeysAtHand, type KeysAtHand } from '../operator/keys-at-hand.ts'
import { openExistingDatabase } from '../operator/operated-database.ts'
import { out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean }

export function defineBackup(command: Command): void {
  command
    .argument('<folder>', 'the folder to create; it must not exist yet')
    .option('--state <dir>', 'the state folder of `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(backUp)
}

async function backUp(target: string, options: Options): Promise<void> {
  const database = await openExistingDatabase(options.state)
  const progress = showProgress('Backing up', options.json ?? false)
  try {
    const keys = encryptionKeysAtHand(database.config)
    await lookAt(database)
    const writing = writeBackup({
      url: database.url,
      target,
      encryptionKeys: keys.provider && {
        root_id: keys.provider.rootId,
        current_id: keys.provider.currentId,
        source: keys.source,
      },
      onProgress: progress.on,
      signal: abortOnSignals(),
    })
    const backup = await withDatabaseTrouble(database, () => writing)
    progress.end()
    if (options.json) outJson(summaryOf(backup, keys))
    else describe(backup, keys)
  } catch (error) {
    progress.end()
    throw error instanceof BackupError ? new CommandFailure(error.message) : error
  } finally {
    await database.close()
  }
}

function summaryOf({ folder, manifest, bytes, strangers }: Backup, keys: KeysAtHand) {
  return {
    folder,
    created_at: manifest.created_at,
    schema_version: manifest.schema.version,
    tables: manifest.tables.length,
    rows: rowsOf(manifest),
    bytes,
    vault_keys: {
      included: false,
      source: keys.source,
      found: keys.provider !== null,
      root_id: keys.provider?.rootId ?? null,
      current_id: keys.provider?.currentId ?? null,
    },
    tables_left_out: strangers,
  }
}

function describe({ folder, manifest, bytes, strangers }: Backup, keys: KeysAtHand): void {
  const { tables, schema, created_at } = manifest
  out(
    `${styled('green', 'Backed up')} ${rowsOf(manifest)} rows of ${tables.length} tables (${megabytes(bytes)}, schema version ${schema.version}), as of ${created_at}.`,
  )
  out(`  ${folder}`)
  if (strangers.length > 0)
    out(`  Not in the backup, because they are not tables of Prokura: ${strangers.join(', ')}.`)
  const where = keys.provider
    ? `They are in ${keys.source}.`
    : `There are none at ${keys.source}: find out where they are.`
  out(
    styled(
      'yellow',
      `The encryption keys are NOT in the backup. Without them the backup is worthless: no API key works, and no card can be decrypted.`,
    ),
  )
  out(`${where} Keep a copy of the keys, in a different place than the backup.`)
}

function rowsOf({ tables }: Backup['manifest']): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

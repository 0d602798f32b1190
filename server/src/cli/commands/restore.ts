import type { Command } from 'commander'
import type { ClientBase } from 'pg'
import { invariants } from '../../composition.ts'
import { type AuditKeys, createAuditKeys } from '../../platform/audit/audit-keys.ts'
import { type InvariantReport, runInvariants } from '../../platform/audit/invariants.ts'
import { BackupError, type Manifest } from '../../platform/backup/manifest.ts'
import { checkBackup, restoreBackup } from '../../platform/backup/restore-backup.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { openPools } from '../../platform/database/pool.ts'
import { runStatement } from '../../platform/database/run-statement.ts'
import { grantRuntime } from '../../platform/database/runtime-role.ts'
import type { Ask } from '../../platform/secrets/prove-keys.ts'
import { abortOnSignals, showProgress } from '../copy-progress.ts'
import { CommandFailure } from '../failure.ts'
import { lookAt, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { encryptionKeysAtHand, keyWords, proveOn } from '../operator/keys-at-hand.ts'
import { type OperatedDatabase, openNewDatabase } from '../operator/operated-database.ts'
import { grantVaultRole } from '../operator/vault-role.ts'
import { roleOf } from '../role-config.ts'
import { out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean; keys: boolean; check?: boolean }

export function defineRestore(command: Command): void {
  command
    .argument('<folder>', 'the folder of the backup')
    .option('--state <dir>', 'the state folder to restore into; its encryption keys must be there first')
    .option('--no-keys', 'restore even if the encryption keys are not on this machine')
    .option('--check', 'only check that the backup is complete and undamaged; needs no database')
    .option('--json', 'print one line of JSON')
    .action((folder: string, options: Options) =>
      restore(folder, options).catch((error: unknown) => {
        throw error instanceof BackupError ? new CommandFailure(error.message) : error
      }),
    )
}

async function restore(source: string, options: Options): Promise<void> {
  const isQuiet = options.json ?? false
  const checking = showProgress('Checking', isQuiet)
  const manifest = await checkBackup(source, checking.on).finally(checking.end)
  if (options.check) {
    if (options.json) outJson({ ok: true, ...aboutBackup(manifest) })
    else out(`${styled('green', 'The backup is whole')}: ${sentence(manifest)}.`)
    return
  }
  const database = await openNewDatabase(options.state)
  const copying = showProgress('Restoring', isQuiet)
  try {
    if (options.keys) refuseWithoutKeys(manifest, database)
    const signal = abortOnSignals()
    await lookAt(database)
    const verify = async (client: ClientBase) => {
      if (options.keys) await refuseOtherKeys(client, database)
    }
    const work = { url: database.url, source, manifest, onProgress: copying.on, verify, signal }
    await withDatabaseTrouble(database, () => restoreBackup(work)).finally(copying.end)
    tell(options, { manifest, ...(await withDatabaseTrouble(database, () => bringUpToDate(database))) })
  } finally {
    await database.close()
  }
}

/** Migrates to this program's schema, grants the rights of the serving role, and audits what was restored. */
async function bringUpToDate({ url, config, folder }: OperatedDatabase) {
  const { version } = await migrate({ url })
  if (config.databaseUrl && !folder) await grantRuntime(url, roleOf(config.databaseUrl.reveal()))
  if (config.databaseVaultUrl && !folder) await grantVaultRole(url, config.databaseVaultUrl.reveal())
  const { provider } = encryptionKeysAtHand(config)
  return { version, report: await audit(url, provider && createAuditKeys(provider)) }
}

/** Checked before the copy is committed: keys with the right names may still be others. */
async function refuseOtherKeys(client: ClientBase, { config }: OperatedDatabase): Promise<void> {
  const { source, provider } = encryptionKeysAtHand(config)
  const ask: Ask = async (statement) => (await runStatement(client, statement)).rows
  const fault = await proveOn(ask, provider, false)
  if (fault) throw new CommandFailure(`${keyWords(fault, source)} Nothing was restored.`)
}

/** Checked before anything is copied: a database whose secrets nobody can open looks restored until the first request. */
function refuseWithoutKeys({ vault_keys }: Manifest, { config }: OperatedDatabase): void {
  const { source, provider } = encryptionKeysAtHand(config)
  const remedy = `Put the encryption keys of the backed-up installation there first (a file must have mode 0600). Or restore with --no-keys, and put them there before the service starts.`
  if (!provider) throw new CommandFailure(`There are no encryption keys at ${source}. ${remedy}`)
  if (vault_keys === null) return
  if (provider.rootId !== vault_keys.root_id || !holds(provider, vault_keys.current_id)) {
    throw new CommandFailure(
      `The keys at ${source} are not the ones of the backup, which needs ${vault_keys.root_id} to ${vault_keys.current_id}. ${remedy}`,
    )
  }
}

function holds(provider: { key(id: string): unknown }, id: string): boolean {
  try {
    provider.key(id)
    return true
  } catch {
    return false
  }
}

/** Without the invariants that only workers keep true: the relay continues where it was when the backup was made. */
async function audit(url: string, auditKeys: AuditKeys | null): Promise<InvariantReport> {
  const pools = openPools({
    url,
    writers: 1,
    readers: 1,
    applicationName: 'prokura restore',
    onError: () => undefined, // the statement under way fails with it
  })
  try {
    return await runInvariants(
      { pools, auditKeys },
      invariants.filter(({ needsWorkers }) => !needsWorkers),
    )
  } finally {
    await pools.close()
  }
}

type Outcome = { manifest: Manifest; version: number; report: InvariantReport }

function tell(options: Options, { manifest, version, report }: Outcome): void {
  const broken = report.invariants.filter(({ violations }) => violations.length > 0)
  if (options.json)
    outJson({
      ok: report.ok,
      ...aboutBackup(manifest),
      schema_version: version,
      invariants: report.invariants,
    })
  else {
    out(`${styled('green', 'Restored')} ${sentence(manifest)}.`)
    if (version > manifest.schema.version) out(`Then migrated to schema version ${version}.`)
    for (const { id, title, violations } of broken)
      out(styled('red', `${id} does not hold: ${title}: ${violations.slice(0, 10).join(', ')}`))
    for (const line of nextSteps(manifest)) out(line)
  }
  if (!report.ok)
    throw new CommandFailure(
      'Everything was restored as it was, but at least one invariant does not hold. It did not hold in the backup either. Find out why before you start the service.',
    )
}

function nextSteps({ created_at, vault_keys }: Manifest): string[] {
  return [
    `The database is as it was at ${created_at}. Nothing that happened later is in it:`,
    '  - keys that were revoked later are valid again, and later changes of freezes and policies are lost: make them again first;',
    '  - purchases that were made later are unknown: compare the record of the payment processor with `prokura status` before agents buy again.',
    `Then start the service${vault_keys ? ` with the encryption keys ${vault_keys.root_id} to ${vault_keys.current_id}` : ''}. See “Restore” in docs/operations.md.`,
  ]
}

function sentence({ created_at, tables, schema }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, schema version ${schema.version}, as of ${created_at}`
}

function aboutBackup({ created_at, tables, schema, vault_keys }: Manifest) {
  return {
    created_at,
    backup_schema_version: schema.version,
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    vault_keys,
  }
}

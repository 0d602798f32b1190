import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { note, out, outJson } from '../terminal.ts'
import { becomeWithoutCoreDumps } from '../vault/without-core-dumps.ts'

/** Each action loads what it needs: the vault itself has nothing of the product in its memory. */
export function defineVault(vault: Command): void {
  addServe(vault)
  addStatus(vault)
  addKeys(vault)
}

function addServe(vault: Command): void {
  vault
    .command('serve')
    .description(
      'Run the vault: the process that keeps card numbers, for API and workers and for the browser. `prokura up` runs it too.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join (default: all settings come from the environment)',
    )
    .option('--parent-pipe', 'stop when standard input closes')
    .addHelpText(
      'after',
      `
It needs a database role of its own, which DATABASE_VAULT_URL names. Where this program may make no
roles (a managed database), an administrator makes it once:
  create role prokura_vault login password '…';
Then run \`prokura migrate\` with DATABASE_OWNER_URL and DATABASE_VAULT_URL, which gives it its rights.`,
    )
    .action(async (options: { state?: string; parentPipe?: boolean }) => {
      const hasCoreDumps = becomeWithoutCoreDumps() !== 'off'
      const { serveVault } = await import('../vault/serve-vault.ts')
      await serveVault({ state: options.state, parentPipe: options.parentPipe ?? false, hasCoreDumps })
    })
}

type KeyOptions = { state?: string; json?: boolean }

function addStatus(vault: Command): void {
  vault
    .command('status')
    .description(
      'Show whether the vault answers, what it keeps, and where browsers leave cards. The exit code is 1 if it does not answer.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async ({ state, json }: KeyOptions) => {
      const { roleConfig } = await import('../role-config.ts')
      const { askVault } = await import('./status/vault.ts')
      const told = await askVault(roleConfig(state))
      if (json) outJson(told.json.vault)
      else for (const line of told.lines) out(line)
      if (!told.json.vault.answers) process.exitCode = 1
    })
}

function addKeys(vault: Command): void {
  vault
    .command('add-key')
    .description(
      'Add an encryption key to the keys file. Processes that start later encrypt with it. The old keys stay.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: KeyOptions) => {
      const { roleConfig } = await import('../role-config.ts')
      const config = roleConfig(options.state)
      if (config.keys) {
        throw new CommandFailure(
          'The keys come from PROKURA_KEYS. Append an id:base64 pair of 32 bytes there instead.',
        )
      }
      const { addKey } = await import('../operator/keys-at-hand.ts')
      const { id, file } = await addKey(config, note)
      if (options.json) outJson({ key_id: id, file })
      else
        out(
          `Added ${id} to ${file}. Back the file up, then restart API and worker so that they encrypt with it.`,
        )
    })
  vault
    .command('rotate')
    .description(
      'Add a master key for the card numbers of the vault. A running vault seals everything under it within a minute, with no restart.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: KeyOptions) => {
      const { rotateMasterKey } = await import('../vault/rotate-master-key.ts')
      const { id, file } = await rotateMasterKey(options.state)
      if (options.json) outJson({ key_id: id, file })
      else
        out(
          `Added ${id} to ${file}. Back the file up. The vault seals under it within a minute; \`prokura status\` says when nothing is left under the old keys.`,
        )
    })
}

import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { addKey } from '../operator/vault-keys-at-hand.ts'
import { roleConfig } from '../role-config.ts'
import { note, out, outJson } from '../terminal.ts'

export function addVaultCommand(program: Command): void {
  program
    .command('vault')
    .description('Manage the encryption keys of this installation.')
    .command('add-key')
    .description(
      'Add an encryption key to the keys file. Processes that start later encrypt with it. The old keys stay.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const config = roleConfig(options.state)
      if (config.keys) {
        throw new CommandFailure(
          'The keys come from PROKURA_KEYS. Append an id:base64 pair of 32 bytes there instead.',
        )
      }
      const { id, file } = await addKey(config, note)
      if (options.json) outJson({ key_id: id, file })
      else
        out(
          `Added ${id} to ${file}. Back the file up, then restart API and worker so that they encrypt with it.`,
        )
    })
}

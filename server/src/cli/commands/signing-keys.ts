import type { Command } from 'commander'
import {
  type ListedKey,
  listSigningKeys,
  removeSigningKey,
  rotateSigningKey,
} from '../../platform/signatures/signing-keys.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, table } from '../terminal.ts'

type Options = { state?: string; json?: boolean }

export function defineSigningKeys(keys: Command): void {
  shared(keys.command('list'))
    .description('List the keys, newest first. The first one is made if there is none.')
    .action((options: Options) => show(options, listSigningKeys))
  shared(keys.command('rotate'))
    .description(
      'Publish a new key. It signs an hour later; the old one stays published for another 7 days. It happens by itself every 90 days.',
    )
    .action((options: Options) => show(options, rotateSigningKey))
  shared(keys.command('remove').argument('<kid>', 'the key, as `signing-keys list` shows it'))
    .description(
      'Remove a key that has become known, at once: nothing that it has signed is believed any more. If it is the one that signs, the one before it signs again, or a new one.',
    )
    .action((kid: string, options: Options) =>
      show(options, async (parts) => {
        const left = await removeSigningKey(parts, kid)
        if (left) return left
        throw new CommandFailure(`There is no key ${kid}. List the keys with: prokura signing-keys list`)
      }),
    )
}

function shared(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

async function show(
  options: Options,
  act: (parts: Parameters<typeof listSigningKeys>[0]) => Promise<ListedKey[]>,
): Promise<void> {
  const keys = await administer(roleConfig(options.state), ({ parts }) => act(parts))
  if (options.json) return outJson({ keys })
  const rows = keys.map(({ kid, state, signs_from }) => [kid, state, signs_from.toISOString()])
  for (const line of table(['KID', 'STATE', 'SIGNS FROM'], rows)) out(line)
}

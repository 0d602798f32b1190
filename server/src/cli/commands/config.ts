import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  ConfigError,
  describeConfig,
  type Environment,
  processEnvironment,
  readConfig,
} from '../../platform/config/config.ts'
import { isThere } from '../../platform/files/file-trouble.ts'
import { paymentHostsTrouble } from '../browser/payment-hosts-file.ts'
import { CommandFailure } from '../failure.ts'
import { keysTrouble } from '../operator/keys-at-hand.ts'
import { sharedEnvironment } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'
import { stateFiles } from '../up/state-folder.ts'

export function defineConfig(command: Command): void {
  command
    .command('check', { isDefault: true })
    .description(
      'Check the settings in the environment, together with those of the service whose state folder is here or named, and show the values in use. The exit code is 1 if a setting is wrong.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` (default: the one that is here, unless DATABASE_URL is set)',
    )
    .option('--json', 'print one line of JSON')
    .action((options: { state?: string; json?: boolean }) => {
      const env = processEnvironment()
      const folder = folderRead(env, options.state)
      const shared = folder === null ? {} : sharedEnvironment(folder)
      const settings = describeConfig(env, shared)
      const faults = faultsOf({ ...shared, ...env })
      const read_from = folder === null ? ['environment'] : ['environment', folder]
      if (options.json) outJson({ ok: faults.length === 0, faults, read_from, settings })
      else {
        out(
          folder === null
            ? 'Read from the environment alone: no service was started in a folder here.'
            : `Read from the environment, and from ${folder}, as the processes of the service there read them.`,
        )
        for (const line of table(
          ['SETTING', 'VALUE', 'FROM'],
          settings.map((one) => [one.name, one.value ?? '–', one.source]),
        ))
          out(line)
        for (const fault of faults) out(styled('red', fault))
      }
      if (faults.length > 0)
        throw new CommandFailure('At least one setting is wrong. The lines above say which and why.')
    })
}

/** As other commands find the service that they work beside. */
function folderRead(env: Environment, named: string | undefined): string | null {
  if (named !== undefined) return resolve(named)
  const here = resolve(env.PROKURA_STATE_DIR || usualFolder)
  return !env.DATABASE_URL && isThere(join(here, stateFiles.environment)) ? here : null
}

const usualFolder = '.prokura'

function faultsOf(env: Environment): readonly string[] {
  try {
    const config = readConfig(env)
    return [keysTrouble(config), paymentHostsTrouble(config)].filter((trouble) => trouble !== null)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

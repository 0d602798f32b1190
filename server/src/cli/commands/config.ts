import type { Command } from 'commander'
import {
  ConfigError,
  describeConfig,
  type Environment,
  processEnvironment,
  readConfig,
} from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { keysTrouble } from '../operator/vault-keys-at-hand.ts'
import { sharedEnvironment } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('Check the settings of this installation.')
    .command('check', { isDefault: true })
    .description(
      'Check the settings in the environment, and with --state those of a running service, and show the values in use. The exit code is 1 if a setting is wrong.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up`: show the settings that its processes use',
    )
    .option('--json', 'print one line of JSON')
    .action((options: { state?: string; json?: boolean }) => {
      const env = processEnvironment()
      const shared = options.state === undefined ? {} : sharedEnvironment(options.state)
      const settings = describeConfig(env, shared)
      const faults = faultsOf({ ...shared, ...env })
      if (options.json) outJson({ ok: faults.length === 0, faults, settings })
      else {
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

function faultsOf(env: Environment): readonly string[] {
  try {
    const trouble = keysTrouble(readConfig(env))
    return trouble === null ? [] : [trouble]
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

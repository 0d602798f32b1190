import type { Command } from 'commander'
import { ConfigError, describeConfig, processEnvironment, readConfig } from '../platform/config/config.ts'
import { CommandFailure } from './failure.ts'
import { out, outJson, styled, table } from './terminal.ts'

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('Settings of this installation.')
    .command('check', { isDefault: true })
    .description('Check the settings in the environment and show what holds. Exit code 1 when one is wrong.')
    .option('--json', 'print one line of JSON')
    .action((options: { json?: boolean }) => {
      const env = processEnvironment()
      const settings = describeConfig(env)
      const faults = faultsOf(env)
      if (options.json) outJson({ ok: faults.length === 0, faults, settings })
      else {
        for (const line of table(
          ['SETTING', 'VALUE', 'FROM'],
          settings.map((one) => [one.name, one.value ?? '–', one.source]),
        ))
          out(line)
        for (const fault of faults) out(styled('red', fault))
      }
      if (faults.length > 0) throw new CommandFailure('The configuration is faulty.')
    })
}

function faultsOf(env: ReturnType<typeof processEnvironment>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { writeOpenApi } from '../openapi.ts'
import { out } from '../terminal.ts'

export function defineOpenApi(command: Command): void {
  command
    .option('--check', 'write nothing; the exit code is 1 if a committed file is out of date')
    .action((options: { check?: boolean }) => {
      if (!writeOpenApi(options.check ?? false)) {
        throw new CommandFailure(
          'A generated file is out of date. Run `./prokura openapi` and commit the result.',
        )
      }
      if (!options.check) out('Written.')
    })
}

import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { writeOpenApi } from '../openapi.ts'
import { out } from '../terminal.ts'

export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('Generate server/openapi.json and docs/errors.md from the operations.')
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

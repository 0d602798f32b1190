import type { Command } from 'commander'
import { CommandFailure } from './failure.ts'
import { writeOpenApi } from './openapi.ts'
import { out } from './terminal.ts'

export function addOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('Write what is generated from the operations: server/openapi.json and docs/errors.md.')
    .option('--check', 'write nothing; exit code 1 when a committed file is stale')
    .action((options: { check?: boolean }) => {
      if (!writeOpenApi(options.check ?? false)) {
        throw new CommandFailure('A generated file is stale. Run `./prokura openapi` and commit the result.')
      }
      if (!options.check) out('Written.')
    })
}

import type { Command } from 'commander'
import { migrate } from '../platform/database/migrate.ts'
import { grantRuntime } from '../platform/database/runtime-role.ts'
import { asSomebody } from './operator.ts'
import { ownerDatabase, requiredDatabase, roleConfig, roleOf } from './role-config.ts'
import { shareTestDomains } from './share-test-domains.ts'
import { note, out, outJson } from './terminal.ts'

export function addMigrateCommand(program: Command): void {
  asSomebody(program.command('migrate'))
    .description(
      'Bring the database schema to the version of this program. Safe to run at any time, by several at once.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean; as?: string }) => {
      const config = roleConfig(options.state)
      const url = ownerDatabase(config)
      const migrated = await migrate({ url, log: note })
      await grantRuntime(url, roleOf(requiredDatabase(config)))
      const result = { ...migrated, test_domains: await shareTestDomains(config, note, options.as) }
      if (options.json) outJson(result)
      else
        out(
          result.applied.length
            ? `Applied ${result.applied.join(', ')}.`
            : `Nothing to do: the schema has version ${result.version}.`,
        )
    })
}

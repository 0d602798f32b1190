import type { Command } from 'commander'
import { migrate, migratedWords } from '../../platform/database/migrate.ts'
import { grantRuntime } from '../../platform/database/runtime-role.ts'
import { administer } from '../operator/administer.ts'
import { lookAt, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { asSomebody } from '../operator/operator.ts'
import { grantVaultRole } from '../operator/vault-role.ts'
import { ownedDatabase, requiredDatabase, roleConfig, roleOf } from '../role-config.ts'
import { note, out, outJson } from '../terminal.ts'
import { shareTestDomains } from '../up/share-test-domains.ts'

export function defineMigrate(command: Command): void {
  asSomebody(command)
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean; as?: string }) => {
      const config = roleConfig(options.state)
      const named = ownedDatabase(config)
      await lookAt(named)
      const migrated = await withDatabaseTrouble(named, async () => {
        const done = await migrate({ url: named.url, log: note })
        await grantRuntime(named.url, roleOf(requiredDatabase(config)))
        if (config.databaseVaultUrl) await grantVaultRole(named.url, config.databaseVaultUrl.reveal())
        return done
      })
      const shared = config.sharesTestDomains
        ? await administer(config, (admin) => shareTestDomains(admin, note), options.as)
        : null
      const result = { ...migrated, test_domains: shared }
      if (options.json) outJson(result)
      else out(migratedWords(result))
    })
}

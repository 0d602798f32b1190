import type { Command } from 'commander'
import { administer } from './administer.ts'
import { asSomebody } from './operator.ts'
import { roleConfig } from './role-config.ts'
import { out, outJson, styled } from './terminal.ts'

export function addAccountsCommand(program: Command): void {
  const accounts = program.command('accounts').description('Accounts of this installation.')
  asSomebody(accounts.command('create'))
    .description('Open an account with its first keys. The keys are shown this once.')
    .argument('[name]', 'what to call it', 'New account')
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (name: string, options: { state?: string; json?: boolean; as?: string }) => {
      const account = await administer(
        roleConfig(options.state),
        (admin) => admin.openAccount(name),
        options.as,
      )
      if (options.json) return outJson(account)
      out(`${styled('bold', account.account_id)}  ${name}`)
      for (const [key, token] of Object.entries(account.keys)) out(`  ${key.padEnd(17)} ${token}`)
      out(styled('dim', 'Keep them now: only their hashes are stored.'))
    })
}

import type { Command } from 'commander'
import { advanceTestClock } from '../../platform/clock/test-clock.ts'
import { CommandFailure } from '../failure.ts'
import { checkDatabase, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { ownedDatabase, roleConfig } from '../role-config.ts'
import { out, outJson } from '../terminal.ts'

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

export function defineClock(command: Command): void {
  command
    .command('advance')
    .description('Move the clock forward, for all processes at once.')
    .argument('<duration>', 'how far to move it: 90s, 15m, 24h, 7d')
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (duration: string, options: { state?: string; json?: boolean }) => {
      const seconds = secondsOf(duration)
      const named = ownedDatabase(roleConfig(options.state))
      await checkDatabase(named)
      const now = await withDatabaseTrouble(named, () => advanceTestClock(named.url, seconds))
      if (!now)
        throw new CommandFailure(
          'This database has no test clock. Start the service with `prokura up --test-clock`.',
        )
      if (options.json) outJson({ now: now.toISOString(), advanced_seconds: seconds })
      else out(`The clock now shows ${now.toISOString()}.`)
    })
}

function secondsOf(duration: string): number {
  const [, amount, unit] = /^(\d{1,7})([smhd])$/.exec(duration) ?? []
  const seconds = Number(amount) * (unitSeconds[unit ?? ''] ?? Number.NaN)
  if (Number.isNaN(seconds) || seconds === 0)
    throw new CommandFailure('A duration is a number and a unit: 90s, 15m, 24h, 7d.')
  return seconds
}

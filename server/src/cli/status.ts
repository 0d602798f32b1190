import type { Command } from 'commander'
import { relayStatus } from '../platform/events/relay-status.ts'
import { administer } from './administer.ts'
import { roleConfig } from './role.ts'
import { countWork } from './status.sql.ts'
import { out, outJson, styled, table } from './terminal.ts'

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description(
      'How the service does: what is under way, what is overdue, how far the relay is, what is parked.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const { work, relay } = await administer(roleConfig(options.state), async ({ parts }) => ({
        work: await parts.pools.read(countWork({})),
        relay: await relayStatus(parts.pools),
      }))
      if (options.json) return outJson({ work, relay })
      const cells = work.map((row) => [
        row.kind,
        row.status,
        String(row.counted),
        row.overdue > 0 ? `${row.overdue} overdue` : '',
      ])
      for (const line of table(['WHAT', 'STATUS', 'COUNT', ''], cells)) out(line)
      out('')
      out(
        `Relay: ${relay.pending} events pending, the oldest for ${relay.oldestSeconds.toFixed(1)} s; ${relay.shardsHeld} of 16 shards held.`,
      )
      for (const parked of relay.parked) out(styled('red', `Parked: ${JSON.stringify(parked)}`))
    })
}

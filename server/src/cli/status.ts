import type { Command } from 'commander'
import { relayStatus } from '../platform/events/relay-status.ts'
import { selectLiveWorkers } from '../platform/work/workers.sql.ts'
import { administer } from './administer.ts'
import { roleConfig } from './role-config.ts'
import { countWork } from './status.sql.ts'
import { out, outJson, styled, table } from './terminal.ts'
import { readTrouble, tellTrouble } from './trouble.ts'

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description(
      'How the service does: what is under way, what is overdue, unserved or failing, how far the relay is, what is parked.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const { work, relay, trouble, workers } = await administer(
        roleConfig(options.state),
        async ({ parts }) => ({
          work: await parts.pools.read(countWork({})),
          relay: await relayStatus(parts.pools),
          trouble: await readTrouble(parts.pools),
          workers: await parts.pools.read(selectLiveWorkers({})),
        }),
      )
      const parked = relay.parked.map((one) => ({ ...one, events: Number(one.events) }))
      if (options.json) {
        const { pending, oldestSeconds, shardsHeld } = relay
        outJson({
          work,
          workers,
          ...trouble,
          relay: { pending, oldest_seconds: oldestSeconds, shards_held: shardsHeld, parked },
        })
        return
      }
      for (const line of describe(work)) out(line)
      out(`Workers: ${workers.length}.`)
      const lag = relay.pending > 0 ? `, the oldest for ${relay.oldestSeconds.toFixed(1)} s` : ''
      out(`Relay: ${relay.pending} events pending${lag}; ${relay.shardsHeld} of 16 shards held.`)
      for (const one of parked) out(styled('red', `Parked: ${JSON.stringify(one)}`))
      for (const { line } of tellTrouble(trouble)) out(styled('red', line))
    })
}

type Work = { kind: string; status: string; counted: number; overdue: number }

function describe(work: readonly Work[]): string[] {
  if (work.length === 0) return ['No purchase has been asked for yet.']
  const rows = work.map(({ kind, status, counted, overdue }) => [
    kind,
    status,
    String(counted),
    overdue > 0 ? styled('red', `${overdue} overdue`) : '',
  ])
  return [...table(['WHAT', 'STATUS', 'COUNT', ''], rows), '']
}

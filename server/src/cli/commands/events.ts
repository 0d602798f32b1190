import type { Command } from 'commander'
import { type BehindState, selectBehindTenants } from '../../platform/events/backlog.sql.ts'
import { listBehind } from '../../platform/events/relay-status.ts'
import { unparkEvents } from '../../platform/events/unpark-events.ts'
import { CommandFailure } from '../failure.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { behindLines, renderBehind } from '../operator/behind.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson } from '../terminal.ts'

type Options = { state?: string; json?: boolean; all?: boolean; as?: string }

const listedMax = 1000

export function defineEvents(events: Command): void {
  common(
    events
      .command('parked')
      .description(
        'List the parked events: a follower has failed at them for six hours, and retries them every hour by itself.',
      )
      .option(
        '--all',
        'also list events that have failed for a shorter time, and events that wait behind them',
      ),
  ).action(parked)
  common(
    asSomebody(events.command('unpark'))
      .description('Retry parked or failing events now, with the events that wait behind them.')
      .argument('[event_id...]', 'the ids of the events')
      .option('--all', 'retry all of them'),
  ).action(unpark)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

async function parked(options: Options): Promise<void> {
  const states: BehindState[] = options.all ? ['parked', 'failing', 'waiting'] : ['parked']
  const { aggregates, more } = await readDatabase(roleConfig(options.state), (parts) =>
    listBehind(parts.pools, states, listedMax),
  )
  if (options.json) return outJson({ object: 'list', data: aggregates.map(renderBehind), more })
  if (aggregates.length === 0) {
    return out(options.all ? 'No event is parked, failing or waiting.' : 'No event is parked.')
  }
  for (const line of behindLines(aggregates)) out(line)
  if (more > 0) out(`… and ${more} more.`)
}

async function unpark(eventIds: string[], options: Options): Promise<void> {
  if (eventIds.length > 0 === (options.all ?? false)) {
    throw new CommandFailure(
      'Name the events to retry, or add --all to retry all of them. `prokura events parked` lists them.',
    )
  }
  const asked = options.all ? null : eventIds
  const { tried, unknown } = await administer(
    roleConfig(options.state),
    (admin) => hurry(admin, asked),
    options.as,
  )
  if (options.json) outJson({ tried: tried.length, event_ids: tried })
  else if (tried.length > 0)
    out(`${counted(tried.length)} retried now. \`prokura events parked --all\` shows the result.`)
  else if (options.all) out('No event is parked or failing.')
  if (unknown.length > 0) {
    throw new CommandFailure(
      `No such event is parked or failing: ${unknown.join(', ')}. \`prokura events parked --all\` lists those that are.`,
    )
  }
}

/** Each tenant's events in a transaction of its own, which the tenant's audit records. */
async function hurry(
  { parts, inTenant }: Administration,
  asked: readonly string[] | null,
): Promise<{ tried: string[]; unknown: string[] }> {
  const tenants = await parts.pools.read(selectBehindTenants({ event_ids: asked }))
  const tried: string[] = []
  for (const { account_id: accountId, mode, event_ids } of tenants) {
    tried.push(...(await inTenant({ accountId, mode }, (ctx) => unparkEvents(ctx, event_ids))))
  }
  return { tried, unknown: (asked ?? []).filter((id) => !tried.includes(id)) }
}

function counted(events: number): string {
  return events === 1 ? '1 event is' : `${events} events are`
}

import type { Command } from 'commander'
import { railInvariants } from '../features/execution/public.ts'
import { invariants } from '../invariants.ts'
import { type InvariantReport, runInvariants } from '../platform/audit/invariants.ts'
import { verifyAudit } from '../platform/audit/verify-audit.ts'
import { administer } from './administer.ts'
import { CommandFailure } from './failure.ts'
import { openTestRail } from './open-rail.ts'
import { roleConfig } from './role-config.ts'
import { out, outJson, styled } from './terminal.ts'

type Options = { state?: string; json?: boolean }

export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'Check every invariant that the database can show, and where PROKURA_RAIL_URL is set, that the payment rail holds what we say. ' +
        'Exit code 1 when one is violated, or the rail does not answer.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(checkInvariants)
  audit
    .command('verify')
    .description("Walk the hash chain of every account's audit entries.")
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action((_: Options, command: Command) => verifyChains(command.optsWithGlobals()))
}

async function checkInvariants(options: Options): Promise<void> {
  const config = roleConfig(options.state)
  const opened = config.railUrl === null ? null : openTestRail(config.railUrl)
  const all = [...invariants, ...railInvariants(opened?.rail ?? null)]
  const report = await administer(config, ({ parts }) => runInvariants(parts.pools, all)).finally(() =>
    opened?.close(),
  )
  if (options.json) outJson(toWire(report))
  else {
    const idWidth = Math.max(...report.invariants.map(({ id }) => id.length))
    for (const invariant of report.invariants) {
      const { id, title, checked, violations, notAsked } = invariant
      const seen = notAsked ? notAsked.reason : `${checked} checked`
      out(`${id.padEnd(idWidth)}  ${verdictOf(invariant)}  ${title} ${styled('dim', `(${seen})`)}`)
      for (const violation of violations.slice(0, 10)) out(`${' '.repeat(idWidth + 2)}${violation}`)
    }
  }
  if (!report.ok)
    throw new CommandFailure('At least one invariant does not hold, or the rail did not answer.')
}

function toWire({ ok, invariants: all }: InvariantReport): object {
  return {
    ok,
    invariants: all.map(({ notAsked, ...invariant }) => ({
      ...invariant,
      ...(notAsked ? { not_asked: notAsked.reason } : {}),
    })),
  }
}

/** What nobody was asked about does not hold; it is not known. */
function verdictOf({ violations, notAsked }: InvariantReport['invariants'][number]): string {
  if (notAsked) return styled(notAsked.isFault ? 'red' : 'yellow', 'not asked')
  return violations.length === 0 ? styled('green', 'holds') : styled('red', `${violations.length} violations`)
}

async function verifyChains(options: Options): Promise<void> {
  const report = await administer(roleConfig(options.state), (admin) => verifyAudit(admin.parts.pools, {}))
  const { ok, chains, entries, breaks, unchained } = report
  if (options.json) {
    outJson({
      ok,
      chains,
      entries,
      breaks: breaks.map(({ accountId, mode, position, eventId, reason }) => ({
        account_id: accountId,
        mode,
        position,
        event_id: eventId,
        reason,
      })),
      unchained: { events: unchained.events, oldest_seconds: unchained.oldestSeconds },
    })
  } else {
    for (const { accountId, mode, position, reason } of breaks)
      out(styled('red', `${accountId} ${mode}: entry ${position} breaks the chain (${reason})`))
    if (unchained.overdue)
      out(
        styled(
          'red',
          `${unchained.events} events wait for their chain, the oldest for ${unchained.oldestSeconds.toFixed(0)} s`,
        ),
      )
    if (ok) out(`${styled('green', 'The audit chains verify')}: ${entries} entries in ${chains} chains.`)
  }
  if (!report.ok) throw new CommandFailure('The audit does not verify.')
}

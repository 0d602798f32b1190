import { type Command, Option } from 'commander'
import { invariants, railHolds, railMoves } from '../../composition.ts'
import { dayInvariant, railInvariants } from '../../domain/buying/rails/public.ts'
import { breakWords } from '../../platform/audit/break-words.ts'
import { type ExportedHeads, HeadsError, readExportedHeads } from '../../platform/audit/exported-heads.ts'
import { type InvariantReport, runInvariants } from '../../platform/audit/invariants.ts'
import { type EventProof, proveEvent } from '../../platform/audit/prove-event.ts'
import { type AuditReport, verifyAudit } from '../../platform/audit/verify-audit.ts'
import { readRights, weaknessOf } from '../../platform/database/runtime-role.ts'
import { CommandFailure } from '../failure.ts'
import { openLiveRail, openTestRail } from '../open-rail.ts'
import { administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean }
type VerifyOptions = Options & { heads?: string; account?: string; event?: string }

export function defineAudit(audit: Command): void {
  audit
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(checkInvariants)
  audit
    .command('verify')
    .description(
      'Verify the audit chains of every account, or prove that a chain holds one event as it is stored. ' +
        'The exit code is 1 if a chain does not verify or the event is not proven.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option(
      '--heads <file>',
      'also compare the chains with exported heads, in the file of heads or in a worker’s log',
    )
    .option('--account <id>', 'only the chains, or the event, of this account')
    .addOption(new Option('--event <id>', 'prove this event alone').conflicts('heads'))
    .option('--json', 'print one line of JSON')
    .action((_: Options, command: Command) => verify(command.optsWithGlobals()))
}

async function checkInvariants(options: Options): Promise<void> {
  const config = roleConfig(options.state)
  const opened = config.railUrl === null ? null : openTestRail(config.railUrl)
  const live = openLiveRail(config)
  const all = [
    ...invariants,
    ...railInvariants(opened, { sources: railHolds }),
    ...(live === null
      ? []
      : [...railInvariants(live, { sources: railHolds }), dayInvariant(live, { sources: railMoves })]),
  ]
  const report = await administer(config, ({ parts }) => runInvariants(parts, all)).finally(() =>
    Promise.all([opened?.close(), live?.close()]),
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
    throw new CommandFailure(
      'At least one invariant does not hold, or the payment rail did not answer. The lines above say which.',
    )
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

/** An invariant that could not be checked does not hold; its state is unknown. */
function verdictOf({ violations, notAsked }: InvariantReport['invariants'][number]): string {
  if (notAsked) return styled(notAsked.isFault ? 'red' : 'yellow', 'not asked')
  return violations.length === 0 ? styled('green', 'holds') : styled('red', `${violations.length} violations`)
}

function verify(options: VerifyOptions): Promise<void> {
  return options.event === undefined ? verifyChains(options) : verifyEvent(options, options.event)
}

async function verifyChains(options: VerifyOptions): Promise<void> {
  const exported = options.heads === undefined ? null : await readHeads(options.heads)
  const { report, weakness } = await administer(roleConfig(options.state), async ({ parts }) => ({
    report: await verifyAudit(
      parts.pools,
      { keys: parts.auditKeys, ...(exported ? { exported } : {}) },
      options.account === undefined ? {} : { accountId: options.account },
    ),
    weakness: weaknessOf(await readRights(parts.pools)),
  }))
  if (options.json) outJson({ ...verifiedToWire(report), weakness })
  else {
    describeVerified(report, exported !== null)
    if (weakness !== null) out(styled('yellow', weakness))
  }
  if (!report.ok)
    throw new CommandFailure('The audit chains do not verify. The lines above say where and why.')
}

async function readHeads(file: string): Promise<ExportedHeads> {
  return readExportedHeads(file).catch((error: unknown) => {
    throw error instanceof HeadsError ? new CommandFailure(error.message) : error
  })
}

function verifiedToWire({ ok, chains, entries, heads, breaks, unchained }: AuditReport): object {
  return {
    ok,
    chains,
    entries,
    heads,
    breaks: breaks.map(({ accountId, mode, position, eventId, aggregateId, sequence, reason }) => ({
      account_id: accountId,
      mode,
      position,
      event_id: eventId,
      object_id: aggregateId,
      sequence,
      reason,
      meaning: breakWords[reason],
    })),
    unchained: { events: unchained.events, oldest_seconds: unchained.oldestSeconds },
  }
}

function describeVerified(report: AuditReport, isCompared: boolean): void {
  const { ok, chains, entries, heads, breaks, unchained } = report
  for (const { accountId, mode, position, eventId, aggregateId, sequence, reason } of breaks) {
    const of = aggregateId === null ? '' : `, event ${sequence} of ${aggregateId}`
    const place = reason === 'event_unchained' ? `${eventId}` : `entry ${position}${of}`
    out(styled('red', `${accountId} ${mode}: ${place}: ${breakWords[reason]} (${reason})`))
  }
  if (unchained.overdue) {
    const waited = `the oldest for ${unchained.oldestSeconds.toFixed(0)} s`
    out(styled('red', `${unchained.events} events are not in their audit chain yet, ${waited}`))
  }
  if (!ok) return
  const compared = isCompared ? `, and they match the ${heads} exported heads` : ''
  out(`${styled('green', 'The audit chains verify')}: ${entries} entries in ${chains} chains${compared}.`)
  if (!isCompared)
    out(
      styled(
        'dim',
        'Only a comparison with exported heads shows entries that were cut off the end of a chain: add --heads FILE.',
      ),
    )
}

async function verifyEvent(options: VerifyOptions, eventId: string): Promise<void> {
  const proof = await administer(roleConfig(options.state), ({ parts }) =>
    proveEvent(parts.pools, parts.auditKeys, { eventId, accountId: options.account ?? null }),
  )
  if (proof === null) throw new CommandFailure(`No such event is stored: ${eventId}.`)
  if (options.json) outJson(provenToWire(proof))
  else describeProven(proof)
  if (proof.broken !== null) throw new CommandFailure(`The event is not proven: ${meaningOf(proof.broken)}.`)
}

/** The event is there; whether the relay will still chain it, `audit verify` finds out. */
function meaningOf(reason: NonNullable<EventProof['broken']>): string {
  return reason === 'event_unchained' ? 'no chain holds it yet' : breakWords[reason]
}

function provenToWire({ eventId, accountId, mode, aggregateId, sequence, link, broken }: EventProof): object {
  return {
    ok: broken === null,
    event_id: eventId,
    account_id: accountId,
    mode,
    object_id: aggregateId,
    sequence,
    link: link && {
      position: link.position.toString(),
      first_position: link.firstPosition.toString(),
      last_position: link.lastPosition.toString(),
      key_id: link.keyId,
      digest: link.digest.toString('hex'),
      previous_hash: link.previousHash.toString('hex'),
      hash: link.hash.toString('hex'),
    },
    reason: broken,
    meaning: broken && meaningOf(broken),
  }
}

function describeProven({ eventId, accountId, mode, aggregateId, sequence, link, broken }: EventProof): void {
  out(`${eventId}: event ${sequence} of ${aggregateId} (${accountId} ${mode})`)
  if (!link) return
  const key = link.keyId === null ? 'without a key' : `under the key ${link.keyId}`
  out(
    `  entry ${link.position}, signed ${key} with the entries ${link.firstPosition} to ${link.lastPosition}`,
  )
  out(`  digest ${link.digest.toString('hex')}`)
  out(`  behind ${link.previousHash.toString('hex')}`)
  out(`  hash   ${link.hash.toString('hex')}`)
  if (broken === null) out(`${styled('green', 'The event is proven')}: it is as it was when it was chained.`)
}

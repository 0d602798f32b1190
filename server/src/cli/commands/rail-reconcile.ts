import { type Command, InvalidArgumentError } from 'commander'
import { railMoves } from '../../composition.ts'
import {
  type Difference,
  describeDifference,
  type ReconciledDay,
  reconcileDay,
  yesterday,
} from '../../domain/buying/rails/public.ts'
import { CommandFailure } from '../failure.ts'
import { openLiveRail } from '../open-rail.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled } from '../terminal.ts'

type Options = { state?: string; json?: boolean; day?: Date }

export function defineReconcile(command: Command): void {
  command
    .description(
      'Compare what the database says was captured and given back in live mode on a day (UTC) with the books of the payment rail. ' +
        'It changes nothing. The exit code is 1 if anything differs.',
    )
    .option('--day <day>', 'a day that is over, as YYYY-MM-DD (default: yesterday)', dayIn)
    .action(reconcile)
}

function dayIn(given: string): Date {
  const day = new Date(`${given}T00:00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(day.getTime()) && nameOf(day) === given) return day
  throw new InvalidArgumentError('It must be a day, such as 2026-11-30.')
}

function nameOf(day: Date): string {
  return day.toISOString().slice(0, 10)
}

async function reconcile(options: Options): Promise<void> {
  const config = roleConfig(options.state)
  const { day, said } = await readDatabase(config, async ({ pools }) => {
    const last = await yesterday(pools)
    const day = options.day ?? last
    if (day > last)
      throw new CommandFailure(`${nameOf(day)} is not over. The last day that is over is ${nameOf(last)}.`)
    const live = openLiveRail(config)
    if (live === null)
      throw new CommandFailure(
        'Live mode has no payment rail here. `prokura rail check` says what is lacking.',
      )
    const said = await reconcileDay(pools, live, { day, sources: railMoves }).finally(() => live.close())
    return { day, said }
  })
  if (said === null) throw new CommandFailure('The payment rail did not answer, so nothing was compared.')
  if (options.json) outJson(toWire(day, said))
  else tell(day, said)
  if (said.differences.length + said.unread.length > 0) process.exitCode = 1
}

function tell(
  day: Date,
  { here, there, strange, underWay, others, unread, differences }: ReconciledDay,
): void {
  out(`${nameOf(day)} (UTC): ${here} captures and refunds here, ${there} at the payment rail`)
  if (underWay > 0) out(`${underWay} of them are not answered yet, and are compared when they are`)
  if (strange > 0) out(styled('dim', `${strange} captures and refunds there are none of ours`))
  const counts = [...others].map(([word, count]) => `${count} ${word}`)
  if (counts.length > 0) out(styled('dim', `also in its books: ${counts.join(', ')}`))
  for (const difference of differences) out(`${styled('red', 'differs')}  ${describeDifference(difference)}`)
  for (const id of unread) out(`${styled('red', 'differs')}  ${id} is not understood`)
  if (differences.length + unread.length === 0) out(styled('green', 'Nothing differs.'))
}

function toWire(day: Date, said: ReconciledDay): object {
  const { here, there, strange, underWay, others, unread, differences } = said
  return {
    object: 'rail_day',
    mode: 'live',
    day: nameOf(day),
    here,
    there,
    of_others: strange,
    under_way: underWay,
    other_entries: Object.fromEntries(others),
    not_understood: unread,
    differences: differences.map((one) => ({
      difference: one.kind,
      kind: one.move,
      made: one.made,
      key: one.key,
      subject: one.subject,
      reference: one.reference,
      here: moneyToWire(one.here),
      there: moneyToWire(one.there),
    })),
  }
}

function moneyToWire(money: Difference['here']): object | null {
  return money === null ? null : { amount: Number(money.amount), currency_code: money.currency }
}

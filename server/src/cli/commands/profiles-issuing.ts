import { type Command, InvalidArgumentError } from 'commander'
import { selectInReview, selectProfileTenant } from '../../domain/buyers/profiles/operated-profiles.sql.ts'
import { decideIssuing } from '../../domain/buyers/profiles/public.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { nameOf } from '../purchases/people.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, table } from '../terminal.ts'

type Options = { state?: string; json?: boolean; as?: string }
type Decision = 'enabled' | 'rejected'

/** In live mode nobody but an operator decides about a person's identity. */
export function addIssuing(profiles: Command): void {
  const issuing = profiles
    .command('issuing')
    .description('As an operator: decide on the identity of a person, which cards that are issued need.')
  beside(issuing.command('list'))
    .description(
      'List the profiles that are in review, of all accounts and both modes, the longest waiting first.',
    )
    .action(list)
  beside(asSomebody(issuing.command('decide')))
    .description(
      'Decide whether cards may be issued to a profile, of any account and either mode. The audit names you.',
    )
    .argument('<profile>', 'the id of the profile')
    .argument('<decision>', 'enabled or rejected', decisionOf)
    .action(decide)
}

function beside(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

function decisionOf(text: string): Decision {
  if (text === 'enabled' || text === 'rejected') return text
  throw new InvalidArgumentError('It must be enabled or rejected.')
}

async function list(options: Options): Promise<void> {
  const rows = await readDatabase(roleConfig(options.state), ({ pools }) => pools.read(selectInReview({})))
  const data = rows.map(({ updated_at, ...one }) => ({ ...one, in_review_since: updated_at.toISOString() }))
  if (options.json) return outJson({ object: 'list', data })
  if (data.length === 0) return out('No profile is in review.')
  const cells = data.map((one) => [
    one.id,
    one.mode,
    one.account_id,
    nameOf(one),
    one.country,
    one.in_review_since,
  ])
  for (const line of table(['PROFILE', 'MODE', 'ACCOUNT', 'NAME', 'COUNTRY', 'IN REVIEW SINCE'], cells))
    out(line)
}

async function decide(id: string, decision: Decision, options: Options): Promise<void> {
  const { profile, mode } = await administer(
    roleConfig(options.state),
    async ({ parts, inTenant }) => {
      const [owner] = await parts.pools.read(selectProfileTenant({ id }))
      if (!owner) throw new CommandFailure(`There is no profile ${id} in this database.`)
      const tenant = { accountId: owner.account_id, mode: owner.mode }
      const decided = await inTenant(tenant, (ctx) => decideIssuing(ctx, id, decision))
      if (!decided.ok)
        throw new CommandFailure(`Nothing was decided about ${id}, because ${decided.refusal}.`)
      return { profile: decided.value, mode: owner.mode }
    },
    options.as,
  )
  if (options.json) outJson(profile)
  else out(`The issuing of ${id} (${nameOf(profile)}, ${mode} mode) is ${decision} now.`)
}

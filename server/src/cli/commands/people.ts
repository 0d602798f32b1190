import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ActingContext } from '../../contract/context.ts'
import { meaningOf, Problem } from '../../contract/problem.ts'
import { type Role, roles } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'
import { selectMembers } from '../../domain/accounts/people/people.sql.ts'
import {
  changePerson,
  invitePerson,
  type MadeLink,
  makeLink,
  type Person,
  renderPerson,
} from '../../domain/accounts/people/public.ts'
import { matchesFormat } from '../../schema/formats.ts'
import { CommandFailure } from '../failure.ts'
import { inAccount, tenantOf } from '../operator/chosen-account.ts'
import { asSomebody, systemUser } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'

type Common = { state?: string; account?: string; json?: boolean; as?: string }

/** People are of an account, in both of its modes. */
const mode = 'test'
const peopleMax = 1000

export function definePeople(people: Command): void {
  common(asSomebody(people.command('invite')))
    .description(
      'Invite a person, and print the link by which they sign in for the first time. Nobody else should see it.',
    )
    .argument('<email>', 'their e-mail address', emailAddress)
    .requiredOption('--name <name>', 'their name')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory())
    .action(invite)
  common(people.command('list').description('List the people of the account, newest first.')).action(list)
  common(asSomebody(people.command('sign-in-link')))
    .description(
      'Print a link that lets a person in once, within the hour: also one who has lost their passkey.',
    )
    .argument('<person>', 'their id or e-mail address')
    .action(signInLink)
  common(asSomebody(people.command('role')))
    .description('Give a person another role.')
    .argument('<person>', 'their id or e-mail address')
    .argument('<role>', `one of ${roles.join(', ')}`, roleNamed)
    .action((person: string, role: Role, options: Common) => change(person, { role }, options))
  common(asSomebody(people.command('suspend')))
    .description('Suspend a person: their sessions open nothing of the account from now on.')
    .argument('<person>', 'their id or e-mail address')
    .action((person: string, options: Common) => change(person, { status: 'suspended' }, options))
  common(asSomebody(people.command('reactivate')))
    .description('Let a suspended person act again.')
    .argument('<person>', 'their id or e-mail address')
    .action((person: string, options: Common) => change(person, { status: 'active' }, options))
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--account <id>', 'the account (default: the one that `prokura up` created, or the only one)')
    .option('--json', 'print one line of JSON')
}

function emailAddress(text: string): string {
  if (matchesFormat('email', text)) return text
  throw new InvalidArgumentError('It must be an e-mail address, such as ada@example.com.')
}

function roleNamed(text: string): Role {
  const role = roles.find((each) => each === text)
  if (role !== undefined) return role
  throw new InvalidArgumentError(`It must be one of ${roles.join(', ')}.`)
}

async function invite(email: string, options: Common & { name: string; role: Role }): Promise<void> {
  const { name, role } = options
  const invited = await during(options, (ctx) =>
    invitePerson(reachable(ctx), { email, name, role, by: byOperator(options) }),
  )
  if (options.json) return outJson(invited)
  out(`${styled('bold', invited.person.id)}  ${invited.person.email} is invited as ${role}.`)
  showLink(invited.link)
}

async function signInLink(person: string, options: Common): Promise<void> {
  const personId = (await find(person, options)).id as Id<'per'> // its row was found
  const made = { personId, kind: 'printed_link', by: byOperator(options) } as const
  const link = await during(options, (ctx) => makeLink(reachable(ctx), made))
  if (options.json) return outJson(link)
  showLink(link)
}

function showLink({ url, expires_at }: MadeLink): void {
  out(`  ${url}`)
  out(styled('dim', `It signs in once, until ${expires_at}. It cannot be shown again.`))
}

async function change(
  person: string,
  to: Parameters<typeof changePerson>[2],
  options: Common,
): Promise<void> {
  const { id } = await find(person, options)
  const changed = await during(options, (ctx) => changePerson(ctx, id, to, 'operator'))
  if (options.json) return outJson(changed)
  out(`${changed.email} is ${changed.status}, as ${changed.role}.`)
}

async function list(options: Common): Promise<void> {
  const people = await everybody(options)
  if (options.json) return outJson({ object: 'list', data: people })
  if (people.length === 0)
    return out('The account has no people yet. Invite one with `prokura people invite`.')
  const cells = people.map(({ id, email, name, role, status }) => [id, email, name, role, status])
  for (const line of table(['ID', 'E-MAIL', 'NAME', 'ROLE', 'STATUS'], cells)) out(line)
}

function everybody(options: Common): Promise<Person[]> {
  return readDatabase(roleConfig(options.state), async ({ pools }) => {
    const { accountId: account_id } = await tenantOf(pools, { ...options, mode })
    const rows = await pools.read(selectMembers({ account_id, limit: peopleMax, offset: 0 }))
    return rows.map(renderPerson)
  })
}

async function find(named: string, options: Common): Promise<Person> {
  const people = await everybody(options)
  const found = people.find(({ id, email }) => id === named || email === named.toLowerCase())
  if (found) return found
  throw new CommandFailure(`The account has nobody called ${named}. \`prokura people list\` shows everybody.`)
}

/** A link begins with the address at which people reach the API. */
function reachable(ctx: ActingContext): ActingContext {
  if (ctx.settings.publicUrl !== '') return ctx
  throw new CommandFailure(
    'The link begins with the address at which people reach the API: set PROKURA_PUBLIC_URL, or name the folder of the service with --state.',
  )
}

function byOperator({ as }: Common): string {
  return `operator:${as ?? systemUser()}`
}

/** One transaction in the account; a refusal says what is wrong. */
async function during<T>(options: Common, work: (ctx: ActingContext) => Promise<T>): Promise<T> {
  try {
    return await inAccount({ ...options, mode }, (admin, tenant) => admin.inTenant(tenant, work))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { product } = await import('../../composition.ts')
    throw new CommandFailure(meaningOf(error, product.problems).message)
  }
}

import { type Command, Option } from 'commander'
import type { Address, Profile } from '../../domain/buyers/profiles/profile.ts'
import { CommandFailure } from '../failure.ts'
import { completeId, kinds } from '../purchases/complete-id.ts'
import { addressLine, nameOf } from '../purchases/people.ts'
import { type ApiOptions, asksService, type ProductApi, productApi } from '../purchases/product-api.ts'
import { row } from '../purchases/say-terms.ts'
import { out, outJson, styled, table } from '../terminal.ts'
import { addIssuing } from './profiles-issuing.ts'

export function defineProfiles(profiles: Command): void {
  asksService(profiles.command('list'))
    .description('List the profiles, newest first.')
    .option('--archived', 'those that were archived, instead of the active ones')
    .action(list)
  asksService(addressed(profiles.command('add')))
    .description('Add a person to buy for; with --line1 and --city, at this address.')
    .requiredOption('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
    .requiredOption('--email <address>', 'the e-mail address, which shops get with an order')
    .requiredOption('--country <code>', 'the country of residence, and of the address, such as US')
    .option('--phone <number>', 'the phone number, such as +4915112345678')
    .action(add)
  asksService(profiles.command('show'))
    .description('Show a profile with its addresses.')
    .argument('<profile>', argument)
    .action(show)
  asksService(profiles.command('archive'))
    .description('Archive a profile: nothing is bought for it any more.')
    .argument('<profile>', argument)
    .action(archive)
  addAddresses(profiles)
  addIssuing(profiles)
}

const argument = 'its id, or a beginning or end that no other has'

function addAddresses(profiles: Command): void {
  const addresses = profiles
    .command('addresses')
    .description('Keep the addresses of a profile: list, add, change and remove them.')
  const of = (name: string, description: string) =>
    asksService(addresses.command(name))
      .description(description)
      .argument('<profile>', 'the id of the profile, or a beginning or end that no other has')
  of('list', 'List the addresses of a profile.').action(show)
  addressed(of('add', 'Add an address. A purchase that waits for one is decided again.'))
    .option('--country <code>', 'the country, such as US (default: that of the profile)')
    .action(addAddress)
  addressed(of('change', 'Change an address. Purchases keep the address that they were made with.'))
    .argument('<address>', 'the id of the address')
    .option('--country <code>', 'the country, such as US')
    .action(changeAddress)
  of('remove', 'Remove an address. Purchases keep the address that they were made with.')
    .argument('<address>', 'the id of the address')
    .action(removeAddress)
}

type AddressOptions = ApiOptions & {
  line1?: string
  line2?: string
  city?: string
  region?: string
  postalCode?: string
  country?: string
  to?: string
  type?: Address['address_type']
  default?: boolean
}

// `--state` names the folder of the service.
function addressed(command: Command): Command {
  return command
    .option('--line1 <text>', 'street and number')
    .option('--line2 <text>', 'apartment, floor or other addition; "" takes it away')
    .option('--city <name>', 'the city')
    .option('--region <name>', 'the state, province or region, such as CA; "" takes it away')
    .option('--postal-code <code>', 'the postal code; "" takes it away')
    .option('--to <name>', 'who receives goods there (default: the person)')
    .addOption(
      new Option('--type <type>', 'what the address is for (default: both)').choices([
        'shipping',
        'billing',
        'both',
      ]),
    )
    .option('--default', 'make it the default address of its type')
}

/** The fields that were named, as the interface has them. */
function addressOf(options: AddressOptions): Record<string, unknown> {
  const { line1, line2, city, region, postalCode, country, to, type, default: isDefault } = options
  const named = {
    address_type: type,
    is_default: isDefault,
    recipient_name: to,
    line1,
    line2: emptied(line2),
    city,
    state: emptied(region),
    postal_code: emptied(postalCode),
    country,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function emptied(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

async function list({ archived, ...options }: ApiOptions & { archived?: boolean }): Promise<void> {
  const api = productApi(options)
  const page: { data: Profile[]; total: number } = await api.get(
    `/v1/profiles?limit=200&status=${archived ? 'archived' : 'active'}`,
  )
  if (options.json) return outJson(page)
  if (page.data.length === 0)
    return out(
      archived
        ? `No profile was archived in ${api.mode} mode.`
        : `There is no profile in ${api.mode} mode. Add one with ${api.command('profiles add')}.`,
    )
  const cells = page.data.map((one) => [
    one.id,
    nameOf(one),
    one.email,
    one.country,
    String(one.addresses.length),
    one.status,
  ])
  for (const line of table(['ID', 'NAME', 'E-MAIL', 'COUNTRY', 'ADDRESSES', 'STATUS'], cells)) out(line)
  if (page.total > page.data.length) out(`… and ${page.total - page.data.length} more.`)
}

type Added = AddressOptions & {
  firstName: string
  lastName?: string
  email: string
  country: string
  phone?: string
}

async function add(options: Added): Promise<void> {
  const { firstName, lastName, email, country, phone, line1, city } = options
  if ((line1 === undefined) !== (city === undefined))
    throw new CommandFailure('An address needs at least --line1 and --city. Nothing was added.')
  const api = productApi(options)
  const made: Profile = await api.post('/v1/profiles', {
    first_name: firstName,
    ...(lastName === undefined ? {} : { last_name: lastName }),
    email,
    country,
    ...(phone === undefined ? {} : { phone }),
    ...(line1 === undefined ? {} : { addresses: [{ address_type: 'both', ...addressOf(options) }] }),
  })
  said(api, made, options)
  if (options.json) return
  if (made.addresses.length === 0)
    out(`Add an address with ${api.command(`profiles addresses add ${made.id}`)}.`)
  out(`Add a card with ${api.command(`cards add CARD --profile ${made.id}`)}.`)
}

async function show(given: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  said(api, await api.get(`/v1/profiles/${await completeId(api, kinds.profile, given)}`), options)
}

async function archive(given: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  const id = await completeId(api, kinds.profile, given)
  said(api, await api.post(`/v1/profiles/${id}/archive`, {}), options)
}

async function addAddress(given: string, options: AddressOptions): Promise<void> {
  if (options.line1 === undefined || options.city === undefined)
    throw new CommandFailure('An address needs at least --line1 and --city. Nothing was added.')
  const api = productApi(options)
  const id = await completeId(api, kinds.profile, given)
  const { country }: Profile = await api.get(`/v1/profiles/${id}`)
  const body = { address_type: 'both', country, ...addressOf(options) }
  said(api, await api.post(`/v1/profiles/${id}/addresses`, body), options)
}

async function changeAddress(given: string, address: string, options: AddressOptions): Promise<void> {
  const changes = addressOf(options)
  if (Object.keys(changes).length === 0)
    throw new CommandFailure('Say what to change, such as --line1 "2 Main Street". Nothing was changed.')
  const api = productApi(options)
  const id = await completeId(api, kinds.profile, given)
  said(api, await api.post(`/v1/profiles/${id}/addresses/${encodeURIComponent(address)}`, changes), options)
}

async function removeAddress(given: string, address: string, options: ApiOptions): Promise<void> {
  const api = productApi(options)
  const id = await completeId(api, kinds.profile, given)
  said(api, await api.remove(`/v1/profiles/${id}/addresses/${encodeURIComponent(address)}`), options)
}

function said({ mode }: ProductApi, profile: Profile, { json }: ApiOptions): void {
  if (json) {
    outJson(profile)
    return
  }
  const { id, status, email, phone, country, issuing, addresses } = profile
  out(`${styled('bold', nameOf(profile))}  ${id} (${mode} mode, ${status})`)
  out(row('reached by', [email, phone].filter((part) => part !== null).join(', ')))
  out(row('country', country))
  if (issuing.state !== 'not_requested')
    out(row('issuing', [issuing.state, ...issuing.requirements.map((one) => `needs ${one}`)].join(', ')))
  for (const address of addresses) {
    const kind = `${address.address_type}${address.is_default ? ', default' : ''}`
    out(row('address', `${addressLine(address)} (${kind})${styled('dim', `  ${address.id}`)}`))
  }
}

import type { PageRequest } from '../../../contract/page.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { MemberRow, PersonRow } from './person.ts'

type OfAccount = { account_id: Id<'acct'> }

/** Of two invitations of one address at once, both find the one person. */
export const findOrAddPerson = statement<PersonRow, PersonRow>(
  'find_or_add_person',
  `/* tenantless: people are of the installation */
   insert into people (id, email, name, locale, timezone, created_at, updated_at)
   values ($id, $email, $name, $locale, $timezone, $created_at, $updated_at)
   on conflict (email) do update set email = excluded.email
   returning id, email, name, locale, timezone, created_at, updated_at`,
)

const member = `p.id, p.email, p.name, m.account_id, m.role, m.status, m.invited_by, m.seq, m.created_at, m.updated_at`
const members = `memberships m join people p on p.id = m.person_id`

/** A membership is of an account, in both of its modes. */
export const selectMembers = statement<MemberRow, OfAccount & PageRequest>(
  'select_members',
  `/* tenantless: an account's people are of both its modes */
   select ${member} from ${members} where m.account_id = $account_id
   order by m.created_at desc, m.person_id desc limit $limit + 1 offset $offset`,
)

export const countMembers = statement<{ counted: number }, OfAccount & { cap: number }>(
  'count_members',
  `/* tenantless: an account's people are of both its modes */
   select count(*)::int as counted from (select from memberships where account_id = $account_id limit $cap + 1) counted`,
)

export const lockMember = statement<MemberRow, OfAccount & { person_id: string }>(
  'lock_member',
  `/* tenantless: an account's people are of both its modes */
   select ${member} from ${members} where m.account_id = $account_id and m.person_id = $person_id for update of m`,
)

/** Everywhere that the person is a member, in the order in which rows are locked. */
export const lockMemberships = statement<MemberRow, { person_id: string }>(
  'lock_memberships',
  `/* tenantless: all memberships of one person */
   select ${member} from ${members} where m.person_id = $person_id order by m.account_id for update of m`,
)

type Membership = Omit<MemberRow, 'id' | 'email' | 'name'> & { person_id: Id<'per'> }

export const insertMembership = statement<never, Membership>(
  'insert_membership',
  `/* tenantless: an account's people are of both its modes */
   insert into memberships (account_id, person_id, role, status, invited_by, seq, created_at, updated_at)
   values ($account_id, $person_id, $role, $status, $invited_by, $seq, $created_at, $updated_at)`,
)

export const updateMembership = statement<
  never,
  Pick<Membership, 'account_id' | 'person_id' | 'role' | 'status' | 'seq' | 'updated_at'>
>(
  'update_membership',
  `/* tenantless: an account's people are of both its modes */
   update memberships set role = $role, status = $status, seq = $seq, updated_at = $updated_at
   where account_id = $account_id and person_id = $person_id`,
)

/** How many people can still do everything in the account. Run it under the locks of those whose membership changes. */
export const countOwners = statement<{ owners: number }, OfAccount & { without: string }>(
  'count_owners',
  `/* tenantless: an account's people are of both its modes */
   select count(*)::int as owners from memberships
   where account_id = $account_id and role = 'owner' and status = 'active' and person_id <> $without`,
)

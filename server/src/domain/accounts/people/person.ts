import Type, { type Static } from 'typebox'
import { At, Closed, IdOf, Named, OneOf } from '../../../contract/schemas.ts'
import { type Role, roles } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'

const statuses = ['invited', 'active', 'suspended'] as const
type Status = (typeof statuses)[number]

export const RoleSchema = OneOf(roles, {
  description:
    'What they may do: `owner` and `admin` everything, `approver` approves purchases, `support` helps with them, `developer` keeps keys and destinations, `merchant` sells, `viewer` looks.',
})

/** A person as the account sees them: what they are there, and nothing of what they are elsewhere. */
export const Person = Named(
  'Person',
  Closed(
    {
      id: IdOf('per', 'The id of the person.'),
      object: Type.Literal('person', { description: 'The type of this object.' }),
      email: Type.String({ description: 'Their e-mail address.' }),
      name: Type.String({ description: 'Their name.' }),
      role: RoleSchema,
      status: OneOf(statuses, {
        description:
          '`invited`: they have not signed in yet. `suspended`: they may do nothing until somebody lifts it.',
      }),
      invited_by: Type.String({ description: 'The person or operator who invited them.' }),
      created_at: At('When they were invited.'),
      updated_at: At('When their membership last changed.'),
    },
    { description: 'A person who is a member of the account.' },
  ),
)
export type Person = Static<typeof Person>

export type PersonRow = {
  id: Id<'per'>
  email: string
  name: string
  locale: string
  timezone: string
  created_at: Date
  updated_at: Date
}

/** A membership, with the person. */
export type MemberRow = Pick<PersonRow, 'id' | 'email' | 'name'> & {
  account_id: Id<'acct'>
  role: Role
  status: Status
  invited_by: string
  seq: number
  created_at: Date
  updated_at: Date
}

export function renderPerson(row: MemberRow): Person {
  const { id, email, name, role, status, invited_by } = row
  return {
    id,
    object: 'person',
    email,
    name,
    role,
    status,
    invited_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

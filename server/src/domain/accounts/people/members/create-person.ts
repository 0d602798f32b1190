import Type from 'typebox'
import { confirmRequest } from '../../../../contract/confirm-request.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { At, Closed, Named, Text } from '../../../../contract/schemas.ts'
import { requirePerson } from '../acting-person.ts'
import { Person, RoleSchema } from '../person.ts'
import { requireOwner } from './change-person.ts'
import { invitePerson } from './invite-person.ts'

export const onlyPeople = 'Only a person who has signed in may do this: no key makes the people who decide.'

export const createPerson = defineOperation({
  id: 'v1_create_person',
  method: 'POST',
  path: '/v1/people',
  auth: 'secret',
  scope: 'people:write',
  withoutScope: onlyPeople,
  surfaces: ['v1'],
  forBound: 'refused',
  tag: 'People',
  summary: 'Add a person',
  description:
    'Makes them a member, and answers a link by which they sign in once, for 72 hours. Nobody else should see it. ' +
    'Inviting them again before they have come makes a new link, which ends the one before.',
  body: Closed({
    email: Type.String({
      format: 'email',
      maxLength: 255,
      noCardNumber: true,
      description: 'Their e-mail address.',
    }),
    name: Text(255, { description: 'Their name.' }),
    role: RoleSchema,
  }),
  examples: {
    approver: {
      summary: 'Invite somebody who approves',
      body: { email: 'ada@example.com', name: 'Ada Byron', role: 'approver' },
    },
  },
  responses: {
    201: Named(
      'InvitedPerson',
      Closed(
        {
          person: Person,
          link: Closed(
            {
              url: Type.String({ description: 'The link. It is shown this once.' }),
              expires_at: At('Until when it signs in.'),
            },
            { description: 'By which they sign in for the first time.' },
          ),
        },
        { description: 'A person, and the link that invites them.' },
      ),
    ),
  },
  problems: ['already_a_member', 'owner_required'],
  confirms: confirmRequest('person_invited'),
  async handle(ctx, { body }) {
    const { id, role } = requirePerson(ctx)
    requireOwner(role, body.role)
    const { person, link } = await invitePerson(ctx, { ...body, by: id })
    return reply(201, { person, link: { ...link, url: shownOnce } }, { reveal: { link } })
  },
})

/** What stands in place of the link in the stored answer, which is shown again. */
const shownOnce = 'shown once'

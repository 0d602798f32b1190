import { confirmRequest } from '../../../../contract/confirm-request.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Changes, Closed, IdParam, OneOf } from '../../../../contract/schemas.ts'
import { requirePerson } from '../acting-person.ts'
import { Person, RoleSchema } from '../person.ts'
import { changePerson } from './change-person.ts'
import { onlyPeople } from './create-person.ts'

export const updatePerson = defineOperation({
  id: 'v1_update_person',
  method: 'POST',
  path: '/v1/people/{person_id}',
  auth: 'secret',
  scope: 'people:write',
  withoutScope: onlyPeople,
  surfaces: ['v1'],
  forBound: 'refused',
  tag: 'People',
  summary: 'Update what a person may do',
  description:
    'Gives them another role, or suspends them: their sessions open nothing of this account from then on. The last owner stays one.',
  params: Closed({ person_id: IdParam('The person.', 'per') }),
  body: Changes({
    role: RoleSchema,
    status: OneOf(['active', 'suspended'], { description: 'Whether they may act.' }),
  }),
  examples: { suspend: { summary: 'Suspend a person', body: { status: 'suspended' } } },
  responses: { 200: Person },
  problems: ['not_found', 'owner_required', 'last_owner', 'not_active_yet'],
  confirms: confirmRequest('person_changed'),
  async handle(ctx, { path, body }) {
    return reply(200, await changePerson(ctx, path.person_id, body, requirePerson(ctx).role))
  },
})

import { objectsPerAccountMax } from '../../../../contract/page.ts'
import { listOperation } from '../../../../contract/read-operations.ts'
import { countMembers, selectMembers } from '../people.sql.ts'
import { Person, renderPerson } from '../person.ts'

export const listPeople = listOperation({
  id: 'v1_list_people',
  path: '/v1/people',
  scope: 'people:read',
  surfaces: ['v1'],
  forBound: 'refused',
  tag: 'People',
  summary: 'List the people of the account, newest first',
  description: 'Shows everybody who is a member, whatever their status.',
  limits: [objectsPerAccountMax, objectsPerAccountMax],
  lists: [Person, 'PersonList'],
  rows: selectMembers,
  count: countMembers,
  render: renderPerson,
})

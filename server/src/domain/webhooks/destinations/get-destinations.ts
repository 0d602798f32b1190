import { objectsPerAccountMax } from '../../../contract/page.ts'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { renderDestination } from './destination.ts'
import { countDestinations, selectDestination, selectDestinations } from './destinations.sql.ts'
import type { Side } from './side.ts'

export function getDestination(side: Side) {
  return getOperation({
    id: `v1_get_${side.noun}`,
    path: `${side.path}/{${side.param}}`,
    scope: side.scopes.read,
    tag: side.tag,
    summary: `Read ${side.one}`,
    description:
      'Shows its endpoint, its event types, and whether the endpoint has confirmed itself; of the secret it shows only a prefix.',
    params: side.params,
    shows: side.destination,
    row: (key) => selectDestination({ ...key, audience: side.audience }),
    render: (row, ctx) => renderDestination(row, ctx.tenant.mode),
  })
}

export function listDestinations(side: Side) {
  return listOperation({
    id: `v1_list_${side.noun}s`,
    path: side.path,
    scope: side.scopes.read,
    tag: side.tag,
    summary: `List ${side.many}, newest first`,
    description: 'Shows where events are delivered to. Archived destinations are in the list too.',
    limits: [objectsPerAccountMax, objectsPerAccountMax],
    lists: [side.destination, `${side.components.destination}List`],
    rows: (of) => selectDestinations({ ...of, audience: side.audience }),
    count: (of) => countDestinations({ ...of, audience: side.audience }),
    render: (row, ctx) => renderDestination(row, ctx.tenant.mode),
  })
}

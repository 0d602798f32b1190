import { confirmRequest } from '../../../contract/confirm-request.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { expireSecret } from './destinations.sql.ts'
import { issueSecret, overlapHours } from './secrets.ts'
import type { Side } from './side.ts'
import { changeDestination } from './write-destination.ts'

export function rotateDestinationSecret(side: Side): Operation {
  return defineOperation({
    id: `v1_rotate_${side.noun}_secret`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/rotate_secret`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Rotate the secret of ${side.one}`,
    description:
      'The new secret signs at once; for 24 hours the old one signs and verifies too. Only this answer shows the new secret. While two secrets ' +
      'are live, no third can be made.',
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found', 'destination_archived', 'rotation_in_progress'],
    confirms: confirmRequest('destination_secret_rotated'),
    async handle(ctx, { path }) {
      const issued: { secret?: string } = {}
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.secret_rotated',
        (row) => {
          if (row.status === 'archived') throw new Problem('destination_archived')
          if (row.previous_expires_at) throw new Problem('rotation_in_progress')
          const expiresAt = new Date(ctx.now.getTime() + overlapHours * 3_600_000)
          const position = row.secret_position + 1
          const { secret, prefix } = issueSecret(ctx, row.id, position)
          ctx.tx.write(
            expireSecret({
              account_id: ctx.tenant.accountId,
              mode: ctx.tenant.mode,
              destination_id: row.id,
              position: row.secret_position,
              expires_at: expiresAt,
            }),
          )
          issued.secret = secret
          return { secret_position: position, secret_prefix: prefix, previous_expires_at: expiresAt }
        },
      )
      return reply(200, destination, { reveal: { secret: { ...destination.secret, ...issued } } })
    },
  })
}

import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { Destination, DestinationParams } from './destination.ts'
import { expireSecret } from './destinations.sql.ts'
import { issueSecret, overlapHours } from './secrets.ts'
import { changeDestination } from './write-destination.ts'

export const rotateDestinationSecret = defineOperation({
  id: 'v1_rotate_merchant_destination_secret',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/rotate_secret',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Replace the signing secret',
  description:
    'The new secret signs at once; the one before signs and verifies too for 24 hours. There are never more than two.',
  params: Closed(DestinationParams),
  responses: { 200: Destination },
  problems: ['not_found', 'destination_archived', 'rotation_in_progress'],
  async handle(ctx, { path }) {
    const issued: { secret?: string } = {}
    const destination = await changeDestination(
      ctx,
      path.destination_id,
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

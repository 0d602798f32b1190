import { confirmRequest } from '../../../contract/confirm-request.ts'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Control, ControlTarget, changeControl } from './control.ts'
import type { FreezeReads } from './port.ts'

export function unfreezeControls(reads: FreezeReads) {
  return defineOperation({
    id: 'v1_unfreeze_controls',
    method: 'POST',
    path: '/v1/controls/unfreeze',
    auth: 'secret',
    // guard agents-do-not-freeze: an agent does not unfreeze itself
    scope: 'controls:write',
    tag: 'Policies',
    summary: 'Unfreeze purchases',
    description:
      'Lifts exactly what you name: a frozen profile stays frozen when the account is unfrozen. Unfreezing what is not ' +
      'frozen changes nothing.',
    body: ControlTarget,
    examples: {
      account: { summary: 'Let the account buy again', body: { target: { type: 'account' } } },
      profile: {
        summary: 'Let one profile be bought for again',
        body: { target: { type: 'profile', id: exampleId('prof') } },
      },
    },
    responses: { 200: Control },
    problems: ['not_found'],
    confirms: confirmRequest('unfrozen'),
    async handle(ctx, { body }) {
      return reply(200, await changeControl(ctx, reads, { target: body.target, isFrozen: false }))
    },
  })
}

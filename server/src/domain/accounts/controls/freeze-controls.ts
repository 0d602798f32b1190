import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Control, ControlTarget, changeControl } from './control.ts'
import type { FreezeReads } from './port.ts'

export function freezeControls(reads: FreezeReads) {
  return defineOperation({
    id: 'v1_freeze_controls',
    method: 'POST',
    path: '/v1/controls/freeze',
    auth: 'secret',
    scope: 'controls:write',
    tag: 'Policies',
    summary: 'Freeze purchases',
    description:
      'Stops the account, a profile or a key at once: from now on no approval, no authorization and no order goes out. What ' +
      'a merchant has confirmed is still captured. `in_flight` lists the calls that had gone out before; their outcome is ' +
      'still recorded. Freezing again changes nothing. v1_unfreeze_controls lifts it.',
    destructive: true,
    body: ControlTarget,
    examples: {
      account: { summary: 'Stop all purchases of the account', body: { target: { type: 'account' } } },
      profile: {
        summary: 'Stop the purchases for one profile',
        body: { target: { type: 'profile', id: exampleId('prof') } },
      },
    },
    responses: { 200: Control },
    problems: ['not_found'],
    async handle(ctx, { body }) {
      return reply(200, await changeControl(ctx, reads, { target: body.target, isFrozen: true }))
    },
  })
}

import { defineOperation, reply } from '../../contract/operation.ts'
import { Control, ControlTarget, changeControl } from './control.ts'

export const freezeControls = defineOperation({
  id: 'v1_freeze_controls',
  method: 'POST',
  path: '/v1/controls/freeze',
  auth: 'secret',
  scope: 'controls:write',
  tag: 'Policies',
  summary: 'Stop all purchases of the account, a profile or a key',
  description:
    'From the answer on nothing new leaves: no approval, no authorization, no order. What a merchant has confirmed is still captured. ' +
    'Calls that had left before are in `in_flight`; their outcome is still recorded. Freezing twice changes nothing.',
  destructive: true,
  body: ControlTarget,
  responses: { 200: Control },
  problems: ['not_found'],
  async handle(ctx, { body }) {
    return reply(200, await changeControl(ctx, body.target, true))
  },
})

import { documentVersion } from '../../../contract/openapi.ts'
import type { ToolCaller } from './tool-caller.ts'

export const serverInfo = { name: 'prokura', title: 'Prokura', version: documentVersion }

const instructions =
  'Prokura buys things for people, within limits that they set. To buy: find the profile with v1_list_profiles, call ' +
  'v1_create_purchase_intent with a new idempotency_key, then v1_get_purchase_intent until its status is succeeded, failed, declined or ' +
  'cancelled. Where next_step names a person, tell them, with its url, and go on waiting: a second purchase intent buys twice. Amounts are ' +
  'integers in minor units of the currency: 1999 is $19.99. If the answer to a call is lost, make the same call again with the same ' +
  'idempotency_key. A refused call is an error result that says why; change what it names, or tell the person.'

/** What a client is told before it does anything: that there are tools and nothing else, and how to use them. */
export function introductionFor({ whyNoTools }: ToolCaller) {
  return { capabilities: { tools: {} }, instructions: whyNoTools() ?? instructions }
}

import type { CallContext } from '../../../contract/context.ts'
import { invalid } from '../../../contract/problem.ts'
import { checkTargetUrl, targetRefusals } from '../../../platform/egress/target.ts'

/** The rules for an endpoint, beyond those for a URL. */
export const endpointRules = {
  malformed: `endpoint_url ${targetRefusals.malformed}`,
  scheme: `endpoint_url ${targetRefusals.scheme}`,
  userinfo: `endpoint_url ${targetRefusals.userinfo}`,
  host: `endpoint_url ${targetRefusals.host}`,
  address: `endpoint_url ${targetRefusals.address}`,
} satisfies Record<keyof typeof targetRefusals, string>

/** Throws the 422 for a target that a tenant may not name. It is checked again, as an address, at every connect. */
export function checkEndpointUrl(ctx: Pick<CallContext, 'tenant' | 'settings'>, url: string): void {
  const allowLoopback = ctx.settings.allowLoopback && ctx.tenant.mode === 'test'
  const verdict = checkTargetUrl(url, { allowLoopback })
  if (!verdict.ok) throw invalid(['body', 'webhook', 'endpoint_url'], endpointRules[verdict.reason])
}

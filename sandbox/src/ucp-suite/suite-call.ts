import type { Call } from '../json-server.ts'
import { suiteRelease } from './dialect.ts'
import { refused } from './refusals.ts'

/** A call of the suite. `caller`: the profile that it names, which need be no address. */
export type SuiteCall = Call & { readonly method: string; readonly caller: string }

/** Clients of this release say the version as a parameter of the profile. */
export function callerOf(call: Call): string {
  const header = call.header('ucp-agent') ?? ''
  const [, profile] = /\bprofile="([^"]*)"/.exec(header) ?? []
  if (profile === undefined) throw refused(400, 'Name your profile in UCP-Agent: profile="…".')
  const [, version = suiteRelease] = /;\s*version="([^"]*)"/.exec(header) ?? []
  if (version !== suiteRelease)
    throw refused(400, `Version ${version} is not supported. This business speaks ${suiteRelease} here.`)
  return profile
}

/** Of a checkout or an order: it stands in addresses of the service. */
export function idIn({ params }: SuiteCall): string {
  return encodeURIComponent(params.id ?? '')
}

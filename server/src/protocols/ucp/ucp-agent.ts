import { parseDictionary } from './structured-fields.ts'

/** The profile that a `UCP-Agent` header names. Parameters, such as the `version` of old clients, are passed over. */
export function readUcpAgent(header: string): string | null {
  const member = parseDictionary(header)?.get('profile')
  return member?.kind === 'item' && member.item.kind === 'string' ? member.item.value : null
}

/** The header of a client of the first release, which says the version as a parameter. Its profile need be no address. */
export function readFirstUcpAgent(header: string): { profile: string; version: string | null } | null {
  const member = parseDictionary(header)?.get('profile')
  if (member?.kind !== 'item' || member.item.kind !== 'string') return null
  const version = member.parameters.get('version')
  return { profile: member.item.value, version: version?.kind === 'string' ? version.value : null }
}

/** The header of a party whose profile is at this address. */
export function writeUcpAgent(profileUrl: string): string {
  return `profile="${profileUrl}"`
}

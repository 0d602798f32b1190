import { parseDictionary, stringIn } from './structured-fields.ts'

/** The profile that a `UCP-Agent` header names. Parameters, such as the `version` of old clients, are passed over. */
export function readUcpAgent(header: string): string | null {
  return stringIn(parseDictionary(header)?.get('profile'))
}

/** The header of a party whose profile is at this address. */
export function writeUcpAgent(profileUrl: string): string {
  return `profile="${profileUrl}"`
}

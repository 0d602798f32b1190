import { createHash } from 'node:crypto'

const prefix = 'ucp_'
const keyLength = 8

/**
 * The id under which we hand out a product or variant of a source: it names the source, so that two shops may use one id, and holds the
 * source's own id in letters that mean nothing.
 */
export function sourcedId(sourceId: string, ownId: string): string {
  return `${prefix}${keyOf(sourceId)}${Buffer.from(ownId).toString('base64url')}`
}

/** The source's own id; null: it is an id of another source, or none of ours. */
export function ownIdOf(sourceId: string, id: string): string | null {
  const own = Buffer.from(id.slice(prefix.length + keyLength), 'base64url').toString()
  return isSourcedId(id) && sourcedId(sourceId, own) === id ? own : null
}

/** Whether it is an id of some source. */
export function isSourcedId(id: string): boolean {
  return id.startsWith(prefix) && id.length > prefix.length + keyLength
}

function keyOf(sourceId: string): string {
  return createHash('sha256').update(sourceId).digest('base64url').slice(0, keyLength)
}

/** The id by which a shop itself knows what it was handed out as, whichever source it came from; any other id is the shop's own already. */
export function shopsOwnId(id: string): string {
  if (!isSourcedId(id)) return id
  const own = Buffer.from(id.slice(prefix.length + keyLength), 'base64url')
  const text = own.toString()
  const isOurs =
    own.toString('base64url') === id.slice(prefix.length + keyLength) && Buffer.from(text).equals(own)
  return isOurs ? text : id
}

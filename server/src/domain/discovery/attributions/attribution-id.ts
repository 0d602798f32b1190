import type { Mode, Sealer } from '../../../contract/context.ts'

/** What an attribution id says. */
export type Attribution = { readonly mode: Mode; readonly id: Buffer; readonly expiresAt: Date }

const version = 1
const idBytes = 16
const signatureBytes = 16
/** Version, mode, id, and the second in which it expires. */
const saidBytes = 1 + 1 + idBytes + 4
const prefix = 'attr_'
/** How long a sale or an impression counts for what showed the product. */
const attributionDays = 90
const dayMs = 86_400_000

type Signing = Pick<Sealer, 'hashToken'>
type Random = (length: number) => Uint8Array

export function newAttribution(mode: Mode, now: Date, random: Random): Attribution {
  return {
    mode,
    id: Buffer.from(random(idBytes)),
    expiresAt: new Date(now.getTime() + attributionDays * dayMs),
  }
}

/** `attr_` and base64url: opaque to callers, and signed. */
export function writeAttribution({ mode, id, expiresAt }: Attribution, sealer: Signing): string {
  const said = Buffer.alloc(saidBytes)
  said.writeUInt8(version, 0)
  said.writeUInt8(mode === 'live' ? 1 : 0, 1)
  id.copy(said, 2)
  said.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 2 + idBytes)
  return prefix + Buffer.concat([said, signatureOf(said, sealer)]).toString('base64url')
}

/** Null: it is none of ours. */
export function readAttribution(written: string, sealer: Signing): Attribution | null {
  if (!written.startsWith(prefix)) return null
  const bytes = Buffer.from(written.slice(prefix.length), 'base64url')
  const said = bytes.subarray(0, saidBytes)
  const isOurs =
    bytes.length === saidBytes + signatureBytes &&
    said.readUInt8(0) === version &&
    bytes.subarray(saidBytes).equals(signatureOf(said, sealer)) &&
    // One writing of each: base64url has others that mean the same bytes.
    written === prefix + bytes.toString('base64url')
  if (!isOurs) return null
  return {
    mode: said.readUInt8(1) === 1 ? 'live' : 'test',
    id: said.subarray(2, 2 + idBytes),
    expiresAt: new Date(said.readUInt32BE(2 + idBytes) * 1000),
  }
}

function signatureOf(said: Buffer, sealer: Signing): Buffer {
  return sealer.hashToken(`attribution ${said.toString('base64url')}`).subarray(0, signatureBytes)
}

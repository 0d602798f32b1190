import type { Sealer } from '../../../contract/context.ts'

const sealedAs = 'purchase evidence'

/** Bound to the row: what is copied into another one does not open there. */
export function sealPicture(sealer: Sealer, picture: Uint8Array, id: string): Buffer {
  return sealer.seal(Buffer.from(picture).toString('base64'), sealedAs, id)
}

export function openPicture(sealer: Sealer, sealed: Buffer, id: string): Buffer {
  return Buffer.from(sealer.open(sealed, sealedAs, id), 'base64')
}

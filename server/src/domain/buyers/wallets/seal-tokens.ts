import type { Sealer } from '../../../contract/context.ts'
import type { SealedRecords } from '../../../platform/secrets/sealed-witness.ts'
import type { WalletTokens } from './port.ts'
import { selectSealedWallets } from './wallets.sql.ts'

const sealedAs = 'wallet.tokens'

/** What a sign-in is asked for with. */
export function sealDevice(sealer: Sealer, device: string, id: string): Buffer {
  return sealer.seal(device, sealedAs, id)
}

export function openDevice(sealer: Sealer, sealed: Buffer, id: string): string {
  return sealer.open(sealed, sealedAs, id)
}

export function sealTokens(
  sealer: Sealer,
  { access, refresh }: Omit<WalletTokens, 'seconds'>,
  id: string,
): Buffer {
  return sealer.seal(JSON.stringify([access, refresh]), sealedAs, id)
}

export function openTokens(sealer: Sealer, sealed: Buffer, id: string): Omit<WalletTokens, 'seconds'> {
  const [access, refresh]: [string, string] = JSON.parse(sealer.open(sealed, sealedAs, id)) // as it was sealed
  return { access, refresh }
}

export const sealedWallets: SealedRecords = {
  what: 'sign-ins to wallets',
  sealedAs,
  select: () => selectSealedWallets({}),
}

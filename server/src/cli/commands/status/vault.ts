import type { Config } from '../../../platform/config/config.ts'
import { createVaultClient } from '../../../platform/vault-client/vault-client.ts'
import { styled } from '../../terminal.ts'
import type { Section } from './section.ts'

/** Whether the vault answers at its door, and how much it keeps. Null, and no line, where this service has none. */
export function vaultSection({ vaultDoors }: Pick<Config, 'vaultDoors'>): Section {
  return async () => {
    if (vaultDoors === null) return { json: { vault: null }, lines: [] }
    const health = await createVaultClient(vaultDoors).health()
    if (health === null) {
      const words = `Vault: it does not answer in ${vaultDoors}, or this user may not ask it. No card number can be issued or typed.`
      return { json: { vault: { answers: false } }, lines: [styled('red', words)] }
    }
    const { records, openGrants, redeemed, refused, behind } = health
    const older = behind > 0 ? `; the keys of ${behind} tenants are under an older master key` : ''
    return {
      json: {
        vault: {
          answers: true,
          records,
          open_grants: openGrants,
          redeemed,
          refused,
          under_older_key: behind,
        },
      },
      lines: [`Vault: ${records} card records, ${openGrants} open grants${older}.`],
    }
  }
}

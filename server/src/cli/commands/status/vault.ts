import type { Config } from '../../../platform/config/config.ts'
import { createVaultClient } from '../../../platform/vault-client/vault-client.ts'
import { styled } from '../../terminal.ts'
import type { Section } from './section.ts'

/** Null, and no line, where this service has none. */
export function vaultSection(config: Pick<Config, 'vaultDoors'>): Section {
  return async () => (config.vaultDoors === null ? { json: { vault: null }, lines: [] } : askVault(config))
}

/** Whether the vault answers at its door, and how much it keeps. */
export async function askVault({ vaultDoors }: Pick<Config, 'vaultDoors'>) {
  if (vaultDoors === null) return toldNothing('There is no vault here: PROKURA_VAULT_DOORS is not set.')
  const health = await createVaultClient(vaultDoors).health()
  if (health === null)
    return toldNothing(
      `Vault: it does not answer in ${vaultDoors}, or this user may not ask it. No card number can be issued, entered or typed.`,
    )
  const { records, openGrants, redeemed, refused, behind, publicUrl } = health
  const older = behind > 0 ? `; the keys of ${behind} tenants are under an older master key` : ''
  const vault = {
    answers: true,
    records,
    open_grants: openGrants,
    redeemed,
    refused,
    under_older_key: behind,
    public_url: publicUrl,
  }
  const line = `Vault: ${records} card records, ${openGrants} open grants${older}. ${doorWords(publicUrl)}`
  return { json: { vault }, lines: [line] }
}

function toldNothing(words: string) {
  return { json: { vault: { answers: false } }, lines: [styled('red', words)] }
}

function doorWords(publicUrl: string | null): string {
  if (publicUrl === null) return 'No browser can leave a card with it: PROKURA_VAULT_PORT is not set.'
  return `Browsers leave cards at ${publicUrl}.`
}

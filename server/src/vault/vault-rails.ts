import type { Secret } from '../platform/secrets/secret.ts'

/** A rail to which the vault makes calls. `bearer` says there who asks, in place of the worker's own key; null: this rail asks nobody. */
type VaultRail = { readonly url: string; readonly bearer: Secret | null }

export type VaultRails = Readonly<Partial<Record<string, readonly VaultRail[]>>>

/** The rail of a mode below whose address this is; null: it is nobody's. */
export function railAt(rails: VaultRails, mode: string, url: string): VaultRail | null {
  const asked = URL.parse(url)
  if (asked === null || asked.username !== '' || asked.password !== '') return null
  return rails[mode]?.find((rail) => isBelow(new URL(rail.url), asked)) ?? null
}

function isBelow(base: URL, asked: URL): boolean {
  return asked.origin === base.origin && asked.pathname.startsWith(`${base.pathname.replace(/\/+$/, '')}/`)
}

/** Who asks, as the rail is told: nothing that a caller of the vault says takes its place. */
export function whoAsks({ bearer }: VaultRail): Readonly<Record<string, string>> {
  return bearer === null ? {} : { authorization: `Bearer ${bearer.reveal()}` }
}

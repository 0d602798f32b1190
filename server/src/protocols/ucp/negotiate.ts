/** A capability as a profile declares it. */
export type CapabilityEntry = {
  readonly version: string
  /** The capabilities of which it extends at least one. */
  readonly extends?: readonly string[]
  /** The releases and the capabilities that its schema works with. */
  readonly requires?: {
    readonly protocol?: VersionRange
    readonly capabilities?: Readonly<Record<string, VersionRange>>
  }
}

type VersionRange = { readonly min: string; readonly max?: string }

export type Capabilities = ReadonlyMap<string, readonly CapabilityEntry[]>

export type Negotiated = ReadonlyMap<string, CapabilityEntry>

/**
 * The capabilities that both have, each in the newest version that both have. Extensions without anything that they could extend fall away,
 * and so do those whose ranges do not hold, until nothing more falls.
 */
export function negotiate(options: {
  business: Capabilities
  platform: Capabilities
  release: string
}): Negotiated {
  const { business, platform, release } = options
  const common = new Map<string, CapabilityEntry>()
  for (const [name, entries] of business) {
    const known = new Set(platform.get(name)?.map(({ version }) => version))
    const [newest] = entries
      .filter(({ version }) => known.has(version))
      .toSorted((a, b) => (a.version < b.version ? 1 : -1))
    if (newest) common.set(name, newest)
  }
  for (let before = -1; before !== common.size; ) {
    before = common.size
    for (const [name, entry] of common) if (!canStand(entry, common, release)) common.delete(name)
  }
  return common
}

/** The capability of an operation with the extensions that both have, as a response names them. */
export function relevantTo(capability: string, negotiated: Negotiated): Negotiated {
  const relevant = new Map<string, CapabilityEntry>()
  for (let before = -1; before !== relevant.size; ) {
    before = relevant.size
    for (const [name, entry] of negotiated)
      if (name === capability || entry.extends?.some((parent) => relevant.has(parent)))
        relevant.set(name, entry)
  }
  return relevant
}

function canStand(entry: CapabilityEntry, among: Negotiated, release: string): boolean {
  const { extends: parents = [], requires } = entry
  if (parents.length > 0 && !parents.some((parent) => among.has(parent))) return false
  if (requires?.protocol && !isWithin(release, requires.protocol)) return false
  return Object.entries(requires?.capabilities ?? {}).every(([name, range]) => {
    const found = among.get(name)
    return found !== undefined && isWithin(found.version, range)
  })
}

/** Versions are dates in one form, so their order is that of their text. */
function isWithin(version: string, { min, max }: VersionRange): boolean {
  return version >= min && (max === undefined || version <= max)
}

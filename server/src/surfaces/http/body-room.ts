/** The party that the bytes count for: an account, or, without a key, an address. */
export type BodyHolder = { kind: 'account' | 'address'; name: string }

/** The memory that unfinished bodies of one process may fill. */
export type BodyRoom = {
  /** Whether there is room for this many more bytes; if so, they are held until they are given back. */
  take(holder: BodyHolder, bytes: number): boolean
  release(holder: BodyHolder, bytes: number): void
  readonly held: number
}

/**
 * No party fills it alone: an account holds at most a quarter of it, all callers without a key together as much, and one of their
 * addresses a sixteenth. Where a few addresses have filled that quarter, each of the others still finds room for a body: in a further
 * quarter.
 */
export function createBodyRoom(bytesMax: number): BodyRoom {
  const holders = new Map<string, number>()
  let held = 0
  let heldWithoutKey = 0

  function change(holder: BodyHolder, bytes: number): void {
    held += bytes
    if (holder.kind === 'address') heldWithoutKey += bytes
    const now = heldBy(holder) + bytes
    if (now > 0) holders.set(nameOf(holder), now)
    else holders.delete(nameOf(holder))
  }

  function heldBy(holder: BodyHolder): number {
    return holders.get(nameOf(holder)) ?? 0
  }

  return {
    take(holder, bytes) {
      const isKnown = holder.kind === 'account'
      // guard room-of-all: unfinished bodies do not fill the memory
      if (held + bytes > bytesMax) return false
      const own = heldBy(holder) + bytes
      const ofStrangers = own <= bytesMax / 1024 ? bytesMax / 2 : bytesMax / 4
      // guard room-without-a-key: callers without a key leave room to those with one
      if (!isKnown && heldWithoutKey + bytes > ofStrangers) return false
      // guard room-of-one: one client does not fill the room alone
      if (own > bytesMax / (isKnown ? 4 : 16)) return false
      change(holder, bytes)
      return true
    },
    release: (holder, bytes) => change(holder, -bytes),
    get held() {
      return held
    },
  }
}

function nameOf({ kind, name }: BodyHolder): string {
  return `${kind} ${name}`
}

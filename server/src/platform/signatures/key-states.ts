/** When a key of the service was made, signs and ended. */
export type KeyTimes = {
  readonly created_at: Date
  readonly signs_from: Date
  readonly removed_at: Date | null
}

/** `published`: others can fetch it, and it signs soon. `retired`: its successor signs, and what it has signed can still be checked. */
export type KeyState = 'published' | 'signing' | 'retired' | 'removed'

/** Longer than anybody may keep our profile, which says five minutes; verifiers that keep it for longer must ask again for a key that they do not know. */
const publishedAheadMs = 3_600_000
/** Seven days: messages are still checked after so long: they wait in queues and are sent again. */
const retiredForMs = 604_800_000
/** Two processes may read the time of the database that far apart: the key that one makes to sign at once must sign for the other, too. */
const clocksApartMs = 60_000
/** Ninety days. */
const rotatedEveryMs = 7_776_000_000

/** The state of each key follows from the times of all: nothing has to be switched. `keys` are in order, newest first. */
export function statesOf<Key extends KeyTimes>(
  keys: readonly Key[],
  now: Date,
): { key: Key; state: KeyState }[] {
  let successor: Key | null = null
  return keys.map((key) => {
    const state = stateOf(key, successor, now)
    if (state === 'signing' || state === 'retired') successor = key
    return { key, state }
  })
}

function stateOf(key: KeyTimes, successor: KeyTimes | null, now: Date): KeyState {
  if (key.removed_at !== null) return 'removed'
  if (key.signs_from > now) return 'published'
  if (successor === null) return 'signing'
  return now.getTime() - successor.signs_from.getTime() < retiredForMs ? 'retired' : 'removed'
}

/** When a key that has to be made begins to sign; null: none has to be made. */
export function nextSignsFrom(keys: readonly KeyTimes[], now: Date): Date | null {
  const states = statesOf(keys, now)
  // Nothing can be signed meanwhile, so nobody waits for copies of the profile to become old.
  if (!states.some(({ state }) => state === 'signing')) return new Date(now.getTime() - clocksApartMs)
  const [newest] = states.filter(({ state }) => state !== 'removed')
  const isOld = newest !== undefined && now.getTime() - newest.key.created_at.getTime() >= rotatedEveryMs
  return isOld ? aheadOf(now) : null
}

export function aheadOf(now: Date): Date {
  return new Date(now.getTime() + publishedAheadMs)
}

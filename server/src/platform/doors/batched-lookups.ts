/** How many milliseconds the first lookups wait for further ones. */
const gatherMs = 50
const waitingMax = 1000

type Waiting<Found> = {
  hash: Buffer
  found: (found: Found | null) => void
  failed: (error: unknown) => void
}

type BatchedLookups<Found> = {
  isFull(): boolean
  look(hash: Buffer): Promise<Found | null>
}

/**
 * Looks up many tokens together, one statement at a time: however many are asked for, the database answers about twenty statements a
 * second. `load` returns what it found by the hexadecimal hash.
 */
export function batchLookups<Found>(
  load: (hashes: readonly Buffer[]) => Promise<ReadonlyMap<string, Found>>,
): BatchedLookups<Found> {
  let waiting: Waiting<Found>[] = []
  let isLooking = false

  async function lookAtAll(): Promise<void> {
    const looked = waiting
    waiting = []
    try {
      const all = await load(looked.map(({ hash }) => hash))
      for (const { hash, found } of looked) found(all.get(hash.toString('hex')) ?? null)
    } catch (error) {
      for (const { failed } of looked) failed(error)
    }
    if (waiting.length > 0) lookSoon()
    else isLooking = false
  }

  function lookSoon(): void {
    isLooking = true
    setTimeout(() => void lookAtAll(), gatherMs).unref()
  }

  return {
    isFull: () => waiting.length >= waitingMax,
    look: (hash) =>
      new Promise((found, failed) => {
        waiting.push({ hash, found, failed })
        if (!isLooking) lookSoon()
      }),
  }
}

import type { Hints } from './hints.ts'

/** Hints inside one process: tests use them, and they are the half of the real hints that needs no network. */
export function createMemoryHints(): Hints {
  const listeners = new Map<string, Set<() => void>>()
  return {
    publish(topic) {
      for (const listener of listeners.get(topic) ?? []) queueMicrotask(listener)
    },
    on(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0) listeners.delete(topic)
      }
    },
  }
}

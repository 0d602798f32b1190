/** The user that Chromium runs as; null: the same as this process, which cannot become another. */
export type ChromiumUser = { readonly uid: number; readonly gid: number } | null

/**
 * Does what only root may: to start and end processes of another user, and to give files to it. A process that was started by root and has
 * laid its rights down takes them up for this moment; for any other it is the same as doing it.
 */
export function asRoot<T>(work: () => T): T {
  const [real, effective, group] = [process.getuid?.(), process.geteuid?.(), process.getegid?.()]
  if (real !== 0 || effective === undefined || effective === 0 || group === undefined) return work()
  process.seteuid?.(0)
  process.setegid?.(0)
  try {
    return work()
  } finally {
    process.setegid?.(group)
    process.seteuid?.(effective)
  }
}

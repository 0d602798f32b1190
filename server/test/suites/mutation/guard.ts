/** One place in the code that protects money or authority, and the tests that must fail without it. */
export type Guard = {
  readonly id: string
  /** The guarantee that does not hold without it. */
  readonly keeps: string
  /** Under `server/`, as are the killers. */
  readonly file: string
  /** Where to look for `find`: the first one behind this text, which stands in the file exactly once. */
  readonly after?: string
  /** Stands in the file exactly once (or behind `after`); a guard that was rewritten fails the suite until its entry follows. */
  readonly find: string
  readonly replace: string
  /** As few test files as possible. One of them must fail. */
  readonly killers: readonly string[]
  /** Only the tests whose names match, where the files hold many others. */
  readonly only?: string
}

type Removed = Omit<Guard, 'id' | 'file' | 'killers'> & { readonly killers?: readonly string[] }

/** The guards of one file, by their ids. A guard that names no `killers` has these. */
export function guardsOf(
  file: string,
  killers: readonly string[],
  removed: Readonly<Record<string, Removed>>,
): Guard[] {
  return Object.entries(removed).map(([id, guard]) => ({ id, file, killers, ...guard }))
}

/** The file without the guard. Throws when the text of the guard is not at its place, or stands there more than once. */
export function without(guard: Guard, source: string): string {
  const { id, file, after, find, replace } = guard
  if (find === replace) throw new Error(`guard ${id} is replaced by itself`)
  const [before, rest] = after === undefined ? ['', source] : splitOnce(guard, source, after)
  if (after !== undefined) {
    const at = rest.indexOf(find)
    if (at < 0) throw new Error(`the text of guard ${id} does not stand behind ${after} in ${file}`)
    return before + after + rest.slice(0, at) + replace + rest.slice(at + find.length)
  }
  return splitOnce(guard, source, find).join(replace)
}

function splitOnce({ id, file }: Guard, source: string, text: string): [string, string] {
  const [before = '', rest = '', ...others] = source.split(text)
  if (source.includes(text) && others.length === 0) return [before, rest]
  throw new Error(`the text of guard ${id} stands ${source.split(text).length - 1} times in ${file}: ${text}`)
}

/** The page with one generated part in place of what stands between its markers; all else is kept as it is written. */
export function withPart(page: string, text: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no markers for "${name}"`)
  return `${before}${begin}\n\n${part}\n\n${end}${after}`
}

/** What a guide promises: commands that run, what they answer, and code that stands somewhere. */
export type Guide = {
  commands: { line: number; code: string; out: string | null }[]
  /** What some command of the guide answers, shown elsewhere on the page. */
  transcripts: { line: number; text: string }[]
  excerpts: { line: number; file: string; code: string }[]
}

/**
 * Blocks marked `sh run` are run in order; a block marked `text out` after one is what it answers, with `…` for what varies. A block
 * marked `text transcript` shows a command (`$ …`) and what one of the others answers. One marked with the path of a source file is an
 * excerpt of it.
 */
export function readGuide(markdown: string): Guide {
  const guide: Guide = { commands: [], transcripts: [], excerpts: [] }
  for (const { line, info, code } of blocksOf(markdown)) {
    if (info === 'sh run') guide.commands.push({ line, code, out: null })
    const last = guide.commands.at(-1)
    if (info === 'text out' && last) last.out = code
    if (info === 'text transcript') guide.transcripts.push({ line, text: code.replaceAll(/^\$ .*$/gm, '') })
    const [, file] = /^(?:ts|html|jsx) (\S+\.(?:ts|html|jsx))$/.exec(info) ?? []
    if (file) guide.excerpts.push({ line, file, code })
  }
  return guide
}

function blocksOf(markdown: string): { line: number; info: string; code: string }[] {
  const blocks: { line: number; info: string; code: string }[] = []
  let open: { line: number; info: string; lines: string[] } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    if (open === null) {
      if (text.startsWith('```')) open = { line: index + 1, info: text.slice(3).trim(), lines: [] }
    } else if (text === '```') {
      blocks.push({ line: open.line, info: open.info, code: open.lines.join('\n') })
      open = null
    } else open.lines.push(text)
  }
  return blocks
}

/** The first fragment between two `…` (or line ends) that the output does not hold, in order; null when it holds them all. */
export function missingFragment(output: string, expected: string | null): string | null {
  let from = 0
  for (const fragment of (expected ?? '').split(/…|\n/).filter((part) => part.trim() !== '')) {
    const at = output.indexOf(fragment, from)
    if (at < 0) return fragment
    from = at + fragment.length
  }
  return null
}

/** Whether the code, in parts between lines of `…`, stands in the source in that order; indentation counts. */
export function findPart(source: string, code: string): boolean {
  let from = 0
  for (const part of code.split(/^\s*…\n?/m).map((text) => text.trimEnd())) {
    const at = source.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

/** The marked sections of a guide's first page, those that say something. */
export function firstPageSections(markdown: string): string[] {
  const [first = ''] = markdown
    .split('\n')
    .slice(0, firstPageLines)
    .join('\n')
    .split(/^## (?:Before|Try)/m)
  return first
    .split(/^## /m)
    .slice(1)
    .map((section) => section.split('\n'))
    .filter(([, ...text]) => text.join('').trim() !== '')
    .map(([title = '']) => title)
}

const firstPageLines = 60

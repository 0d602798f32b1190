/** Markup that is safe to send as it is. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | readonly Part[]

/** Markup from a template: every value is inserted as text, unless it is markup itself. Attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.reduce(
      (text, string, index) => text + string + (index < parts.length ? written(parts[index] ?? null) : ''),
      '',
    ),
  )
}

function written(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  // guard text-stays-text: text that people type never becomes markup
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(written).join('')
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

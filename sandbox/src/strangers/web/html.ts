/** Markup that is safe to put into a page: everything else is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Fill = string | number | Html | null | undefined | false | readonly Fill[]

/** A template whose fills are escaped, unless they are markup themselves. */
export function html(parts: TemplateStringsArray, ...fills: Fill[]): Html {
  return new Html(parts.reduce((text, part, index) => text + part + show(fills[index]), ''))
}

/** Styles, scripts and drawings that are written in this repository. */
export function written(text: string): Html {
  return new Html(text)
}

/** Data for scripts. No text in it can end the element. */
export function dataScript(type: string, data: unknown): Html {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c')
  return new Html(`<script type="${type}">${text}</script>`)
}

function show(fill: Fill): string {
  if (fill === null || fill === undefined || fill === false) return ''
  if (fill instanceof Html) return fill.text
  if (typeof fill === 'object') return fill.map(show).join('')
  return escaped(String(fill))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

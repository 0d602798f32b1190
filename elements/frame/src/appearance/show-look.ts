import type { Look } from './read-appearance.ts'

const ruleSheet = new CSSStyleSheet()

/** Shows a look in place. Styles are set by script alone: the page's Content-Security-Policy takes none that stand in the document. */
export function showLook(look: Look): void {
  const { style } = document.documentElement
  for (const [name, value] of Object.entries(look.variables)) style.setProperty(propertyOf(name), value)
  style.setProperty('--on-primary', look.onPrimary)
  style.setProperty('--color-focus', look.focus)
  style.setProperty('color-scheme', look.isDark ? 'dark' : 'light')
  ruleSheet.replaceSync('')
  for (const { selector, declarations } of look.rules) {
    const text = declarations.map(([property, value]) => `${property}: ${value}`).join('; ')
    ruleSheet.insertRule(`${selector} { ${text} }`, ruleSheet.cssRules.length)
  }
  document.adoptedStyleSheets = [ruleSheet]
}

/** `colorText` is `--color-text` in style sheets. */
function propertyOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

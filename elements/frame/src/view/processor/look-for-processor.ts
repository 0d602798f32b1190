import type { CardPageLook } from '../../../../messages/src/card-page-messages.ts'

/** Ours, by the name of the processor: https://docs.stripe.com/elements/appearance-api. */
const names = {
  colorPrimary: '--color-primary',
  colorBackground: '--color-background',
  colorText: '--color-text',
  colorTextSecondary: '--color-text-secondary',
  colorDanger: '--color-danger',
  fontFamily: '--font-family',
  fontSizeBase: '--font-size',
  borderRadius: '--border-radius',
} as const

/** The processor's fields look as the form around them does. */
export function lookForProcessor(style: CSSStyleDeclaration): CardPageLook {
  const found = Object.entries(names).map(([name, ours]) => [name, style.getPropertyValue(ours).trim()])
  return { isDark: style.colorScheme === 'dark', variables: Object.fromEntries(found) }
}

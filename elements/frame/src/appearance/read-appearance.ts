import { contrastOf, readColor } from './colors.ts'
import { type Theme, themes, type Variables } from './themes.ts'
import { ruleProperties, ruleSelectors, variableValues } from './values.ts'

/** A look as it is shown. */
export type Look = {
  readonly isDark: boolean
  readonly variables: Variables
  /** The text on a primary button: whatever can be read on it. */
  readonly onPrimary: string
  /** The ring around what has the focus, which must be seen. */
  readonly focus: string
  readonly rules: readonly {
    readonly selector: string
    readonly declarations: readonly (readonly [string, string])[]
  }[]
  /** What was asked for and is not taken, in sentences for developers. */
  readonly dropped: readonly string[]
}

/** WCAG AA for text. */
const contrastMin = 4.5
const onBackground = ['colorText', 'colorTextSecondary', 'colorDanger', 'colorSuccess'] as const

/** Reads what a page asks for: only names that are listed are looked at, whatever else the object brings. */
export function readAppearance(asked: unknown, prefersDark: boolean): Look {
  const dropped: string[] = []
  const { theme, variables: askedVariables, rules: askedRules, ...others } = partsOf(asked)
  for (const name of Object.keys(others)) dropped.push(`appearance.${name} is unknown.`)
  const chosen = themeOf(theme, prefersDark, dropped)
  const variables = readVariables(askedVariables, themes[chosen], dropped)
  const rules = Object.entries(partsOf(askedRules)).flatMap(([selector, rule]) =>
    readRule(selector, rule, variables, dropped),
  )
  const { colorPrimary, colorBackground, colorText } = variables
  const onPrimary = mostReadable(colorPrimary)
  const focus = contrast(colorPrimary, colorBackground) >= 3 ? colorPrimary : colorText
  const isDark = mostReadable(colorBackground) === '#ffffff'
  return { isDark, variables, onPrimary, focus, rules, dropped }
}

function themeOf(theme: unknown, prefersDark: boolean, dropped: string[]): Theme {
  if (theme === 'auto') return prefersDark ? 'dark' : 'light'
  if (theme === 'light' || theme === 'dark' || theme === 'flat') return theme
  if (theme !== undefined) dropped.push('appearance.theme is one of light, dark, flat and auto.')
  return 'light'
}

function readVariables(asked: unknown, theme: Variables, dropped: string[]): Variables {
  const variables = { ...theme }
  for (const [name, value] of Object.entries(partsOf(asked))) {
    if (!isVariable(name)) dropped.push(`appearance.variables.${name} is unknown.`)
    else if (typeof value !== 'string' || !variableValues[name](value))
      dropped.push(`appearance.variables.${name} does not take this value.`)
    else variables[name] = value
  }
  // Nobody agrees to what cannot be read.
  for (const name of onBackground) {
    if (isReadable(variables[name], variables.colorBackground)) continue
    dropped.push(
      `appearance.variables.${name} cannot be read on colorBackground: their contrast is below 4.5.`,
    )
    variables[name] = mostReadable(variables.colorBackground)
  }
  return variables
}

function readRule(selector: string, rule: unknown, variables: Variables, dropped: string[]): Look['rules'] {
  if (!isSelector(selector)) {
    dropped.push(`appearance.rules has no selector ${selector}.`)
    return []
  }
  const known = ruleSelectors[selector]
  const taken = new Map<string, string>()
  for (const [name, value] of Object.entries(partsOf(rule))) {
    if (!isProperty(name)) dropped.push(`appearance.rules['${selector}'].${name} is unknown.`)
    else if (typeof value !== 'string' || !ruleProperties[name].takes(value))
      dropped.push(`appearance.rules['${selector}'].${name} does not take this value.`)
    else taken.set(ruleProperties[name].css, value)
  }
  const color = taken.get('color') ?? variables[known.color]
  const on = taken.get('background-color') ?? variables[known.on]
  if ((taken.has('color') || taken.has('background-color')) && !isReadable(color, on)) {
    dropped.push(`appearance.rules['${selector}'] cannot be read: the contrast of its colors is below 4.5.`)
    taken.delete('color')
    taken.delete('background-color')
  }
  return taken.size === 0 ? [] : [{ selector: known.css, declarations: [...taken] }]
}

function isReadable(color: string, on: string): boolean {
  return contrast(color, on) >= contrastMin
}

function contrast(color: string, on: string): number {
  const [one, other] = [readColor(color), readColor(on)]
  return one === null || other === null ? 1 : contrastOf(one, other)
}

function mostReadable(on: string): string {
  return contrast('#ffffff', on) >= contrast('#101318', on) ? '#ffffff' : '#101318'
}

function isVariable(name: string): name is keyof Variables {
  return Object.hasOwn(variableValues, name)
}

function isSelector(name: string): name is keyof typeof ruleSelectors {
  return Object.hasOwn(ruleSelectors, name)
}

function isProperty(name: string): name is keyof typeof ruleProperties {
  return Object.hasOwn(ruleProperties, name)
}

function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

import { expect, test } from 'vitest'
import type {
  AppearanceProperty,
  AppearanceSelector,
  AppearanceVariable,
} from '../../../loader/src/prokura.ts'
import { contrastOf, readColor } from './colors.ts'
import { readAppearance } from './read-appearance.ts'
import { themes } from './themes.ts'
import { ruleProperties, ruleSelectors, variableValues } from './values.ts'

test('every theme can be read, by WCAG AA', () => {
  for (const [name, theme] of Object.entries(themes)) {
    const against = (color: string) => {
      const [one, other] = [readColor(color), readColor(theme.colorBackground)]
      return one === null || other === null ? 0 : contrastOf(one, other)
    }
    const { colorText, colorTextSecondary, colorDanger, colorSuccess } = theme
    const texts = [colorText, colorTextSecondary, colorDanger, colorSuccess].map(against)
    expect([name, Math.min(...texts)]).toEqual([name, expect.toSatisfy((least: number) => least >= 4.5)])
    const shapes = [theme.colorBorder, theme.colorPrimary].map(against)
    expect([name, Math.min(...shapes)]).toEqual([name, expect.toSatisfy((least: number) => least >= 3)])
    expect(readAppearance({ theme: name }, false).dropped).toEqual([])
  }
})

test('what is listed is taken', () => {
  const look = readAppearance(
    {
      theme: 'auto',
      variables: {
        colorPrimary: '#0a6',
        fontFamily: '"Times New Roman", serif',
        borderRadius: '0.5rem',
        spacing: '12px',
      },
      rules: {
        '.Input': { borderWidth: '2px', padding: '8px 12px' },
        '.Button': { backgroundColor: 'rgb(10, 20, 30)', color: '#fff' },
      },
    },
    true,
  )
  expect(look.dropped).toEqual([])
  expect(look.isDark).toBe(true)
  expect(look.variables).toMatchObject({ colorPrimary: '#0a6', borderRadius: '0.5rem', spacing: '12px' })
  expect(look.rules).toEqual([
    {
      selector: '.input',
      declarations: [
        ['border-width', '2px'],
        ['padding', '8px 12px'],
      ],
    },
    {
      selector: '.button',
      declarations: [
        ['background-color', 'rgb(10, 20, 30)'],
        ['color', '#fff'],
      ],
    },
  ])
})

test('anything else is dropped, and told', () => {
  const asked = JSON.parse(`{
    "__proto__": { "polluted": true }, "constructor": { "prototype": {} }, "theme": "neon",
    "variables": { "__proto__": { "x": 1 }, "colorBackground": "url(https://evil.test/x)", "fontSize": "9px",
      "fontFamily": "x; } * { display: none", "opacity": "0", "toString": "#fff", "spacing": 12 },
    "rules": { ".Consent": { "color": "#fff" }, "*": {}, "__proto__": {},
      ".Input": { "position": "fixed", "backgroundColor": "var(--x)", "padding": "-4px", "borderColor": "red" } }
  }`)
  const look = readAppearance(asked, false)
  expect(look.variables).toEqual(themes.light)
  expect(look.rules).toEqual([])
  expect(look.dropped).toHaveLength(17)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  for (const asked of [null, undefined, 7, 'dark', [], () => 1])
    expect(readAppearance(asked, false).variables).toEqual(themes.light)
})

test('nobody is shown a text that cannot be read', () => {
  const hidden = readAppearance({ variables: { colorText: '#fefefe', colorTextSecondary: '#fff' } }, false)
  expect(hidden.variables).toMatchObject({ colorText: '#101318', colorTextSecondary: '#101318' })
  expect(hidden.dropped).toHaveLength(2)
  expect(
    readAppearance({ rules: { '.Button': { color: '#fff', backgroundColor: '#eee' } } }, false).rules,
  ).toEqual([])
  expect(readAppearance({ variables: { colorPrimary: '#ffee00' } }, false)).toMatchObject({
    onPrimary: '#101318',
    focus: themes.light.colorText,
  })
})

test('what the types of the package name is what is taken', () => {
  const variables = variableValues satisfies Record<AppearanceVariable, unknown>
  const properties = ruleProperties satisfies Record<AppearanceProperty, unknown>
  const selectors: Record<AppearanceSelector, unknown> = ruleSelectors
  const names: (AppearanceVariable | AppearanceProperty | AppearanceSelector)[] = [
    ...namesOf(variables),
    ...namesOf(properties),
    ...namesOf(selectors),
  ]
  // `borderRadius` is both a variable and a property.
  expect(names).toHaveLength(new Set(names).size + 1)
})

function namesOf<Name extends string>(record: Record<Name, unknown>): Name[] {
  return Object.keys(record) as Name[] // of an object that has no others
}

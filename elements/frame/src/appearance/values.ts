import { readColor } from './colors.ts'
import type { Variables } from './themes.ts'

/** Whether a value is one of those that the package's README lists. Nothing of it may load anything or reach out of its element. */
type Takes = (value: string) => boolean

const isColor: Takes = (value) => readColor(value) !== null
const isWeight: Takes = (value) => /^[4-7]00$/.test(value)

function isLength(least: number, most: number): Takes {
  return (value) => {
    const found = /^(\d{1,3}(?:\.\d{1,3})?)(px|rem)?$/.exec(value)
    if (found === null) return false
    const pixels = Number(found[1]) * (found[2] === 'rem' ? 16 : 1)
    return (found[2] !== undefined || pixels === 0) && pixels >= least && pixels <= most
  }
}

const isPadding: Takes = (value) => {
  const parts = value.split(' ')
  return parts.length <= 2 && parts.every(isLength(2, 24))
}

export const variableValues: Readonly<Record<keyof Variables, Takes>> = {
  colorPrimary: isColor,
  colorBackground: isColor,
  colorText: isColor,
  colorTextSecondary: isColor,
  colorBorder: isColor,
  colorDanger: isColor,
  colorSuccess: isColor,
  fontFamily: (value) => /^[\w\s,'"-]{1,200}$/.test(value),
  // Below 16 pixels a phone zooms into the field that is touched.
  fontSize: isLength(16, 24),
  fontWeightMedium: isWeight,
  borderRadius: isLength(0, 32),
  spacing: isLength(8, 32),
}

/** The properties of rules, with their names in style sheets. */
export const ruleProperties = {
  color: { css: 'color', takes: isColor },
  backgroundColor: { css: 'background-color', takes: isColor },
  borderColor: { css: 'border-color', takes: isColor },
  borderWidth: { css: 'border-width', takes: isLength(1, 4) },
  borderRadius: { css: 'border-radius', takes: isLength(0, 32) },
  fontWeight: { css: 'font-weight', takes: isWeight },
  letterSpacing: { css: 'letter-spacing', takes: isLength(0, 3) },
  padding: { css: 'padding', takes: isPadding },
} as const satisfies Record<string, { css: string; takes: Takes }>

type Selector = {
  readonly css: string
  /** What its text stands in and on while the rule says nothing. */
  readonly color: keyof Variables
  readonly on: keyof Variables
}

/** What rules may be about. What a person agrees to is not among it. */
export const ruleSelectors = {
  '.Input': { css: '.input', color: 'colorText', on: 'colorBackground' },
  '.Input:focus': { css: '.input:focus', color: 'colorText', on: 'colorBackground' },
  '.Input--invalid': { css: '.input[aria-invalid="true"]', color: 'colorText', on: 'colorBackground' },
  '.Label': { css: '.label', color: 'colorText', on: 'colorBackground' },
  '.Error': { css: '.error', color: 'colorDanger', on: 'colorBackground' },
  '.Button': { css: '.button', color: 'colorBackground', on: 'colorPrimary' },
  '.Button:hover': { css: '.button:hover', color: 'colorBackground', on: 'colorPrimary' },
  '.TestCard': { css: '.test-card', color: 'colorText', on: 'colorBackground' },
} as const satisfies Record<string, Selector>

/** What a page may choose, by the name that it says. */
export type Variables = {
  colorPrimary: string
  colorBackground: string
  colorText: string
  colorTextSecondary: string
  colorBorder: string
  colorDanger: string
  colorSuccess: string
  fontFamily: string
  fontSize: string
  fontWeightMedium: string
  borderRadius: string
  spacing: string
}

const shape = {
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSize: '16px',
  fontWeightMedium: '600',
  borderRadius: '8px',
  spacing: '16px',
}

const light: Variables = {
  ...shape,
  colorPrimary: '#2f4fd8',
  colorBackground: '#ffffff',
  colorText: '#1b1f2a',
  colorTextSecondary: '#555d6e',
  colorBorder: '#848c9c',
  colorDanger: '#b3261e',
  colorSuccess: '#1a7340',
}

const dark: Variables = {
  ...shape,
  colorPrimary: '#9db2ff',
  colorBackground: '#171a21',
  colorText: '#f0f2f7',
  colorTextSecondary: '#b3bac8',
  colorBorder: '#7d8698',
  colorDanger: '#ff9a92',
  colorSuccess: '#7fd6a1',
}

export const themes = {
  light,
  dark,
  /** Without rounding, for pages that have little of their own. */
  flat: { ...light, colorPrimary: '#1b1f2a', borderRadius: '0px' },
} as const satisfies Record<string, Variables>

export type Theme = keyof typeof themes

type Color = readonly [red: number, green: number, blue: number]

/** `#abc`, `#aabbcc` and `rgb(1, 2, 3)`: forms whose contrast can be told. Null: anything else, such as one that is half transparent. */
export function readColor(text: string): Color | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  if (short !== null) return partsOf(short.slice(1).map((digit) => Number.parseInt(digit + digit, 16)))
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  if (long !== null) return partsOf(long.slice(1).map((digits) => Number.parseInt(digits, 16)))
  const named = /^rgb\(\s*(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})(?:\s*,\s*|\s+)(\d{1,3})\s*\)$/i.exec(text)
  return named === null ? null : partsOf(named.slice(1).map(Number))
}

function partsOf([red = 256, green = 256, blue = 256]: number[]): Color | null {
  return Math.max(red, green, blue) > 255 ? null : [red, green, blue]
}

/** As WCAG measures it: 1 is none, 21 is black on white. */
export function contrastOf(one: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

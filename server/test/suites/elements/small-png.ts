import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const colorsMax = 256

/** The picture of a page in few bytes: such pictures have few colors, so that each of its points is one byte and not three. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, points } = read(png)
  for (let bits = 8; ; bits -= 1) {
    const made = withColors(points, bits)
    if (made !== null) return write({ width, height, ...made })
  }
}

type Colored = { readonly palette: Buffer; readonly places: Buffer }

/** Null: with so many bits there are more colors than one byte can name. */
function withColors(points: Buffer, bits: number): Colored | null {
  const known = new Map<number, number>()
  const places = Buffer.alloc(points.length / 3)
  const kept = (0xff << (8 - bits)) & 0xff
  // White and black stay what they are.
  const rounded = (value: number) => Math.round(((value & kept) * 255) / kept)
  for (let place = 0; place < places.length; place += 1) {
    const [red = 0, green = 0, blue = 0] = points.subarray(place * 3, place * 3 + 3)
    const color = (rounded(red) << 16) | (rounded(green) << 8) | rounded(blue)
    const at = known.get(color) ?? known.size
    if (at === colorsMax) return null
    known.set(color, at)
    places[place] = at
  }
  const palette = Buffer.from(
    [...known.keys()].flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]),
  )
  return { palette, places }
}

type Size = { readonly width: number; readonly height: number }

function write({ width, height, palette, places }: Size & Colored): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One byte a point, which names a color of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const lines = Buffer.alloc((width + 1) * height)
  for (let line = 0; line < height; line += 1)
    places.copy(lines, line * (width + 1) + 1, line * width, (line + 1) * width)
  const parts = { IHDR: header, PLTE: palette, IDAT: deflateSync(lines, { level: 9 }), IEND: Buffer.alloc(0) }
  return Buffer.concat([signature, ...Object.entries(parts).map(([name, bytes]) => chunk(name, bytes))])
}

function chunk(name: string, bytes: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), bytes])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** As browsers write it: three bytes a point, without interlacing. */
function read(png: Buffer): Size & { readonly points: Buffer } {
  const parts: Buffer[] = []
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (png[24] !== 8 || png[25] !== 2)
    throw new Error('the picture is not one of 8 bits in red, green and blue')
  const lines = inflateSync(Buffer.concat(parts))
  const points = Buffer.alloc(width * height * 3)
  const stride = width * 3
  for (let line = 0; line < height; line += 1) {
    const filter = lines[line * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const at = line * stride + x
      const left = x < 3 ? 0 : (points[at - 3] ?? 0)
      const up = line === 0 ? 0 : (points[at - stride] ?? 0)
      const corner = x < 3 || line === 0 ? 0 : (points[at - stride - 3] ?? 0)
      points[at] = (lines[line * (stride + 1) + 1 + x] ?? 0) + predicted(filter, { left, up, corner })
    }
  }
  return { width, height, points }
}

/** By the filters of PNG (ISO/IEC 15948, section 9). */
function predicted(
  filter: number,
  { left, up, corner }: { left: number; up: number; corner: number },
): number {
  if (filter < 3) return filter === 0 ? 0 : filter === 1 ? left : up
  if (filter === 3) return (left + up) >> 1
  const guess = left + up - corner
  const [byLeft, byUp, byCorner] = [left, up, corner].map((each) => Math.abs(guess - each)) as [
    number,
    number,
    number,
  ] // three as given
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner
}

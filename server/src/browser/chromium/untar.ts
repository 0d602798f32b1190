import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const block = 512

/** Writes the files of a tar archive below a folder. It knows what the package has: files, folders and links beside each other. */
export function untar(archive: Buffer, folder: string): void {
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    const name = textOf(header.subarray(345, 500)) + textOf(header.subarray(0, 100))
    if (name === '') return
    const size = Number.parseInt(textOf(header.subarray(124, 136)), 8)
    const content = archive.subarray(at + block, at + block + size)
    at += block + Math.ceil(size / block) * block
    if (name.split('/').includes('..') || name.startsWith('/'))
      throw new Error(`the archive names a place outside its folder: ${name}`)
    write(
      join(folder, name),
      String.fromCharCode(header[156] ?? 0),
      content,
      textOf(header.subarray(157, 257)),
    )
  }
}

function write(path: string, type: string, content: Buffer, target: string): void {
  if (type === '5') mkdirSync(path, { recursive: true, mode: 0o755 })
  else if (type === '0' || type === '\0' || type === '2') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
    if (type !== '2') writeFileSync(path, content, { mode: 0o755 })
    else if (target.includes('/'))
      throw new Error(`the archive links to a place outside its folder: ${target}`)
    else symlinkSync(target, path)
  }
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field
    .subarray(0, end === -1 ? field.length : end)
    .toString('utf8')
    .trim()
}

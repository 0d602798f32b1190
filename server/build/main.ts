import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundle } from './bundle.ts'

const folder = join(import.meta.dirname, '../dist')

rmSync(folder, { recursive: true, force: true })
await bundle(folder)
console.log(
  `built ${relative(process.cwd(), folder)}: run it with node ${relative(process.cwd(), join(folder, 'main.js'))}`,
)

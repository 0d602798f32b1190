import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { writePackages } from '../../elements/write-package.ts'
import { bundle } from './bundle.ts'

const folder = join(import.meta.dirname, '../dist')

rmSync(folder, { recursive: true, force: true })
const elements = await bundle(folder)
console.log(
  `built ${relative(process.cwd(), folder)}: run it with node ${relative(process.cwd(), join(folder, 'main.js'))}`,
)
for (const written of writePackages(elements))
  console.log(`built ${relative(process.cwd(), written)}: what pages of others load`)

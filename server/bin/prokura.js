#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { becomeNode } from './become-node.js'

const server = dirname(dirname(fileURLToPath(import.meta.url)))
// A package has what was built, and a checkout runs its sources.
const source = join(server, 'src', 'main.ts')
becomeNode(existsSync(source) ? source : join(server, 'dist', 'main.js'), process.argv.slice(2))

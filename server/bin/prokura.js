#!/usr/bin/env node
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { becomeNode } from './become-node.js'

const here = dirname(fileURLToPath(import.meta.url))
becomeNode(join(here, '..', 'src', 'main.ts'), process.argv.slice(2))

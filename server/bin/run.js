// Runs a script of the checkout: `node server/bin/run.js server/test/gate.ts`.
import { resolve } from 'node:path'
import { becomeNode } from './become-node.js'

const [script = '', ...args] = process.argv.slice(2)
becomeNode(resolve(script), args)

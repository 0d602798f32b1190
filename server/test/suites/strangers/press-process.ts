import { press } from './press.ts'

const [baseUrl = '', ms = '0'] = process.argv.slice(2)
process.stdout.write(`${JSON.stringify(await press(baseUrl, Number(ms)))}\n`)
process.exit(0)

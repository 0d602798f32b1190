import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { access, constants, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { look, troubleOf } from '../../platform/files/file-trouble.ts'
import { megabytes } from '../copy-progress.ts'
import { CommandFailure } from '../failure.ts'
import { out, outJson, styled } from '../terminal.ts'
import { type CatalogApi, catalogApi, type ImportAnswer } from './catalog-api.ts'

type Shared = { url?: string; key?: string; state?: string }
type ImportOptions = Shared & { format?: Format; publish?: boolean; json?: boolean }
type ExportOptions = Shared & { format?: Format }
type Format = 'json_lines' | 'csv'

const mediaTypes = { json_lines: 'application/x-ndjson', csv: 'text/csv' } as const satisfies Record<
  Format,
  string
>
const path = '/v1/merchant/catalog_items'
/** How many faults are shown to people; a list of the API has the rest. */
const faultsShown = 20

export function defineCatalog(catalog: Command): void {
  const formats = ['json_lines', 'csv']
  shared(catalog.command('import'))
    .description(
      'Import a file of items, and wait until the import has ended. The exit code is 1 if a row failed.',
    )
    .argument('<file>', 'the file: CSV if its name ends in .csv, otherwise JSON Lines')
    .addOption(
      new Option('--format <format>', 'the format of the file (default: by its name)').choices(formats),
    )
    .option('--publish', 'publish every item that has everything publishing needs')
    .option('--json', 'print one line of JSON')
    .action(importFile)
  shared(catalog.command('export'))
    .description('Export every item that is not archived, in a form that an import accepts.')
    .argument(
      '[file]',
      'the file to write: CSV if its name ends in .csv, otherwise JSON Lines (default: standard output)',
    )
    .addOption(new Option('--format <format>', 'the format to write (default: by the name)').choices(formats))
    .action(exportFile)
}

function shared(command: Command): Command {
  return command
    .option('--url <url>', 'the URL of the API (default: the URL of the service in the state folder)')
    .option(
      '--key <key>',
      'a secret key of the merchant; other users of this machine can see it here, so PROKURA_API_KEY is safer',
    )
    .option('--state <dir>', 'the state folder of `prokura up`')
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const api = catalogApi(options)
  const body = await openFile(file, mediaTypes[options.format ?? formatOf(file)])
  const line = progressLine(options.json ?? false)
  try {
    const address = `${path}/import${options.publish ? '?publish=true' : ''}`
    const sent = await api.post(address, body, (bytes) =>
      line.show(`Sending … ${megabytes(bytes)} of ${megabytes(body.size)}`),
    )
    const done = await followed(api, sent, line.show)
    line.end()
    if (options.json) outJson(done)
    else describe(done)
    if (done.status !== 'completed')
      throw new CommandFailure(done.failure ?? `The import ended as ${done.status}.`)
    if (done.progress.failed > 0) process.exitCode = 1
  } finally {
    line.end()
  }
}

/** Read from the disk while it is sent. */
async function openFile(file: string, type: string): Promise<Blob> {
  const found = look(file)
  if (found === null) throw new CommandFailure(`There is no file ${file}. Check its name.`)
  if (!found.isFile()) throw new CommandFailure(`${file} is not a file. Name the file with the items.`)
  // Opening a file as a blob does not report missing rights.
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw troubleOf(error, file)
  })
  return openAsBlob(file, { type })
}

/** The same for import and export, so that an exported file can be imported. */
function formatOf(file: string | undefined): Format {
  return file?.toLowerCase().endsWith('.csv') ? 'csv' : 'json_lines'
}

async function followed(
  api: CatalogApi,
  sent: ImportAnswer,
  show: (text: string) => void,
): Promise<ImportAnswer> {
  let current = sent
  for (
    let waitMs = 50;
    current.status === 'queued' || current.status === 'running';
    waitMs = Math.min(waitMs * 2, 1000)
  ) {
    await delay(waitMs)
    current = await api.get(`/v1/merchant/catalog_imports/${sent.id}`)
    const { progress, bytes } = current
    const share = bytes === 0 ? 100 : Math.floor((progress.bytes / bytes) * 100)
    show(
      `Importing … ${share} %, ${progress.rows} items${progress.failed > 0 ? `, ${progress.failed} failed` : ''}`,
    )
  }
  return current
}

function describe({ id, status, progress, errors }: ImportAnswer): void {
  const { rows, created, updated, unchanged, failed } = progress
  const colour = status === 'completed' && failed === 0 ? 'green' : 'yellow'
  out(
    `${styled(colour, status)} ${rows} items: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed (${id})`,
  )
  for (const { line, loc, msg } of errors.slice(0, faultsShown))
    out(`  line ${line}${loc.map((part) => ` ${part}`).join('')}: ${msg}`)
  if (errors.length > faultsShown) out(`  … GET /v1/merchant/catalog_imports/${id}/errors lists all of them.`)
}

async function exportFile(file: string | undefined, options: ExportOptions): Promise<void> {
  const api = catalogApi(options)
  const read = () => api.download(`${path}/export`, mediaTypes[options.format ?? formatOf(file)])
  if (file === undefined) await pipeline(await read(), process.stdout, { end: false })
  else await writeWhole(file, read)
}

/** The file appears complete or not at all: an existing file stays as it is until then. */
async function writeWhole(file: string, read: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
  const found = look(file)
  if (found?.isDirectory()) throw new CommandFailure(`${file} is a folder. Name the file to write.`)
  // A pipe or a device gets the bytes as they arrive.
  if (found !== null && !found.isFile()) return pipeline(await read(), createWriteStream(file))
  const draft = `${file}.unfinished-${randomBytes(4).toString('hex')}`
  try {
    // Opened before a long download, so that a failure shows before it and not after it.
    const handle = await open(draft, 'wx')
    await read()
      .then((content) => pipeline(content, handle.createWriteStream({ flush: true })))
      .finally(() => handle.close())
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw troubleOf(error, file)
  }
}

/** One line on a terminal that changes in place; nothing where the output is not a terminal. */
function progressLine(isQuiet: boolean): { show: (text: string) => void; end: () => void } {
  const terminal = process.stderr
  if (isQuiet || !terminal.isTTY) return { show: () => undefined, end: () => undefined }
  return {
    show: (text) => void terminal.write(`\r\u001b[K${text}`),
    end: () => void terminal.write('\r\u001b[K'),
  }
}

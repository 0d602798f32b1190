import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Guard, type Listed, markLine, without } from './guard.ts'

type Mark = { readonly name: string; readonly keeps: string; readonly file: string }

/** Paths under `server/`, and their text. */
type Sources = ReadonlyMap<string, string>

export function sourcesOf(server: string): Sources {
  const files = globSync('{src,test,migrations}/**/*.{ts,sql}', { cwd: server }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(server, file), 'utf8')]))
}

function marksIn(sources: Sources): Mark[] {
  return [...sources]
    .filter(([file]) => isProgram(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(markLine)].map(([, name = '', keeps = '']) => ({ name, keeps, file })),
    )
}

function isProgram(file: string): boolean {
  return file.startsWith('src/') && !file.endsWith('.test.ts')
}

/** Guards at their marks. An entry without a mark is left out here, and a fault. */
export function placed(listed: readonly Listed[], sources: Sources): Guard[] {
  const marks = new Map(marksIn(sources).map((mark) => [mark.name, mark]))
  return listed.flatMap((entry) => {
    const mark = marks.get(entry.mark)
    if (!mark) return []
    const { file, keeps } = mark
    return [{ ...entry, file, keeps, killers: entry.killers ?? testsBeside(file, sources) }]
  })
}

/** Tests of the file alone where there are any, else those over HTTP. */
function testsBeside(file: string, sources: Sources): string[] {
  const names = ['.test.ts', '.http.test.ts'].map((end) => file.replace(/\.ts$/, end))
  return names.filter((name) => sources.has(name)).slice(0, 1)
}

/** What is wrong with the list or the marks, so that neither falls behind the other. */
export function faultsOf(listed: readonly Listed[], quoted: readonly Guard[], sources: Sources): string[] {
  const marks = marksIn(sources)
  const names = new Set(marks.map(({ name }) => name))
  const listedMarks = new Set(listed.map(({ mark }) => mark))
  return [
    ...twice([...listed, ...quoted].map(({ id }) => id)).map((id) => `guard ${id} is listed twice`),
    ...twice(marks.map(({ name }) => name)).map(
      (name) => `guard ${name} is marked twice: give one another name`,
    ),
    ...[...sources].flatMap(([file, text]) => unreadMarks(file, text)),
    ...marks
      .filter(({ name }) => !listedMarks.has(name))
      .map(
        ({ name, file }) =>
          `guard ${name} of ${file} is not listed: say in server/test/suites/mutation how it is taken away`,
      ),
    ...listed
      .filter(({ mark }) => !names.has(mark))
      .map(
        ({ id, mark }) =>
          `guard ${id} is marked nowhere: put \`// guard ${mark}: what it keeps\` above it, or remove its entry`,
      ),
    ...[...placed(listed, sources), ...quoted].flatMap((guard) => faultOf(guard, sources)),
  ]
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** What was meant for a mark, and is none: without a name or a sentence, or behind code. */
function unreadMarks(file: string, text: string): string[] {
  if (!isProgram(file)) return []
  const meant = text.match(/\/\/ guard\b/g)?.length ?? 0
  const read = text.match(markLine)?.length ?? 0
  return meant === read ? [] : [`${file}: a mark is a line of its own, \`// guard NAME: what it keeps\``]
}

function faultOf(guard: Guard, sources: Sources): string[] {
  const { id, file, killers } = guard
  const lost = killers.filter((killer) => !sources.has(killer))
  if (killers.length === 0) return [`guard ${id} has nobody to miss it: no test stands beside ${file}`]
  if (lost.length > 0) return [`guard ${id} is missed by a test that is not there: ${lost.join(', ')}`]
  try {
    without(guard, sources.get(file) ?? '')
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { BuiltElements } from './build.ts'

/** Writes what the packages hold, and says where. All that is public stands in one module of each, so that its types are one file. */
export function writePackages({ loader, loaderModule, reactModule }: BuiltElements): string[] {
  return [
    write('loader', 'prokura', { 'prokura.js': loader, 'prokura.mjs': loaderModule }),
    write('react', 'prokura-react', { 'prokura-react.mjs': reactModule }),
  ]
}

function write(workspace: string, module: string, files: Record<string, Uint8Array>): string {
  const place = join(import.meta.dirname, workspace)
  const folder = join(place, 'dist')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, `${module}.d.ts`), typesOf(join(place, `src/${module}.ts`)))
  return folder
}

function typesOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    reportDiagnostics: true,
  })
  const [fault] = diagnostics
  if (fault !== undefined)
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`)
  // What is beside it here is a package of its own there.
  return outputText.replaceAll('../../loader/src/prokura.ts', '@prokura/elements')
}

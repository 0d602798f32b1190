import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { BuiltElements } from './build.ts'

const loader = join(import.meta.dirname, 'loader')

/** Writes what the package of the loader holds. All that is public stands in one module, so that its types are one file. */
export function writePackage({ loader: script, loaderModule }: BuiltElements): string {
  const folder = join(loader, 'dist')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'prokura.js'), script)
  writeFileSync(join(folder, 'prokura.mjs'), loaderModule)
  writeFileSync(join(folder, 'prokura.d.ts'), typesOf(join(loader, 'src/prokura.ts')))
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
  return outputText
}

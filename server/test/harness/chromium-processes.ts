import { readdir, readFile, readlink } from 'node:fs/promises'

type ChromiumProcess = {
  readonly pid: number
  readonly args: string
  readonly uid: string | undefined
  readonly seccomp: string | undefined
  /** The inodes of its sockets. */
  readonly sockets: readonly string[]
}

/** The Chromium whose profile is in a folder, with all processes below it. */
export async function processesOfChromium(profiles: string): Promise<ChromiumProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(pids.map(readProcess))
  const found = new Set(all.filter(({ args }) => args.includes(`--user-data-dir=${profiles}/`)))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const one of all) if ([...found].some(({ pid }) => pid === one.parent)) found.add(one)
  }
  return [...found]
}

async function readProcess(name: string): Promise<ChromiumProcess & { parent: number }> {
  const text = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')
  const [args, status] = await Promise.all([text('cmdline'), text('status')])
  const open = await readdir(`/proc/${name}/fd`).catch(() => [])
  const links = await Promise.all(open.map((fd) => readlink(`/proc/${name}/fd/${fd}`).catch(() => '')))
  return {
    pid: Number(name),
    parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
    args,
    uid: /^Uid:\s+(\d+)/m.exec(status)?.[1],
    seccomp: /^Seccomp:\s+(\d+)/m.exec(status)?.[1],
    sockets: links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []),
  }
}

/** The inodes of all sockets of this machine that listen for TCP. */
export async function listeningSockets(): Promise<string[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')))
  const rows = tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((row) => row.trim().split(/\s+/))
  return rows.flatMap((row) => (row[3] === '0A' ? (row[9] ?? []) : []))
}

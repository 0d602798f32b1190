import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'

type SettingsOptions = {
  durable: boolean
  maxConnections: number
  socketFolder: string
  extraSettings: Record<string, string>
}

/** Passed on the command line at every start, so that a new version's settings also reach data folders of older ones. */
export function settingsOf(binaries: Binaries, options: SettingsOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: options.socketFolder,
    // The folder of the socket decides who can reach it, and the password who can log in.
    unix_socket_permissions: '0777',
    password_encryption: 'scram-sha-256',
    max_connections: String(options.maxConnections),
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    // A young database plans its prepared statements on empty tables; statistics must follow its first rows within seconds.
    autovacuum_naptime: '5s',
    autovacuum_analyze_threshold: '50',
    autovacuum_analyze_scale_factor: '0.2',
    // Our statements are short and prepared; compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // This server has no replicas, and minimal logs less.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // A failed statement concerns its caller only, and its text or detail may hold personal data.
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    ...(hasStatementStatistics(binaries) ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
    ...(options.durable ? {} : throwAway),
    ...options.extraSettings,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const throwAway = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

function hasStatementStatistics({ folder }: Binaries): boolean {
  const names = ['pg_stat_statements.so', 'pg_stat_statements.dylib']
  return names.some((name) => existsSync(join(folder, 'lib', 'postgresql', name)))
}

import type { Log } from '../../platform/logs/logs.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { RequestLine } from './request-line.ts'

/** Writes a line of the log and counts, for each request. */
export function observeRequests({ log, metrics }: { log: Log; metrics: Metrics }) {
  return (line: RequestLine): void => {
    log.info(line, 'request')
    const operation = line.operation ?? 'none'
    metrics.requests.inc({ operation, status: String(line.status) })
    metrics.requestSeconds.observe({ operation }, (line.duration_ms - (line.waited_ms ?? 0)) / 1000)
    if (line.code !== null) metrics.refusals.inc({ code: line.code })
  }
}

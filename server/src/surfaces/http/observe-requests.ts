import { type LogSink, preparedLine } from '../../platform/logs/logs.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type RequestLine, requestFields } from './request-line.ts'

/** Writes a line of the log and counts, for each request. */
export function observeRequests({ sink, metrics }: { sink: LogSink; metrics: Metrics }) {
  const write = preparedLine(sink, 'request', requestFields)
  // To look a counter up by its labels takes as long as to count. There is one for each operation and status.
  const counters = new Map<string, ReturnType<typeof countersOf>>()
  function countersOf({ operation, status }: Pick<RequestLine, 'operation' | 'status'>) {
    const labels = { operation: operation ?? 'none' }
    return {
      requests: metrics.requests.labels({ ...labels, status: String(status) }),
      seconds: metrics.requestSeconds.labels(labels),
    }
  }
  return (line: RequestLine): void => {
    write(line)
    const name = `${line.operation} ${line.status}`
    const counter = counters.get(name) ?? countersOf(line)
    counters.set(name, counter)
    counter.requests.inc()
    counter.seconds.observe((line.duration_ms - (line.waited_ms ?? 0)) / 1000)
    if (line.code !== null) metrics.refusals.inc({ code: line.code })
  }
}

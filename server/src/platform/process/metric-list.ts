/**
 * Every metric of this server: `gridmast_<part>_<quantity>_<unit>`, in seconds and bytes, counters with `_total`. Labels have few values, never
 * a customer, an edge or a charger. `docs/metrics.md` is this list.
 */
export const metricList = {
  gridmast_build_info: gauge(
    '1, with the version of this server and the roles of the process',
    'version',
    'node',
    'roles',
  ),
  gridmast_part_ready: gauge('1 while a part of the process is ready, as `/ready`', 'part'),
  gridmast_event_loop_delay_p99_seconds: gauge('Event-loop delay since the last scrape, 99th percentile'),
  gridmast_disk_free_bytes: gauge('Free space on the disk of DATA_DIR'),
  gridmast_disk_size_bytes: gauge('Size of the disk of DATA_DIR'),
  gridmast_passwords_hashed_total: counter('Passwords hashed'),

  gridmast_http_request_seconds: histogram(
    'Time to answer a request, by call and status',
    [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    'call',
    'status',
  ),
  gridmast_live_streams: gauge('Open live streams'),

  gridmast_edge_connections: gauge('Edges connected to the embedded broker'),
  gridmast_ingest_partitions: gauge('Partitions of the edges (INGEST_PARTITIONS)'),
  gridmast_ingest_partitions_held: gauge('Partitions whose edges the process reads; 0 in a standby'),
  gridmast_broker_connected: gauge('1 while the process is connected to the broker of MQTT_URL'),
  gridmast_edge_messages_total: counter('Messages from edges, by kind', 'kind'),
  gridmast_edge_samples_total: counter('Samples committed'),
  gridmast_edge_quarantined_total: counter('Messages put into quarantine, by reason', 'reason'),
  gridmast_edge_refused_total: counter('Connections, messages and subscriptions of edges refused, by reason', 'reason'),

  gridmast_ocpp_connections: gauge('Chargers connected to the process'),
  gridmast_ocpp_waiting_messages: gauge('Messages of chargers that wait for their commit'),
  gridmast_ocpp_messages_total: counter('Messages from chargers, by kind', 'kind'),
  gridmast_ocpp_refused_total: counter('Chargers refused, by reason', 'reason'),

  gridmast_records_connections: gauge('Connections to the records, by state: used, idle, or waiting for one', 'state'),
  gridmast_readings_insert_seconds: histogram(
    'Time of an insert of samples until it is on disk',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ),
  gridmast_readings_insert_failures_total: counter('Inserts of samples that failed; edges repeat their samples'),
  gridmast_readings_rollup_lag_seconds: gauge(
    'Time between the newest stored sample and the newest one in the roll-ups',
  ),
  gridmast_readings_broken_parts: gauge('Parts of the readings that could not be read at the start'),
  gridmast_readings_put_aside_files: gauge('Files of the write-ahead log that could not be stored'),
  gridmast_last_hour_series: gauge('Series of which the last hour is in memory'),
  gridmast_last_hour_bytes: gauge('Memory of the last hour'),

  gridmast_job_seconds: histogram('Time of a run of a job', [0.1, 1, 5, 15, 60, 300, 1800], 'name'),
  gridmast_job_runs_total: counter('Runs of jobs in this process, by result: done or failed', 'name', 'result'),
  gridmast_job_last_success_timestamp_seconds: gauge('End of the last successful run of a job, in any process', 'name'),
  gridmast_outbox_items: gauge(
    'Mails, webhooks, push messages and payments to be sent, by state: due, later, or given up',
    'kind',
    'state',
  ),
  gridmast_outbox_oldest_due_seconds: gauge('Age of the oldest item that is due', 'kind'),
  gridmast_marks: gauge('Days that are to be calculated again', 'table'),
  gridmast_marks_oldest_seconds: gauge('Age of the oldest day that is to be calculated again', 'table'),
  gridmast_source_age_seconds: gauge('Time since the last successful request to a source', 'source'),
  gridmast_source_failing: gauge('1 while the last request to a source failed', 'source'),
} as const

type List = typeof metricList

export type MetricName<Type extends List[keyof List]['type']> = {
  [Name in keyof List]: List[Name]['type'] extends Type ? Name : never
}[keyof List]

function counter(help: string, ...labels: string[]) {
  return { type: 'counter' as const, help, labels }
}

function gauge(help: string, ...labels: string[]) {
  return { type: 'gauge' as const, help, labels }
}

function histogram(help: string, bucketsS: number[], ...labels: string[]) {
  return { type: 'histogram' as const, help, labels, bucketsS }
}

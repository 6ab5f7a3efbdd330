import { z } from 'zod'

/* Tables of the readings on a ClickHouse cluster, from the same files as the embedded store. Each table is a replicated one on its shard
   (`samples_local`) and a distributed one with the name that all queries use. All rows of a series are on one shard, so `final` is exact. */

/** A name that needs no quotes. */
export const clusterName = z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'expected a name of letters, digits and _')

const create = /^((?:\s*--[^\n]*\n)*\s*)create (table|materialized view) if not exists gridmast\.(\w+)\b/
const engine = /\bengine = (\w+)(?:\(([^)]*)\))?/

/** Sharding key by table; tables without a series are small and on the first shard. */
const shardOf = (table: string) => (['samples', 'minutes', 'runs'].includes(table) ? 'signal_no' : '0')

const replicated = (table: string, [text, name = '', args = '']: RegExpExecArray) => {
  if (name === 'Null') return text
  const place = `'/clickhouse/tables/{shard}/gridmast/${table}', '{replica}'`
  return `engine = Replicated${name}(${args ? `${place}, ${args}` : place})`
}

/**
 * The statements for a cluster instead of one of the schema files. `{shard}` and `{replica}` are macros of the servers. Throws for a statement
 * of a kind that the files did not have before.
 */
export const clusterStatements = (statement: string, cluster: string): string[] => {
  const on = `on cluster ${cluster}`
  const text = statement.trim()
  if (/^create database if not exists gridmast$/.test(text)) return [`${text} ${on}`]
  const [head, , kind, table = ''] = create.exec(text) ?? []
  if (head === undefined) throw new Error(`No form of this statement for a cluster is known: ${text.slice(0, 80)}`)
  if (kind === 'materialized view') {
    const [name, local] = [
      `gridmast.${table}`,
      (one: string) => one.replaceAll(/\bgridmast\.(\w+)/g, 'gridmast.$1_local'),
    ]
    return [`create materialized view if not exists ${name}_local ${on}${local(text.slice(head.length))}`]
  }
  const found = engine.exec(text)
  if (!found) throw new Error(`gridmast.${table} has no engine`)
  const body = text.slice(head.length).replace(engine, () => replicated(table, found))
  return [
    `create table if not exists gridmast.${table}_local ${on}${body}`,
    `create table if not exists gridmast.${table} ${on} as gridmast.${table}_local engine = Distributed(${cluster}, gridmast, ${table}_local, ${shardOf(table)})`,
  ]
}

/**
 * An insert is answered when a majority of the replicas of each shard has it, and a query reads only what such a majority has, so that progress
 * of roll-ups never comes from a replica with more than another has.
 */
export const clusterSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: 1,
  // The same batch sent again after a lost answer is stored once, also behind the view.
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
} as const

/** Names and statements that differ between one server and a cluster. */
export const openPlaces = (cluster: string | undefined) => ({
  parts: cluster ? `clusterAllReplicas(${cluster}, system.parts)` : 'system.parts',
  detachedParts: cluster ? `clusterAllReplicas(${cluster}, system.detached_parts)` : 'system.detached_parts',
  storedIn: (table: string) => (cluster ? `${table}_local` : table),
  alter: (table: string) =>
    cluster ? `alter table gridmast.${table}_local on cluster ${cluster}` : `alter table gridmast.${table}`,
})

export type Places = ReturnType<typeof openPlaces>

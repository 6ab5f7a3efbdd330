import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../run.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const types = new Map(
  [...read('docs/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name = '', type = '']) => [name, type]),
)

/** Names of metrics in a query that docs/metrics.md does not list. */
const unlisted = (query: string): string[] =>
  (query.replaceAll(/"[^"]*"/g, '').match(/\bgridmast_\w+/g) ?? []).filter((name) => {
    const base = name.replace(/_(bucket|count|sum)$/, '')
    return !(types.get(base) === 'histogram' && base !== name) && !(types.has(name) && types.get(name) !== 'histogram')
  })

const dashboards = globSync('deploy/grafana/dashboards/*.json', { cwd: root })
const dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      title: z.string().min(1),
      gridPos: z.object({ x: z.int(), w: z.int() }).refine(({ x, w }) => x + w <= 24),
      targets: z.array(z.object({ expr: z.string().min(1), legendFormat: z.string() })).min(1),
    }),
  ),
})

test.each(dashboards)('%s reads metrics that exist', (file) => {
  const { panels } = dashboard.parse(JSON.parse(read(file)))
  expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unlisted(expr)))).toEqual([])
})

test('a dashboard for each part', () => {
  expect(dashboards.map((file) => file.replace(/^.*\/|\.json$/g, '')).toSorted()).toEqual([
    'ingest',
    'jobs',
    'money',
    'ocpp',
    'overview',
    'stores',
  ])
})

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
            annotations: z.strictObject({ summary: z.string().regex(/\.$/), runbook_url: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('deploy/prometheus/rules.yml')))
  .groups.flatMap((group) => group.rules)

test('each alert reads metrics that exist and has a runbook', () => {
  const headings = [...read('docs/operations/alerts.md').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const { alert, expr, annotations } of rules) {
    expect([alert, unlisted(expr)]).toEqual([alert, []])
    const anchor = `alert-${alert.replaceAll(/(?<!^)(?=[A-Z])/g, '-').toLowerCase()}`
    expect(annotations.runbook_url).toBe(`docs/operations/alerts.md#${anchor}`)
    expect(headings).toContain(anchor)
  }
})

test('each alert has its fault and its quiet day in the tests of promtool', () => {
  const tests = z
    .object({
      tests: z.array(
        z.object({ alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })) }),
      ),
    })
    .parse(parse(read('deploy/prometheus/rules.test.yml')))
    .tests.flatMap((one) => one.alert_rule_test)
  const names = rules.map(({ alert }) => alert)
  const tested = (fires: boolean) =>
    new Set(tests.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname))
  expect([...tested(true)].toSorted()).toEqual(names.toSorted())
  expect([...tested(false)].toSorted()).toEqual(names.toSorted())
})

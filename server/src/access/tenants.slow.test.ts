import { calls } from '@gridmast/contract/calls.ts'
import {
  BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  type UnknownRow,
  ValueNode,
} from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { withPlugin } from '#testing/records.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { idPositions, walkTenantMatrix } from '#testing/tenant-matrix.ts'

// A new app per test: each walk leaves a thousand rows, which would slow the next.
let app: TestApp
beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const oneOfEach = () => makeOneOfEach(app)

test('T4 the same without row-level security: the queries scope by themselves', async () => {
  const { tenant } = app.records
  app.records.tenant = (_, work) => app.records.system(work)
  const wrong = await walkTenantMatrix(app, calls, oneOfEach)
  app.records.tenant = tenant
  expect(wrong).toEqual([])
}, 600_000)

test('T4 the matrix sees queries that lost their scope', async () => {
  const { tenant } = app.records
  app.records.tenant = (_, work) => app.records.system((tx) => work(withPlugin(tx, new WithoutScope())))
  const withIds = Object.fromEntries(Object.entries(calls).filter(([, call]) => idPositions(call).length > 0))
  const wrong = await walkTenantMatrix(app, withIds, oneOfEach)
  app.records.tenant = tenant
  const seen = Object.keys(withIds).filter((name) => wrong.some((line) => line.startsWith(name)))
  expect(seen).toEqual(Object.keys(withIds).filter((name) => !scopedTwice.includes(name)))
}, 600_000)

/**
 * Calls with a second scope: they also name the user or a parent, so without the customer they find nothing of others; or the scope is in SQL
 * text and cannot be removed.
 */
const scopedTwice = [
  'getReconciliation',
  'settleDifferences',
  'settleLines',
  'reopenDifference',
  'removeReconciliation',
  'removeStatementReader',
  'revokeSession',
  'retryWebhookDelivery',
  'createAlert',
  'updateAlert',
  'createBidRequest',
  'updateBidRequest',
  'removeChargingPrice',
  'setSiteLimit',
  'endSiteLimit',
  'settlementFormula',
  'settlementRecord',
  'removePushDevice',
  'testPushDevice',
  'changeReport',
  'sendReport',
  'removeReport',
]

/** Removes every `customer_id = <value>` from a query, as if it had been forgotten. */
class WithoutScope extends OperationNodeTransformer implements KyselyPlugin {
  protected override transformBinaryOperation(node: BinaryOperationNode, queryId?: QueryId): BinaryOperationNode {
    const left = node.leftOperand
    const isScope =
      ReferenceNode.is(left) &&
      left.column.kind === 'ColumnNode' &&
      left.column.column.name === 'customer_id' &&
      ValueNode.is(node.rightOperand)
    if (!isScope) return super.transformBinaryOperation(node, queryId)
    return BinaryOperationNode.create(
      ValueNode.createImmediate(1),
      OperatorNode.create('='),
      ValueNode.createImmediate(1),
    )
  }
  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId)
  }
  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
}

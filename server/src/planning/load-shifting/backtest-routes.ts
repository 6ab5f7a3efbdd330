import * as contract from '@gridmast/contract/planning/load-backtests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import {
  addBacktest,
  changeBacktest,
  countBacktests,
  findBacktestRows,
  readBacktest,
  toBacktest,
  toDetail,
} from './backtest-rows.ts'
import { checkLoad, nameOf } from './check.ts'
import { backtestFile } from './plan-file.ts'

const find = route(contract.findBacktests, ({ own, query }) =>
  own(async (tx, customerId) => ({
    backtests: (await findBacktestRows(tx, customerId, query)).map(toBacktest),
    totalCount: (await countBacktests(tx, customerId, query.loadId)).total,
  })),
)

const make = route(contract.makeBacktest, async ({ own, audit, viewer, nowMs, body }) => {
  const backtestId = newId(nowMs)
  await own(async (tx, customerId) => {
    const load = await checkLoad(tx, customerId, body, nowMs)
    if ((await countBacktests(tx, customerId)).open >= limits.openBacktests) throw new Refusal(409, m.tooManyBacktests)
    const { name } = load.target
    const madeByName = await nameOf(tx, customerId, viewer.userId)
    await addBacktest(tx, customerId, { backtestId, name, asked: body, madeByName, nowMs })
    await audit(tx, 'load-backtest.make', name, { after: { backtest: backtestId, ...body } })
  })
  return { _id: backtestId }
})

const get = route(contract.getBacktest, ({ own, params, query }) =>
  own(async (tx, customerId) => {
    const row = await readBacktest(tx, customerId, params.backtestId)
    if (!row) throw notFound()
    const backtest = toDetail(row)
    return query.format ? { file: backtestFile(backtest) } : { backtest }
  }),
)

const cancel = route(contract.cancelBacktest, async ({ own, nowMs, params }) => {
  await own(async (tx, customerId) => {
    const row = await readBacktest(tx, customerId, params.backtestId, true)
    if (!row) throw notFound()
    if (row.state === 'queued')
      return void (await changeBacktest(tx, row, { state: 'cancelled', finished_at: new Date(nowMs) }))
    if (row.state !== 'running') throw new Refusal(409, m.backtestFinished)
    await changeBacktest(tx, row, { cancel_asked: true })
    rowChanged(tx, 'load-backtest', params.backtestId)
  })
})

export const backtestRoutes = [find, make, get, cancel]

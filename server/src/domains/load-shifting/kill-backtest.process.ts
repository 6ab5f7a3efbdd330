import pg from 'pg'

/**
 * `node --import kill-backtest.process.ts main.ts` with KILL_AT: the server dies as by kill -9 while it runs a backtest. `take`: before it has
 * taken the row. `save`: all days are counted, and what they came to is about to be written. `after`: it is written and committed.
 */
const place = process.env['KILL_AT'] ?? ''
const die = () => process.kill(process.pid, 'SIGKILL')
let isSaved = false

if (place !== '')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply: (query, self, given: unknown[]) => {
      const said = JSON.stringify(given[0])
      const isUpdate = said.includes('update \\"load_backtest\\"')
      if (place === 'take' && isUpdate) die()
      if (place === 'save' && isUpdate && said.includes('\\"result\\" =')) die()
      if (place === 'after' && isSaved && said.includes('begin')) die()
      isSaved ||= isUpdate && said.includes('\\"result\\" =')
      return Reflect.apply(query, self, given)
    },
  })

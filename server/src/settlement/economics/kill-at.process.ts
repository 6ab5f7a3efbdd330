import pg from 'pg'
import { die } from '#testing/scripts.ts'

/**
 * `node --import kill-at.process.ts main.ts` with KILL_AT: the server dies as by kill -9 during a settlement. `take 2`: before the second group
 * of due rows is removed. `save 2`: after it, before its settlements are written. `commit 2`: both are written, not committed. `after 2`:
 * committed.
 */
const [place = '', nth = '1'] = (process.env['KILL_AT'] ?? '').split(' ')
let [taken, saved] = [0, 0]

if (place !== '')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply: (query, self, given: unknown[]) => {
      const said = JSON.stringify(given[0])
      const isSave = said.includes('insert into \\"settlement\\"')
      if (said.includes('delete from settlement_due') && ++taken === Number(nth) && place === 'take') die()
      if (isSave && ++saved === Number(nth) && place === 'save') die()
      if (place === 'commit' && saved >= Number(nth) && said.includes('"commit"')) die()
      if (place === 'after' && saved >= Number(nth) && said.includes('begin')) die()
      return Reflect.apply(query, self, given)
    },
  })

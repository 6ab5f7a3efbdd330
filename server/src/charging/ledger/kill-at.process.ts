import pg from 'pg'
import { WebSocket } from 'ws'
import { die } from '#testing/scripts.ts'

/**
 * `node --import kill-at.process.ts main.ts` with KILL_AT: the server dies as by kill -9 at one place of one message, or at the nth of its kind.
 * `commit start|`: its row is written and not committed. `registers 7`: readings are written, not committed. `answer m-1`: it is committed, and the
 * answer to the message with this id, or the nth with this prefix, is about to be sent.
 */
const [place, what = '', nth = '1'] = (process.env['KILL_AT'] ?? '').split(' ')
const isRegisters = place === 'registers'
let left = Number(isRegisters && what ? what : nth)

if (place === 'commit' || isRegisters) {
  const isMeant = (said: string) =>
    isRegisters
      ? said.includes('insert into \\"charger_register\\"')
      : said.includes('insert into \\"charger_message\\"') && said.includes(`"${what}`)
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply: (query, self, given: unknown[]) => {
      const said = JSON.stringify(given[0])
      if (isMeant(said)) left--
      if (left <= 0 && said.includes('"commit"')) die()
      return Reflect.apply(query, self, given)
    },
  })
}
if (place === 'answer')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
    apply: (send, self, given: Parameters<WebSocket['send']>) => {
      if (typeof given[0] === 'string' && given[0].startsWith(`[3,"${what}`) && --left <= 0) die()
      return Reflect.apply(send, self, given)
    },
  })

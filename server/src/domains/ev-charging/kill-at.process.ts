import pg from 'pg'
import { WebSocket } from 'ws'

/**
 * `node --import kill-at.process.ts main.ts` with KILL_AT: the server dies as by kill -9 at one place of one message. `commit start|`: its row is
 * written and not committed. `answer m-1`: it is committed, and the answer to the message with this id is about to leave.
 */
const [place, what = ''] = (process.env['KILL_AT'] ?? '').split(' ')
const die = () => process.kill(process.pid, 'SIGKILL')

if (place === 'commit') {
  let isWritten = false
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply: (query, self, given: unknown[]) => {
      const said = JSON.stringify(given[0])
      isWritten ||= said.includes('insert into \\"charger_message\\"') && said.includes(`"${what}`)
      if (isWritten && said.includes('"commit"')) die()
      return Reflect.apply(query, self, given)
    },
  })
}
if (place === 'answer')
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this`
  WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
    apply: (send, self, given: Parameters<WebSocket['send']>) => {
      if (typeof given[0] === 'string' && given[0].startsWith(`[3,"${what}"`)) die()
      return Reflect.apply(send, self, given)
    },
  })

import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

/** What the driver of PostgreSQL takes for a socket: its messages go to the store in this process, the answers come back. */
export class PgliteStream extends Duplex {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    super()
    this.#pglite = pglite
  }

  // What the driver asks of a socket beside reading and writing.
  connect = () => queueMicrotask(() => this.emit('connect'))
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this

  override _read() {} // answers are pushed as they come

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void) {
    this.#exchange(chunk, done)
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void) {
    this.#exchange(Buffer.concat(parts.map(({ chunk }) => chunk)), done)
  }

  override _final(done: () => void) {
    this.push(null)
    done()
  }

  #exchange(messages: Buffer, done: (error?: Error) => void) {
    const answer: Buffer[] = []
    const onRawData = (part: Uint8Array) => void answer.push(Buffer.from(part)) // a copy: the next part stands in the same place
    // As a stream, because the store reads and keeps every other answer itself as well.
    this.#pglite.execProtocolRawStream(messages, { onRawData }).then(() => {
      this.push(Buffer.concat(answer)) // whole: the driver must not ask on before the store has come to its end
      done()
    }, done)
  }
}

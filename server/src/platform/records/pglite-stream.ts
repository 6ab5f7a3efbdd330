import { Duplex } from 'node:stream'
import type { Engine } from './pglite-engine.ts'

/** A socket for the PostgreSQL driver that leads to the engine in this process. */
export class PgliteStream extends Duplex {
  readonly #engine: Engine

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  // Socket methods that the driver calls.
  connect = () => queueMicrotask(() => this.emit('connect'))
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this

  override _read() {} // answers are pushed on arrival

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
    this.#engine.exchange(new Uint8Array(messages)).then((answer) => {
      this.push(answer)
      done()
    }, done)
  }
}

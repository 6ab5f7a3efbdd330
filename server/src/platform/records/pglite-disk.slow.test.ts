import fs from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DurableFolder, startParams } from './pglite-disk.ts'

type Node = { mode: number }
type Stream = { node: Node }
type Write = { node: Node; bytes: Uint8Array; position: number }
type Layer = {
  FS: { isDir: (mode: number) => boolean }
  NODEFS: {
    realPath: (node: Node) => string
    stream_ops: {
      write: (stream: Stream, from: Uint8Array, offset: number, length: number, position: number) => number
      fsync?: (stream: Stream) => number
    }
  }
}

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gridmast-power-'))
  const pglite = await PGlite.create(join(root, 'made'))
  await pglite.exec('create table taken (n int)')
  await pglite.close()
})
afterAll(() => rm(root, { recursive: true }))

/** A folder with recorded writes: synced ones survive a power cut, others do not. */
const openNoted = async (folder: string, parameters: string[]) => {
  let unsynced: Write[] = []
  const synced: Write[] = []
  let syncs = 0
  let pathOf: Layer['NODEFS']['realPath'] = () => ''
  class Noted extends DurableFolder {
    override async init(...args: Parameters<DurableFolder['init']>) {
      const { emscriptenOpts } = await super.init(...args)
      const note = (layer: unknown) => {
        const { NODEFS, FS } = layer as Layer // the parts of the engine's file layer in use
        const { write, fsync } = NODEFS.stream_ops
        pathOf = NODEFS.realPath
        NODEFS.stream_ops.write = (stream, from, offset, length, position) => {
          unsynced.push({ node: stream.node, bytes: from.slice(offset, offset + length), position })
          return write(stream, from, offset, length, position)
        }
        NODEFS.stream_ops.fsync = (stream) => {
          const done = fsync?.(stream) ?? 0
          if (!FS.isDir(stream.node.mode)) syncs++
          synced.push(...unsynced.filter(({ node }) => node === stream.node))
          unsynced = unsynced.filter(({ node }) => node !== stream.node)
          return done
        }
      }
      return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), note] } }
    }
  }
  const pglite = await PGlite.create({ fs: new Noted(folder), startParams: parameters })
  return {
    pglite,
    syncs: () => syncs,
    cutInto: (copy: string) => {
      for (const { node, bytes, position } of synced) {
        const file = fs.openSync(pathOf(node).replace(folder, copy), fs.constants.O_RDWR | fs.constants.O_CREAT)
        fs.writeSync(file, bytes, 0, bytes.length, position)
        fs.closeSync(file)
      }
    },
  }
}

const cutAfter = async (name: string, rows: number, parameters: string[]) => {
  const [folder, copy] = [join(root, name), join(root, `${name}-after`)]
  for (const target of [folder, copy]) await cp(join(root, 'made'), target, { recursive: true })
  const noted = await openNoted(folder, parameters)
  const syncsOf: number[] = []
  for (let n = 1; n <= rows; n++) {
    const before = noted.syncs()
    await noted.pglite.query('insert into taken values ($1)', [n])
    syncsOf.push(noted.syncs() - before)
  }
  noted.cutInto(copy)
  const after = await PGlite.create(copy)
  const { rows: found } = await after.query<{ n: number }>('select n from taken order by n')
  await after.close()
  await noted.pglite.close()
  return { syncsOf, found: found.map(({ n }) => n) }
}

test('a commit is answered after its fsync and survives a power cut', async () => {
  const { syncsOf, found } = await cutAfter('durable', 20, startParams)
  expect(Math.min(...syncsOf)).toBe(1)
  expect(found).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
})

test('without fsync this test detects the loss', async () => {
  const { syncsOf, found } = await cutAfter('hasty', 20, PGlite.defaultStartParams)
  expect(Math.max(...syncsOf)).toBe(0)
  expect(found).toEqual([])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo } from './demo.ts'

/**
 * Fills the store of a demo once: the demo of each worker begins with a copy. While a demo takes in its past it needs a processor for itself,
 * and so would each of them, also after every failure.
 */
export default async () => {
  if (process.env['GALLERY_URL']) return
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-first-demo-'))
  const dataDir = join(folder, 'data')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const demo = await startDemo(dataDir)
    await demo.whole
    await demo.stop()
  } catch (error) {
    await remove()
    throw error
  }
  process.env['E2E_FIRST_DEMO'] = dataDir
  return remove
}
